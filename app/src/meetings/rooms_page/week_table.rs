//! The week of a room on a wide screen: a column for each day, a row for each quarter of an hour.

use super::{
    cells::{Cell, UNIT},
    grid::{STEP, day_link, has_quarters, row_cells, shown_of},
    grid_cell::{Direction, cell_view},
    rows::GridRow,
};
use leptos::prelude::*;
use texts::meetings::rooms::RoomTexts;

/// The table. Its rows have one height, whatever a meeting is called.
#[component]
pub(super) fn WeekTable(
    /// The days.
    rows: Memo<Vec<GridRow>>,
) -> impl IntoView {
    let texts = RoomTexts::here();
    move || {
        let days = rows.get();
        let shown = shown_of(&days);
        let is_fine = days.iter().any(|day| has_quarters(day, shown, STEP));
        let heads = days.iter().map(|day| view! { <th scope="col">{day_link(day)}</th> }).collect_view();
        let days: Vec<(GridRow, Vec<Cell>)> = days
            .into_iter()
            .map(|day| {
                let cells = row_cells(&day, shown, STEP);
                (day, cells)
            })
            .collect();
        let quarters = (shown.from..shown.to).step_by(UNIT as usize).map(|at| quarter(&days, at));
        view! {
            <div class="scroll room-week-scroll" role="group" aria-label=texts.title() tabindex="0">
                <table class="room-grid room-week" class:is-fine=is_fine>
                    <thead><tr><th scope="col" class="hour">{texts.hour()}</th>{heads}</tr></thead>
                    <tbody>{quarters.collect_view()}</tbody>
                </table>
            </div>
        }
    }
}

/// The cells that begin at this minute of the day, and the hour.
fn quarter(days: &[(GridRow, Vec<Cell>)], at: u32) -> impl IntoView + use<> {
    let hour = at.is_multiple_of(60).then(|| {
        let (text, quarters) = (format!("{:02}", at / 60), 60 / UNIT);
        view! { <th scope="row" class="hour" rowspan=quarters>{text}</th> }
    });
    let begins = |cell: &&Cell| cell.span.from == at;
    let cells: Vec<AnyView> = days
        .iter()
        .filter_map(|(day, cells)| Some(cell_view(day, cells.iter().find(begins)?, Direction::Down)))
        .collect();
    view! { <tr>{hour}{cells}</tr> }
}
