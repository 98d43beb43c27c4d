//! `/calendar`: month, week, day and agenda of everything that has a time. The URL holds view, date,
//! time zone and filters, so that links and GET forms do everything without JavaScript.

pub mod clock_text;
pub mod create;
pub mod filters;
pub mod item;
mod keys;
pub mod moving;
pub mod nav;
pub mod request;
pub mod server_fns;
pub mod slots;
pub mod tray;
pub mod views;

use crate::{
    live::live_resource,
    ui::{
        async_view::AsyncView, empty::Empty, page::header::TabTitle, table::address::ListAddress,
        time::picker::CityList,
    },
};
use create::CreatePanel;
use domain::calendar::View;
use filters::{Choices, Filters};
use leptos::{either::Either, prelude::*};
use moving::{
    MovePanel, Rooms, focus::use_kept_focus, keys::use_move_key, mover::Mover, panel::CarryPanel,
    pointer::Dragging, rooms_for, selection::SelectionBar,
};
use nav::CalendarNav;
use request::CalendarRequest;
use server_fns::{CalendarBoard, read_calendar, read_filter_choices};
use texts::calendar::CalendarTexts;
use tray::Tray;
use views::{day::DayGrid, list::DayLists, month::MonthGrid, time_grid::WeekGrid};

/// The page.
#[component]
pub fn CalendarPage() -> impl IntoView {
    let texts = CalendarTexts::here();
    let address = ListAddress::here();
    let request = Memo::new(move |_| address.with(CalendarRequest::of));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article" | "meeting"),
        move || request.get(),
        read_calendar,
    );
    let rooms = rooms_for(request);
    let choices = Resource::new(|| (), |()| read_filter_choices());
    view! {
        // The dates are what the page shows; its name is in the navigation.
        <TabTitle title=texts.title().to_owned() />
        <h1 class="visually-hidden">{texts.title()}</h1>
        <AsyncView from=read children=move |board| view! { <Board board=board address=address request=request rooms=rooms choices=choices /> } />
        <CityList />
    }
}

#[component]
fn Board(
    board: Signal<CalendarBoard>,
    address: Memo<ListAddress>,
    request: Memo<CalendarRequest>,
    rooms: Rooms,
    choices: Choices,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let mover = Mover::new(board);
    provide_context(mover);
    let board = mover.shown();
    let dragging = Dragging::new(mover, address);
    use_move_key(mover);
    use_kept_focus(board);
    let view = Memo::new(move |_| board.with(|board| board.view));
    // The hours of an empty day are shown all the same.
    let is_empty = Memo::new(move |_| {
        board.with(|board| board.view != View::Day && board.page.days.iter().all(|day| day.count == 0))
    });
    let is_filtered = move || request.with(CalendarRequest::is_filtered);
    let problem = Memo::new(move |_| board.with(|board| board.problem.clone()));
    view! {
        {move || problem.get().map(|problem| view! {
            <p class="notice warn" role="alert">{texts::refusal::sentence(texts::language(), &problem)}</p>
        })}
        <div class="calendar-head">
            <CalendarNav board=board address=address />
            <Filters board=board address=address request=request choices=choices />
            <SelectionBar mover=mover />
        </div>
        <MovePanel board=board address=address rooms=rooms />
        <CarryPanel mover=mover board=board address=address />
        <div
            class="calendar-layout"
            class:is-dragging=move || mover.is_dragging.get()
            on:pointerdown=move |event| dragging.press(&event)
            on:click=move |event| dragging.click(&event)
            on:touchmove=move |event| stop_if(dragging.is_active(), &event)
            on:contextmenu=move |event| stop_if(dragging.is_touched(), &event)
            on:dragstart=move |event| event.prevent_default()
        >
            <Tray board=board mover=mover />
            <div class="calendar-main" tabindex="-1" class:is-selecting=move || mover.is_selecting.get()>
                {move || match view.get() {
                    View::Month => view! { <MonthGrid board=board address=address /> }.into_any(),
                    View::Day => view! { <DayGrid board=board address=address /> }.into_any(),
                    View::Week => view! { <WeekGrid board=board address=address /> }.into_any(),
                    View::Agenda => view! { <DayLists board=board address=address /> }.into_any(),
                }}
                {move || is_empty.get().then(|| match is_filtered() {
                    true => Either::Left(view! {
                        <Empty title=texts.nothing() hint=texts.nothing_filtered()>
                            <a class="button" href=move || address.with(request::without_filters)>{texts.clear()}</a>
                        </Empty>
                    }),
                    false => Either::Right(view! { <Empty title=texts.nothing() hint=texts.nothing_hint() /> }),
                })}
            </div>
            <CreatePanel board=board address=address />
        </div>
        {dragging.ghost()}
    }
}

fn stop_if(is_dragging: bool, event: &web_sys::Event) {
    if is_dragging {
        event.prevent_default();
    }
}
