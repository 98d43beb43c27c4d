//! Moving items: by keys and presses with a panel, by pointer, and with the form that the URL opens.

pub mod drafts;
pub mod focus;
pub mod held;
pub mod keys;
pub mod mover;
pub mod panel;
pub mod place;
pub mod pointer;
pub mod selection;
pub mod server_fns;
pub mod several;
pub mod shown;
pub mod texts;

use super::{
    request::{CalendarRequest, MEETING_PREFIX},
    server_fns::{CalendarBoard, Moving},
    texts::CalendarTexts,
};
use crate::{
    meetings::{
        page::forms::MoveFields, result::announce_meeting, room_fns::list_rooms, server_fns::MoveMeeting,
    },
    server_fns::Refused,
    tasks::{
        move_form::{OpenMoveForm, can_move},
        target::title_of,
    },
    texts::language,
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
    let is_asked = Memo::new(move |_| address.with(|address| address.get(MOVE).is_some()));
    let moving = Memo::new(move |_| board.with(|board| board.moving.clone()));
    move || {
        let moving = moving.get().filter(|_| is_asked.get())?;
        let (title, form) = match moving {
            Moving::Task(row) => (title_of(language(), &row), task_form(*row, address)),
            Moving::Meeting(row) => (row.title.clone(), meeting_form(*row, address, rooms)),
        };
        Some(view! {
            <section class="calendar-panel">
                <h2>{CalendarTexts::here().move_of(title)}</h2>
                {form}
            </section>
        })
    }
}

fn task_form(row: TaskRow, address: Memo<ListAddress>) -> AnyView {
    match can_move(&row) {
        true => view! { <OpenMoveForm row=row address=address /> }.into_any(),
        false => view! { <p class="notice warn">{CalendarTexts::here().cannot_move()}</p> }.into_any(),
    }
}

fn meeting_form(row: MeetingRow, address: Memo<ListAddress>, rooms: Rooms) -> AnyView {
    let is_ahead = matches!(row.state, MeetingState::Requested | MeetingState::Confirmed);
    match row.may_change && is_ahead {
        true => view! { <MoveMeetingForm row=row address=address rooms=rooms /> }.into_any(),
        false => view! { <p class="notice warn">{CalendarTexts::here().cannot_move()}</p> }.into_any(),
    }
}

#[component]
fn MoveMeetingForm(row: MeetingRow, address: Memo<ListAddress>, rooms: Rooms) -> impl IntoView {
    let action = ServerAction::<MoveMeeting>::new();
    announce_meeting(action);
    let close = close(address, MOVE);
    let form = view! {
        <OpenForm address=address name=MOVE>
            <MoveFields row=row rooms=rooms action=action is_open=RwSignal::new(true) />
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
