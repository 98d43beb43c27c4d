//! Several tasks that are moved together, by the same amount. Pure.

use crate::calendar::moving::dragged::{DAY, Held, is_draft, local_start};
use domain::calendar::CalendarItem;
use texts::calendar::moving::MovingTexts;

/// Maximum number of items that are moved together.
pub const MAX_SELECTED: usize = 200;
/// Seconds of a minute.
const MINUTE: i64 = 60;

/// Whether an item can be moved with others: a task that may be moved. Else why not; without a reason
/// it cannot be moved at all.
pub fn can_select(item: &CalendarItem) -> Result<(), Option<String>> {
    let texts = MovingTexts::here();
    match item {
        _ if is_draft(item) => Err(Some(texts.draft_alone(item.title.clone()))),
        _ if !item.may_move => Err(None),
        _ if item.is_meeting() => Err(Some(texts.meeting_alone(item.title.clone()))),
        _ => Ok(()),
    }
}

/// Another item, moved by as much as the held one is.
#[must_use]
pub fn moved_with(held: &Held, other: CalendarItem) -> Held {
    let other = Held::of(other);
    other.at(other.local + held.local - local_start(&held.item), "")
}

/// By how many days and minutes an item is held from its own time.
#[must_use]
pub fn amount(held: &Held) -> (i32, i32) {
    let (from, to) = (local_start(&held.item), held.local);
    let days = to.div_euclid(DAY) - from.div_euclid(DAY);
    let minutes = (to.rem_euclid(DAY) - from.rem_euclid(DAY)).div_euclid(MINUTE);
    (i32::try_from(days).unwrap_or(0), i32::try_from(minutes).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::moving::dragged::tests::item;

    #[test]
    fn an_amount_has_days_by_the_clock_and_minutes() {
        let held = Held::of(item("2027-06-09T08:10:00Z", None));
        assert_eq!(amount(&held.later_by_days(3)), (3, 0));
        assert_eq!(amount(&held.later_by_days(-2).later_by_steps(1)), (-2, 5));
        let other = moved_with(&held.later_by_days(1), item("2027-06-01T12:00:00Z", None));
        assert_eq!(amount(&other), (1, 0));
        // From 10:10 to 23:45 on the day before.
        assert_eq!(amount(&held.at(local_start(&held.item) - 10 * 3_600 - 25 * 60, "")), (-1, 815));
    }
}
