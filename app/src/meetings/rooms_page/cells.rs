//! Divides a day of a room into cells: busy, free and closed times. Pure.

/// Minutes of the smallest cell. Times in between are rounded outward.
pub const UNIT: u32 = 15;
/// Minutes of a day.
pub const DAY: u32 = 24 * 60;
/// Number of units of a day.
const UNITS: usize = (DAY / UNIT) as usize;

/// A time of the day, in minutes from midnight: `from` belongs to it, `to` does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First minute.
    pub from: u32,
    /// Minute after the last one; up to [`DAY`].
    pub to: u32,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The room cannot be booked.
    Closed,
    /// The room is free until `gap_end`. `is_first`: no free cell precedes it.
    Free {
        /// End of the free time, in minutes.
        gap_end: u32,
        /// Whether the free time begins with this cell.
        is_first: bool,
    },
    /// Indexes of the bookings.
    Busy(Vec<usize>),
}

/// A cell of the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its time.
    pub span: Span,
    /// What it holds.
    pub content: Content,
}

impl Cell {
    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        (self.span.to - self.span.from) / UNIT
    }
}

/// Returns the cells of `shown`, without gaps. `open`: opening hours; `busy`: bookings in order of
/// time; free times are divided at multiples of `step` minutes, and none is before `now`.
#[must_use]
pub fn cells(shown: Span, step: u32, open: &[Span], busy: &[Span], now: u32) -> Vec<Cell> {
    let units = contents(open, busy, now);
    let mut cells: Vec<Cell> = Vec::new();
    for at in (shown.from..shown.to).step_by(UNIT as usize) {
        let unit = &units[(at / UNIT) as usize];
        let to = at + UNIT;
        match cells.last_mut() {
            Some(last) if continues(&last.content, unit) && !is_divided(last, at, step) => {
                last.span.to = to;
            }
            last => {
                let is_first = !last.is_some_and(|last| matches!(last.content, Content::Free { .. }));
                let content = match unit {
                    Unit::Closed => Content::Closed,
                    Unit::Free => Content::Free { gap_end: gap_end(&units, at, shown.to), is_first },
                    Unit::Busy(which) => Content::Busy(which.clone()),
                };
                cells.push(Cell { span: Span { from: at, to }, content });
            }
        }
    }
    cells
}

/// Full hours that show all bookings, the opening hours, and `usual`.
#[must_use]
pub fn shown_hours(usual: Span, spans: impl IntoIterator<Item = Span>) -> Span {
    let around = spans.into_iter().filter(|span| *span != Span { from: 0, to: DAY });
    let all = around.fold(usual, |all, span| Span { from: all.from.min(span.from), to: all.to.max(span.to) });
    Span { from: all.from / 60 * 60, to: all.to.div_ceil(60) * 60 }
}

/// One unit of the day.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unit {
    Closed,
    Free,
    Busy(Vec<usize>),
}

impl Unit {
    fn is_free(&self) -> bool {
        *self == Self::Free
    }
}

/// Whether a new free cell begins. None is as short as a unit, unless the free time is.
fn is_divided(last: &Cell, at: u32, step: u32) -> bool {
    let is_long = |minutes: u32| minutes >= 2 * UNIT;
    match last.content {
        Content::Free { gap_end, .. } => {
            at.is_multiple_of(step) && is_long(at - last.span.from) && is_long(gap_end - at)
        }
        _ => false,
    }
}

fn continues(content: &Content, unit: &Unit) -> bool {
    match (content, unit) {
        (Content::Closed, Unit::Closed) | (Content::Free { .. }, Unit::Free) => true,
        (Content::Busy(own), Unit::Busy(other)) => own == other,
        _ => false,
    }
}

fn contents(open: &[Span], busy: &[Span], now: u32) -> Vec<Unit> {
    let mut units = vec![Unit::Closed; UNITS];
    for at in open.iter().flat_map(|span| whole_units(*span)).filter(|at| *at * UNIT as usize >= now as usize)
    {
        units[at] = Unit::Free;
    }
    for (index, span) in busy.iter().enumerate() {
        let touched: Vec<usize> = touched_units(*span).collect();
        let own: Vec<usize> =
            touched.iter().copied().filter(|at| !matches!(units[*at], Unit::Busy(_))).collect();
        // Bookings that share all their units with earlier ones are listed beside them.
        let shared = if own.is_empty() { touched.first().copied() } else { None };
        for at in own.into_iter().chain(shared) {
            match &mut units[at] {
                Unit::Busy(others) => others.push(index),
                unit => *unit = Unit::Busy(vec![index]),
            }
        }
    }
    units
}

fn touched_units(span: Span) -> impl Iterator<Item = usize> {
    let to = span.to.max(span.from + 1).min(DAY);
    (span.from / UNIT) as usize..to.div_ceil(UNIT) as usize
}

fn whole_units(span: Span) -> impl Iterator<Item = usize> {
    span.from.div_ceil(UNIT) as usize..(span.to.min(DAY) / UNIT) as usize
}

/// End of the free time that contains `at`.
fn gap_end(units: &[Unit], at: u32, limit: u32) -> u32 {
    let first = (at / UNIT) as usize;
    let length = units.iter().skip(first).take_while(|unit| unit.is_free()).count();
    (at + UNIT * u32::try_from(length).unwrap_or(0)).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: u32, to: u32) -> Span {
        Span { from: from * 60, to: to * 60 }
    }

    fn free(cell: &Cell) -> Option<(u32, u32, u32, bool)> {
        match cell.content {
            Content::Free { gap_end, is_first } => Some((cell.span.from, cell.span.to, gap_end, is_first)),
            _ => None,
        }
    }

    #[test]
    fn a_day_is_divided_into_closed_free_and_busy_times() {
        let cells = cells(span(8, 12), 60, &[span(9, 18)], &[Span { from: 600, to: 630 }], 0);
        assert_eq!(cells.iter().map(Cell::width).sum::<u32>(), 16);
        assert_eq!(cells[0], Cell { span: span(8, 9), content: Content::Closed });
        assert_eq!(free(&cells[1]), Some((540, 600, 600, true)));
        assert_eq!(cells[2], Cell { span: Span { from: 600, to: 630 }, content: Content::Busy(vec![0]) });
        // The rest of the hour, then whole hours; all until the end of what is shown.
        assert_eq!(free(&cells[3]), Some((630, 660, 720, true)));
        assert_eq!(free(&cells[4]), Some((660, 720, 720, false)));
        assert_eq!(cells.len(), 5);
    }

    #[test]
    fn times_are_rounded_outward_and_every_booking_is_shown() {
        let minutes = |from, to| Span { from, to };
        let busy = [minutes(541, 545), minutes(545, 550), minutes(550, 580), minutes(0, DAY)];
        let cells = cells(span(9, 10), 30, &[span(0, 24)], &busy, 0);
        let shown: Vec<_> = cells.iter().map(|cell| (cell.span.from, cell.content.clone())).collect();
        assert_eq!(
            shown,
            [(540, Content::Busy(vec![0, 1])), (555, Content::Busy(vec![2])), (585, Content::Busy(vec![3])),]
        );
    }

    #[test]
    fn no_free_cell_is_as_short_as_a_unit_unless_the_free_time_is() {
        let busy = [Span { from: 540, to: 555 }, Span { from: 615, to: 630 }, Span { from: 645, to: 660 }];
        let cells = cells(span(9, 11), 30, &[span(0, 24)], &busy, 0);
        let shown: Vec<_> = cells.iter().filter_map(free).map(|(from, to, ..)| (from, to)).collect();
        assert_eq!(shown, [(555, 615), (630, 645)]);
    }

    #[test]
    fn no_free_time_has_passed() {
        let cells = cells(span(9, 11), 30, &[span(0, 24)], &[], 9 * 60 + 20);
        assert_eq!(cells[0].content, Content::Closed);
        assert_eq!(free(&cells[1]), Some((570, 600, 660, true)));
    }

    #[test]
    fn the_shown_hours_hold_everything_but_a_room_that_never_closes() {
        assert_eq!(shown_hours(span(8, 18), [span(0, 24)]), span(8, 18));
        let early = Span { from: 7 * 60 + 30, to: 9 * 60 };
        assert_eq!(shown_hours(span(8, 18), [span(9, 20), early]), span(7, 20));
    }
}
