//! The days with moves in flight: shown at once, before the server confirms. Pure.

use crate::calendar::moving::dragged::{Held, is_draft, local_start};
use crate::calendar::server_fns::CalendarBoard;
use domain::{
    Timestamp, Version,
    calendar::{CalendarDay, CalendarItem},
};

/// Returns the board with the items that were sent and the held one at their new times. An item whose
/// version is no longer the one that was held has been changed meanwhile, and stays where the server
/// says. What was sent has the version that it gets by the move: it can be moved again before the server
/// has sent the days. The held one may come from other days than those of the board.
#[must_use]
pub fn with_moved(mut board: CalendarBoard, sent: &[Held], held: Option<&Held>) -> CalendarBoard {
    for one in sent {
        let drafts = board.drafts.len();
        board.drafts.retain(|(id, _)| !is_draft(&one.item) || id.0 != one.item.id);
        place(&mut board.page.days, one, one.item.version.next(), board.drafts.len() < drafts);
    }
    if let Some(held) = held {
        let mut items = board.page.days.iter().flat_map(|day| &day.items);
        let is_changed = items.any(|item| item.id == held.item.id && item.version != held.item.version);
        place(&mut board.page.days, held, held.item.version, !is_changed);
    }
    board
}

fn place(days: &mut [CalendarDay], held: &Held, version: Version, mut is_shown: bool) {
    let is_same = |item: &CalendarItem| item.id == held.item.id && item.version == held.item.version;
    for day in &mut *days {
        let before = day.items.len();
        day.items.retain(|item| !is_same(item));
        if day.items.len() < before {
            is_shown = true;
            day.count = day.count.saturating_sub(1);
        }
    }
    let date = held.date();
    let Some(day) = days.iter_mut().find(|day| day.date == date).filter(|_| is_shown) else { return };
    let item = CalendarItem { version, ..moved_item(day, held) };
    let place = day.items.partition_point(|other| other.at <= item.at);
    day.items.insert(place, item);
    day.count += 1;
}

/// The item at its new time. On the day of a time change the offset is that of the hour, if the hours
/// are known, else that of the begin of the day.
fn moved_item(day: &CalendarDay, held: &Held) -> CalendarItem {
    let at = |offset: i32| Timestamp::from_millis((held.local - i64::from(offset) * 60) * 1_000);
    let fits =
        |hour: &&domain::calendar::HourOfDay| (hour.begins_at..hour.ends_at).contains(&at(hour.offset));
    let mut hours = day.hours.iter().filter(fits);
    let hour = if held.which == "later" { hours.next_back() } else { hours.next() };
    let offset = hour.map_or(day.offset, |hour| hour.offset);
    let ends_at = held.item.ends_at.map(|_| at(offset).plus(held.length * 1_000));
    CalendarItem { at: at(offset), offset, ends_at, end_offset: offset, together: 1, ..held.item.clone() }
}

/// Number of other items that begin in the same hour.
#[must_use]
pub fn conflicts(board: &CalendarBoard, held: &Held) -> u32 {
    let date = held.date();
    let day = board.page.days.iter().find(|day| day.date == date);
    let hour = |local: i64| local.div_euclid(3_600);
    let own_hour = hour(local_start(&held.item));
    let others = day.into_iter().flat_map(|day| &day.items).filter(|item| {
        item.id != held.item.id && !item.is_final() && hour(local_start(item)) == hour(held.local)
    });
    let (shown, known) =
        others.fold((0_u32, 0_u32), |(shown, known), item| (shown + 1, known.max(item.together)));
    // The server counted the item itself if it was in this hour before.
    let itself = u32::from(own_hour == hour(held.local));
    shown.max(known.saturating_sub(itself))
}

#[cfg(test)]
pub(super) mod tests {
    use super::{super::dragged::tests::item, *};
    use domain::calendar::{CalendarPage, View};

    pub fn board(items: Vec<CalendarItem>) -> CalendarBoard {
        let day = |number: u32| CalendarDay {
            date: format!("2027-06-{number:02}"),
            begins_at: format!("2027-06-{:02}T22:00:00Z", number - 1).parse().unwrap(),
            ends_at: format!("2027-06-{number:02}T22:00:00Z").parse().unwrap(),
            offset: 120,
            end_offset: 120,
            hours: Vec::new(),
            count: 0,
            attention: 0,
            items: Vec::new(),
            free_slots: Vec::new(),
        };
        let mut days: Vec<CalendarDay> = (8..=12).map(day).collect();
        days[1].count = items.len() as u64;
        days[1].items = items;
        let page = CalendarPage {
            zone: "Europe/Berlin".to_owned(),
            date: "2027-06-09".to_owned(),
            today: "2027-06-01".to_owned(),
            now: "2027-06-01T00:00:00Z".parse().unwrap(),
            kinds: Vec::new(),
            days,
        };
        CalendarBoard {
            view: View::Week,
            first_weekday: 0,
            page,
            skip: 0,
            drafts: Vec::new(),
            has_more_drafts: false,
            moving: None,
            problem: None,
        }
    }

    #[test]
    fn a_moved_item_is_on_its_new_day_until_its_version_changes() {
        let (first, second) = (item("2027-06-09T07:00:00Z", None), item("2027-06-09T08:00:00Z", None));
        let board = board(vec![first.clone(), second]);
        let held = Held::of(first).later_by_days(2);
        let shown = with_moved(board.clone(), std::slice::from_ref(&held), None);
        let counts: Vec<u64> = shown.page.days.iter().map(|day| day.count).collect();
        assert_eq!(counts, [0, 1, 0, 1, 0]);
        assert_eq!(shown.page.days[3].items[0].at.to_string(), "2027-06-11T07:00:00.000Z");
        // Moved again before the days arrive.
        let again = Held::of(shown.page.days[3].items[0].clone()).later_by_days(1);
        assert_eq!(again.item.version.0, held.item.version.0 + 1);
        let shown = with_moved(board.clone(), std::slice::from_ref(&held), Some(&again));
        let counts: Vec<u64> = shown.page.days.iter().map(|day| day.count).collect();
        assert_eq!(counts, [0, 1, 0, 0, 1]);
        let away = with_moved(board.clone(), &[held.later_by_days(40)], None);
        assert_eq!(away.page.days.iter().map(|day| day.count).sum::<u64>(), 1);
        // From another month.
        let empty = with_moved(self::board(Vec::new()), &[], Some(&held));
        assert_eq!(empty.page.days[3].items.len(), 1);
        assert_eq!(
            with_moved(self::board(Vec::new()), std::slice::from_ref(&held), None).page.days[3].count,
            0
        );
        let mut newer = board;
        newer.page.days[1].items[0].version.0 += 1;
        assert_eq!(with_moved(newer.clone(), &[], Some(&held)), newer);
        assert_eq!(with_moved(newer.clone(), &[held], None), newer);
    }

    #[test]
    fn conflicts_are_the_other_items_of_the_hour() {
        let mut items = vec![item("2027-06-09T07:10:00Z", None), item("2027-06-09T07:20:00Z", None)];
        items.push(item("2027-06-09T09:00:00Z", None));
        items.iter_mut().take(2).for_each(|item| item.together = 5);
        let board = board(items.clone());
        let held = Held::of(items[2].clone());
        assert_eq!(conflicts(&board, &held), 0);
        assert_eq!(conflicts(&board, &held.later_by_steps(-8)), 5, "three of them are not shown");
        assert_eq!(conflicts(&board, &Held::of(items[0].clone())), 4);
    }
}
