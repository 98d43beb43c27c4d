//! `/rooms/{id}`: one week of a room.

use super::{
    day_nav::DayNav,
    grid::{Grid, Heads, own_place},
    links_of, rows_of,
    week_table::WeekTable,
};
use crate::{
    live::{live, live_resource},
    meetings::room_fns::room_grid,
    session::visitor,
    ui::{async_view::AsyncView, icon::Icon, page::header::TabTitle, table::address::ListAddress},
};
use domain::{
    LocalizedTime,
    meetings::{Approval, Room, use_cases::RoomGrid},
    time::wall_clock_time,
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use texts::{
    language,
    meetings::{MeetingTexts, rooms::RoomTexts},
    sentences,
    time::{day_text, place},
};

/// Days of the grid.
const DAYS: u8 = 7;

/// The page.
#[component]
pub fn RoomPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let address = ListAddress::here();
    let date = Memo::new(move |_| address.with(|address| address.get("date")));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "meeting" | "room"),
        move || (id.get(), date.get()),
        |(id, date)| room_grid(date, DAYS, Some(id)),
    );
    view! { <AsyncView from=read children=move |grid| view! { <Week grid=grid id=id /> } /> }
}

#[component]
fn Week(grid: Signal<RoomGrid>, id: Memo<String>) -> impl IntoView {
    let texts = RoomTexts::here();
    let rows = Memo::new(move |_| grid.with(rows_of));
    let room = Memo::new(move |_| grid.with(|grid| grid.rooms.first().map(|day| day.room.clone())));
    let name =
        move || room.with(|room| room.as_ref().map(|room| room.settings.name.clone()).unwrap_or_default());
    let links = Memo::new(move |_| grid.with(|grid| links_of(grid, |first| days_text(grid, first))));
    let path = Signal::derive(move || format!("/rooms/{}", id.get()));
    view! {
        <TabTitle title=Signal::derive(name) />
        {move || room.get().map(|room| view! { <Header room=room /> })}
        <DayNav path=path links=links labels=[texts.previous_week(), texts.this_week(), texts.next_week()] />
        <WeekTable rows=rows />
        <div class="week-list"><Grid rows=rows heads=Heads::Days /></div>
        <p class="keys-hint js-only">{texts.keys_week()}</p>
    }
}

/// `Thu 26 Nov – Wed 2 Dec`.
fn days_text(grid: &RoomGrid, first: LocalizedTime) -> String {
    let this_year = wall_clock_time(live().now().get_untracked(), first.viewer_offset).year;
    let text = |day: LocalizedTime| day_text(language(), day.viewer_time(), Some(this_year));
    let last = grid.days.iter().rev().nth(1).copied().unwrap_or(first);
    format!("{} – {}", text(first), text(last))
}

/// Name, seats, place and equipment of the room.
#[component]
fn Header(room: Room) -> impl IntoView {
    let texts = RoomTexts::here();
    let settings = room.settings.clone();
    let seats = settings.capacity.and_then(|seats| u32::try_from(seats).ok());
    let approval = settings.policy.approval == Approval::Required;
    let facts = [
        seats.map(|seats| texts.seats(seats)),
        Some(settings.place).filter(|place| !place.is_empty()),
        Some(settings.equipment.join(", ")).filter(|equipment| !equipment.is_empty()),
        approval.then(|| texts.needs_approval().to_owned()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let zone = room.zone().to_owned();
    let elsewhere = (zone != visitor().zone()).then(|| texts.room_zone(place(language(), &zone)));
    let lead = texts.week_lead(own_place());
    let lead = elsewhere.map_or(lead.clone(), |zone| sentences(&lead, &zone));
    let book = format!("/meetings/new?room={}", room.id);
    view! {
        <header class="page-header">
            <h1 dir="auto">{settings.name}</h1>
            <div class="row">
                <a class="button" href="/rooms">{texts.all_rooms()}</a>
                {(room.may_book && !room.is_archived).then(|| view! {
                    <a class="button main" href=book><Icon name="plus" />{MeetingTexts::here().new_meeting()}</a>
                })}
            </div>
            {(!facts.is_empty()).then(|| view! { <p class="lead" dir="auto">{facts.join(" · ")}</p> })}
            <p class="lead">{lead}</p>
        </header>
        {room.is_archived.then(|| view! { <p class="notice warn">{texts.archived_hint()}</p> })}
    }
}
