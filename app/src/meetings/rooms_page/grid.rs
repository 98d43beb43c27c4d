//! The grid: a row for each room or day, a column for each quarter of an hour. On a phone each row
//! is a list of times.

use super::{
    cells::{Cell, Content, DAY, Span, UNIT, cells, shown_hours},
    grid_cell::{Direction, cell_view},
    rows::GridRow,
};
use crate::{live::live, session::visitor};
use domain::{meetings::Approval, time::wall_clock_time};
use leptos::{html, leptos_dom::helpers::request_animation_frame, prelude::*};
use texts::{
    language,
    meetings::rooms::RoomTexts,
    time::{day_text, place},
};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Hours that are always shown.
const USUAL: Span = Span { from: 8 * 60, to: 18 * 60 };
/// Minutes of a free cell.
pub(super) const STEP: u32 = 30;
/// Minutes of a free cell if there are many rows.
const WIDE_STEP: u32 = 60;
/// Number of rows above which free cells are wider.
const MANY_ROWS: usize = 20;

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// Rooms on one day.
    Rooms,
    /// Days of one room.
    Days,
}

/// The grid.
#[component]
pub fn Grid(
    /// The rows.
    rows: Memo<Vec<GridRow>>,
    /// What they are.
    heads: Heads,
) -> impl IntoView {
    let texts = RoomTexts::here();
    let shown = Memo::new(move |_| rows.with(|rows| shown_of(rows)));
    let step = Memo::new(move |_| if rows.with(Vec::len) > MANY_ROWS { WIDE_STEP } else { STEP });
    let is_fine = Memo::new(move |_| {
        rows.with(|rows| rows.iter().any(|row| has_quarters(row, shown.get(), step.get())))
    });
    // All rows are replaced if the hours change.
    let items = move || {
        let look = (shown.get(), step.get());
        rows.get().into_iter().map(|row| (row, look)).collect::<Vec<_>>()
    };
    let key = |(row, (shown, step)): &(GridRow, (Span, u32))| format!("{} {shown:?} {step}", row.key());
    let label = match heads {
        Heads::Rooms => texts.room(),
        Heads::Days => texts.day(),
    };
    let scroller = NodeRef::<html::Div>::new();
    if heads == Heads::Rooms {
        scroll_to_now(scroller, rows, shown);
    }
    view! {
        <div class="scroll room-grid-scroll" role="group" aria-label=texts.title() tabindex="0" node_ref=scroller>
            <table class="room-grid" class:is-fine=is_fine>
                <colgroup>
                    <col class="head" />
                    <col class="unit" span=move || ((shown.get().to - shown.get().from) / UNIT).to_string() />
                </colgroup>
                <thead><tr><th scope="col" class="grid-head">{label}</th>{move || hours(shown.get())}</tr></thead>
                <tbody>
                    <For each=items key=key children=move |(row, (shown, step))| {
                        view! { <Row row=row shown=shown step=step heads=heads /> }
                    } />
                </tbody>
            </table>
        </div>
    }
}

/// The hours that are shown of these rows.
pub(super) fn shown_of(rows: &[GridRow]) -> Span {
    let busy = |row: &GridRow| row.busy.iter().map(|(span, _)| *span).collect::<Vec<_>>();
    shown_hours(USUAL, rows.iter().flat_map(|row| row.open.iter().copied().chain(busy(row))))
}

/// Scrolls to the hour that it is when the page is opened today. Other days show the same hours.
fn scroll_to_now(scroller: NodeRef<html::Div>, rows: Memo<Vec<GridRow>>, shown: Memo<Span>) {
    Effect::new(move |_| {
        let Some(scroller) = scroller.get() else { return };
        let passed = rows.with_untracked(|rows| rows.first().map_or(0, |row| row.passed));
        let shown = shown.get_untracked();
        let is_today = passed > shown.from && passed < DAY;
        let hours = if is_today { (passed.min(shown.to - 1) - shown.from) / 60 } else { 0 };
        request_animation_frame(move || scroll_to_hour(&scroller, hours));
    });
}

/// Scrolls so that this hour, counted from the first one, is beside the names of the rooms.
fn scroll_to_hour(scroller: &Element, hours: u32) {
    let find = |number: u32| {
        let found = scroller.query_selector(&format!("thead th:nth-child({number})")).ok().flatten();
        found.and_then(|found| found.dyn_into::<HtmlElement>().ok())
    };
    // The first column is the names, which stay where they are.
    let (Some(names), Some(hour)) = (find(1), find(hours + 2)) else { return };
    let page = document().document_element();
    let is_rtl = page.is_some_and(|page| page.get_attribute("dir").as_deref() == Some("rtl"));
    let end = scroller.scroll_width() - names.offset_width();
    let left = if is_rtl {
        hour.offset_left() + hour.offset_width() - end
    } else {
        hour.offset_left() - names.offset_width()
    };
    scroller.set_scroll_left(left);
}

/// Whether the row has cells of a quarter of an hour: then all columns are as wide as a target of a
/// pointer must be.
pub(super) fn has_quarters(row: &GridRow, shown: Span, step: u32) -> bool {
    row_cells(row, shown, step).iter().any(|cell| cell.width() == 1 && cell.content != Content::Closed)
}

pub(super) fn row_cells(row: &GridRow, shown: Span, step: u32) -> Vec<Cell> {
    let spans: Vec<Span> = row.busy.iter().map(|(span, _)| *span).collect();
    cells(shown, step, &row.open, &spans, row.passed)
}

/// Headings of the hours.
fn hours(shown: Span) -> impl IntoView {
    let columns = 60 / UNIT;
    (shown.from / 60..shown.to / 60)
        .map(|hour| view! { <th scope="col" colspan=columns>{format!("{hour:02}")}</th> })
        .collect_view()
}

#[component]
fn Row(row: GridRow, shown: Span, step: u32, heads: Heads) -> impl IntoView {
    let cells: Vec<AnyView> =
        row_cells(&row, shown, step).iter().map(|cell| cell_view(&row, cell, Direction::Across)).collect();
    view! { <tr><th scope="row" class="grid-head"><Head row=row heads=heads /></th>{cells}</tr> }
}

/// Name of the room, or the day.
#[component]
fn Head(row: GridRow, heads: Heads) -> impl IntoView {
    let texts = RoomTexts::here();
    match heads {
        Heads::Rooms => {
            let settings = row.room.settings.clone();
            let seats = settings.capacity.and_then(|seats| u32::try_from(seats).ok());
            let notes = [
                seats.map(|seats| texts.seats(seats)),
                Some(settings.place).filter(|place| !place.is_empty()),
                (settings.policy.approval == Approval::Required).then(|| texts.needs_approval().to_owned()),
            ];
            let notes = notes.into_iter().flatten().map(|note| view! { <small dir="auto">{note}</small> });
            view! {
                <a href=format!("/rooms/{}", row.room.id) dir="auto">{settings.name}</a>
                {notes.collect_view()}
            }
            .into_any()
        }
        Heads::Days => day_link(&row).into_any(),
    }
}

/// The day of the row, which leads to all rooms on that day.
pub(super) fn day_link(row: &GridRow) -> impl IntoView + use<> {
    let this_year = wall_clock_time(live().now().get_untracked(), row.day.viewer_offset).year;
    let day = day_text(language(), row.day.viewer_time(), Some(this_year));
    view! { <a href=format!("/rooms?date={}", row.date())>{day}</a> }
}

/// Name of the user's time zone.
#[must_use]
pub fn own_place() -> String {
    place(language(), visitor().zone())
}
