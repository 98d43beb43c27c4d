//! Moving items: by keys and presses with a panel, by pointer, and with the form that the URL opens.

pub mod drafts;
pub mod dragged;
pub mod focus;
pub mod keys;
pub mod mover;
pub mod optimistic;
pub mod panel;
pub mod place;
pub mod pointer;
pub mod selection;
pub mod server_fns;
pub mod several;
pub mod tab_stop;

use super::{
    request::{CalendarRequest, MEETING_PREFIX},
    server_fns::{CalendarBoard, Moving},
};
use crate::{
    meetings::{
        page::forms::{MoveFields, seen_version},
        result::announce_meeting,
        room_fns::list_rooms,
        server_fns::MoveMeeting,
    },
    server_fns::Refused,
    tasks::{
        move_form::{OpenMoveForm, can_move},
        target::title_of,
    },
    ui::table::{
        address::{ListAddress, MOVE},
        form_row::{OpenForm, close},
    },
};
use domain::{
    meetings::{MeetingRow, MeetingState, Room},
    task::TaskRow,
};
use leptos::prelude::*;
use texts::calendar::CalendarTexts;
use texts::language;

/// The rooms, loaded for the form.
pub type Rooms = Resource<Result<Vec<Room>, Refused>>;

/// Loads the rooms while a meeting is moved. Not inside of the form: a nested resource would get
/// different ids on server and browser.
pub fn rooms_for(request: Memo<CalendarRequest>) -> Rooms {
    let moves_meeting = move || {
        request.with(|request| request.moving.as_ref().is_some_and(|id| id.starts_with(MEETING_PREFIX)))
    };
    Resource::new(moves_meeting, |moves_meeting| async move {
        if moves_meeting { list_rooms(false).await } else { Ok(Vec::new()) }
    })
}

/// The form.
#[component]
pub fn MovePanel(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
    /// The rooms, if a meeting is moved.
    rooms: Rooms,
) -> impl IntoView {
    let asked = Memo::new(move |_| address.with(|address| address.get(MOVE)));
    // As it was when the form was opened: a change by another user does not replace the input.
    let moving = Memo::new(move |last: Option<&Option<Moving>>| {
        let asked = asked.get()?;
        let is_it = |moving: &Moving| moving.key() == asked;
        let open = last.cloned().flatten().filter(is_it);
        open.or_else(|| board.with(|board| board.moving.clone().filter(is_it)))
    });
    move || {
        let moving = moving.get()?;
        let (title, form) = match moving {
            Moving::Task(row) => (title_of(language(), &row), task_form(*row, address)),
            Moving::Meeting(row) => (row.title.clone(), meeting_form(*row, board, address, rooms)),
        };
        Some(view! {
            <section class="calendar-panel">
                <h2>{CalendarTexts::here().move_of(title)}</h2>
                {form}
            </section>
        })
    }
}

impl Moving {
    /// Its name in the URL.
    fn key(&self) -> String {
        match self {
            Self::Task(row) => row.id.to_string(),
            Self::Meeting(row) => format!("{MEETING_PREFIX}{}", row.id),
        }
    }
}

fn task_form(row: TaskRow, address: Memo<ListAddress>) -> AnyView {
    match can_move(&row) {
        true => view! { <OpenMoveForm row=row address=address /> }.into_any(),
        false => view! { <p class="notice warn">{CalendarTexts::here().cannot_move()}</p> }.into_any(),
    }
}

fn meeting_form(
    row: MeetingRow,
    board: Signal<CalendarBoard>,
    address: Memo<ListAddress>,
    rooms: Rooms,
) -> AnyView {
    let is_ahead = matches!(row.state, MeetingState::Requested | MeetingState::Confirmed);
    match row.may_change && is_ahead {
        true => view! { <MoveMeetingForm row=row board=board address=address rooms=rooms /> }.into_any(),
        false => view! { <p class="notice warn">{CalendarTexts::here().cannot_move()}</p> }.into_any(),
    }
}

#[component]
fn MoveMeetingForm(
    row: MeetingRow,
    board: Signal<CalendarBoard>,
    address: Memo<ListAddress>,
    rooms: Rooms,
) -> impl IntoView {
    let action = ServerAction::<MoveMeeting>::new();
    announce_meeting(action);
    let opened = row.clone();
    let latest = Memo::new(move |last: Option<&MeetingRow>| {
        let now = board.with(|board| match &board.moving {
            Some(Moving::Meeting(row)) if row.id == opened.id => Some((**row).clone()),
            _ => None,
        });
        now.or_else(|| last.cloned()).unwrap_or_else(|| opened.clone())
    });
    let seen = seen_version(action, &row, latest);
    let close = close(address, MOVE);
    let form = view! {
        <OpenForm address=address name=MOVE>
            <MoveFields row=row rooms=rooms action=action is_open=RwSignal::new(true) seen=Signal::from(seen) />
        </OpenForm>
    };
    // After the effects of the form: closing disposes them.
    Effect::new(move |_| {
        if action.value().with(|value| matches!(value, Some(Ok(_)))) {
            close();
        }
    });
    form
}
