//! A cell of the grid, in a row or a column of times.

use super::{
    cells::{Cell, Content, DAY},
    rows::GridRow,
};
use crate::{meetings::new_page::span_input::clock_of, session::visitor};
use domain::meetings::{Busy, Room};
use leptos::prelude::*;
use texts::{
    colon,
    meetings::{MeetingTexts, rooms::RoomTexts, span::clocks},
};

/// Proposed length of a meeting, in minutes.
const USUAL_LENGTH: u32 = 60;
/// Units of a meeting that has room for one line.
const SHORT: u32 = 3;

/// Where the time goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the end of the line.
    Across,
    /// Downwards.
    Down,
}

impl Direction {
    /// Number of columns of the cell; `None`: one.
    fn across(self, cell: &Cell) -> Option<u32> {
        (self == Self::Across).then(|| cell.width())
    }

    /// Number of rows of the cell; `None`: one.
    fn down(self, cell: &Cell) -> Option<u32> {
        (self == Self::Down).then(|| cell.width())
    }
}

/// A cell of this room and day.
pub(super) fn cell_view(row: &GridRow, cell: &Cell, to: Direction) -> AnyView {
    match &cell.content {
        Content::Closed => {
            view! { <td class="is-closed" colspan=to.across(cell) rowspan=to.down(cell)></td> }.into_any()
        }
        Content::Free { gap_end, is_first } => {
            free_cell(&row.room, &row.date(), (cell, to), *gap_end, *is_first)
        }
        Content::Busy(which) => {
            let busy = which.iter().filter_map(|index| row.busy.get(*index)).map(|(_, busy)| busy.clone());
            view! {
                <td class="is-busy" class:is-short=cell.width() <= SHORT colspan=to.across(cell) rowspan=to.down(cell)>
                    {busy.map(|busy| view! { <BusyLink busy=busy /> }).collect_view()}
                </td>
            }
            .into_any()
        }
    }
}

/// A link to the form with room and time. Only the first cell of a free time is a stop of the Tab
/// key: the form changes the time.
fn free_cell(
    room: &Room,
    date: &str,
    (cell, to): (&Cell, Direction),
    gap_end: u32,
    is_first: bool,
) -> AnyView {
    let texts = RoomTexts::here();
    let (start, is_hour) = (cell.span.from, cell.span.from.is_multiple_of(60));
    let until = clock_of(gap_end.min(DAY - 1));
    if !room.may_book {
        return view! {
            <td class="is-free" class:is-first=is_first class:on-hour=is_hour colspan=to.across(cell) rowspan=to.down(cell)>
                <span class="visually-hidden">{is_first.then(|| texts.free_from(clock_of(start), until))}</span>
            </td>
        }
        .into_any();
    }
    let end = clock_of((start + USUAL_LENGTH).min(gap_end).min(DAY - 1));
    let start = clock_of(start);
    let href = format!("/meetings/new?room={}&date={date}&start={start}&end={end}", room.id);
    let (name, text) = (format!("{}{}", room.settings.name, colon()), texts.free_from(start.clone(), until));
    view! {
        <td class="is-free" class:is-first=is_first class:on-hour=is_hour colspan=to.across(cell) rowspan=to.down(cell)>
            <a href=href title=start tabindex=(!is_first).then_some("-1")>
                <span class="visually-hidden">{name}</span>
                <span class="gap">{text}</span>
            </a>
        </td>
    }
    .into_any()
}

/// A meeting in its time.
#[component]
fn BusyLink(busy: Busy) -> impl IntoView {
    let texts = MeetingTexts::here();
    let time = clocks(busy.starts, busy.ends);
    let state = texts.state_of(busy.state);
    let title = format!("{time} {} · {state} · {}", busy.title, busy.organizer);
    let is_mine = visitor().account.is_some_and(|account| account.id == busy.organizer_id);
    view! {
        <a href=format!("/meetings/{}", busy.meeting_id) title=title data-phase=busy.state.as_str() class:is-mine=is_mine>
            <strong dir="auto">{busy.title}</strong>
            <span class="time"><span class="state-mark" aria-hidden="true" data-phase=busy.state.as_str()></span>" "{time}</span>
            <span class="visually-hidden">{state}</span>
        </a>
    }
}
