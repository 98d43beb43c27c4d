//! `/rooms`: one day of all rooms; `/rooms/{id}`: one week of a room.

mod cells;
pub mod day_nav;
mod find;
mod grid;
mod grid_cell;
mod rows;
mod week;
mod week_table;

pub use week::RoomPage;

use crate::{
    live::{live, live_resource},
    meetings::room_fns::{find_rooms, room_grid},
    session::visitor,
    ui::{
        async_view::AsyncView, empty::Empty, icon::Icon, page::header::PageHeader,
        table::address::ListAddress,
    },
};
use day_nav::{DayLinks, DayNav};
use domain::{meetings::use_cases::RoomGrid, time::wall_clock_time};
use find::{FindForm, Found, search_of};
use grid::{Grid, Heads, own_place};
use leptos::{either::Either, prelude::*};
use rows::GridRow;
use std::collections::BTreeSet;
use texts::{
    language,
    meetings::{MeetingTexts, rooms::RoomTexts},
    time::day_text,
};

/// The day of all rooms.
#[component]
pub fn Rooms() -> impl IntoView {
    let texts = RoomTexts::here();
    let address = ListAddress::here();
    let date = Memo::new(move |_| address.with(|address| address.get("date")));
    let search = Memo::new(move |_| address.with(search_of));
    let wants = |change: &domain::event::Signal| matches!(change.entity.as_str(), "meeting" | "room");
    let read = live_resource(wants, move || date.get(), |date| room_grid(date, 1, None));
    let found = live_resource(wants, move || search.get(), find_rooms);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead(own_place())>
            <a class="button main" href="/meetings/new"><Icon name="plus" />{MeetingTexts::here().new_meeting()}</a>
        </PageHeader>
        <AsyncView from=found children=move |found| view! { <Found found=found address=address /> } />
        <AsyncView from=read children=move |grid| view! { <Day grid=grid address=address /> } />
    }
}

#[component]
fn Day(grid: Signal<RoomGrid>, address: Memo<ListAddress>) -> impl IntoView {
    let (texts, language) = (RoomTexts::here(), language());
    let rows = Memo::new(move |_| grid.with(rows_of));
    let links = Memo::new(move |_| {
        grid.with(|grid| {
            links_of(grid, |day| {
                let this_year = wall_clock_time(live().now().get_untracked(), day.viewer_offset).year;
                day_text(language, day.viewer_time(), Some(this_year))
            })
        })
    });
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let date = grid.with_untracked(|grid| grid.date.clone());
    let equipment = grid.with_untracked(equipment_of_all);
    let path = Signal::stored("/rooms".to_owned());
    view! {
        {move || match is_empty.get() {
            true => Either::Left(view! { <NoRooms /> }),
            false => Either::Right(view! {
                <FindForm address=address date=date.clone() equipment=equipment.clone() />
                <DayNav path=path links=links labels=[texts.previous_day(), texts.today(), texts.next_day()] />
                <Grid rows=rows heads=Heads::Rooms />
                <p class="keys-hint js-only">{texts.keys()}</p>
            }),
        }}
    }
}

/// One row for each room and day.
fn rows_of(grid: &RoomGrid) -> Vec<GridRow> {
    let now = live().now().get_untracked();
    let days = grid.days.windows(2).filter_map(|pair| match pair {
        [day, end] => Some((*day, *end)),
        _ => None,
    });
    let days: Vec<_> = days.collect();
    let rooms = grid.rooms.iter();
    rooms.flat_map(|room| days.iter().map(move |day| GridRow::new(room, *day, now))).collect()
}

/// What the rooms have, each once.
fn equipment_of_all(grid: &RoomGrid) -> Vec<String> {
    let all = grid.rooms.iter().flat_map(|day| day.room.settings.equipment.iter().cloned());
    all.collect::<BTreeSet<String>>().into_iter().collect()
}

fn links_of(grid: &RoomGrid, title: impl Fn(domain::LocalizedTime) -> String) -> DayLinks {
    DayLinks {
        title: grid.days.first().copied().map(title).unwrap_or_default(),
        date: grid.date.clone(),
        previous: grid.previous.clone(),
        next: grid.next.clone(),
    }
}

/// No room can be booked yet.
#[component]
fn NoRooms() -> impl IntoView {
    let texts = RoomTexts::here();
    match visitor().is_admin() {
        true => Either::Left(view! {
            <Empty title=texts.none() hint=texts.none_hint_admin()>
                <a class="button main" href="/settings/rooms">{texts.add()}</a>
            </Empty>
        }),
        false => Either::Right(view! { <Empty title=texts.none() hint=texts.none_hint() /> }),
    }
}
