//! Drafts of the tray, as items that are on no day yet. Pure.

use crate::calendar::moving::dragged::{DRAFT, Held, is_draft, local_start};
use crate::calendar::{request::DRAFT_PREFIX, server_fns::CalendarBoard};
use domain::{
    AccountId, ArticleId, Kind, Timestamp, Version,
    calendar::{CalendarItem, CalendarStatus},
};

/// Hour of the day for something new.
const USUAL_HOUR: i64 = 9;
/// Milliseconds of an hour.
const HOUR_MS: i64 = 3_600_000;

/// The draft with this name as an item at the first free slot of the shown days; else in the morning of the
/// first of them, or at the next full hour if that has passed.
#[must_use]
pub fn find_draft(board: &CalendarBoard, key: &str) -> Option<CalendarItem> {
    let id: ArticleId = key.strip_prefix(DRAFT_PREFIX)?.parse().ok()?;
    let (_, title) = board.drafts.iter().find(|(draft, _)| *draft == id)?;
    let now = board.page.now;
    let mut slots = board.page.days.iter().flat_map(|day| &day.free_slots);
    let (at, offset) = slots.find(|(at, _)| *at > now).copied().unwrap_or_else(|| {
        let next = Timestamp::from_millis((now.millis().div_euclid(HOUR_MS) + 1) * HOUR_MS);
        // On the first shown day that is not over, so that the page stays where it is.
        let day = board.page.days.iter().find(|day| day.ends_at > next).or(board.page.days.first());
        day.map_or((next, 0), |day| (next.max(day.begins_at.plus(USUAL_HOUR * HOUR_MS)), day.offset))
    });
    Some(CalendarItem {
        id: id.0,
        kind: Kind::ArticlePublish.as_str().to_owned(),
        target_id: id.0,
        title: title.clone(),
        state: DRAFT.to_owned(),
        status: CalendarStatus::Upcoming,
        version: Version(0),
        at,
        offset,
        ends_at: None,
        end_offset: offset,
        owner_id: AccountId(id.0),
        owner: String::new(),
        room: String::new(),
        together: 1,
        may_move: true,
        is_in_slot: false,
    })
}

/// A draft dropped on a day: at the day's first free slot. `None`: it is no draft, or there is none.
#[must_use]
pub fn in_free_slot(board: &CalendarBoard, held: &Held, date: &str) -> Option<Held> {
    let day = board.page.days.iter().find(|day| day.date == date).filter(|_| is_draft(&held.item))?;
    let (at, offset) = day.free_slots.first()?;
    let item = CalendarItem { at: *at, offset: *offset, ..held.item.clone() };
    Some(held.at(local_start(&item), ""))
}

/// The publication that has the slot in which a draft is held.
#[must_use]
pub fn slot_taken_by(board: &CalendarBoard, held: &Held) -> Option<CalendarItem> {
    let mut items = board.page.days.iter().flat_map(|day| &day.items).filter(|_| is_draft(&held.item));
    items.find(|item| item.is_in_slot && local_start(item) == held.local).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::moving::dragged::{key_of_draft, local_text, tests::item};
    use crate::calendar::moving::optimistic::tests::board;

    #[test]
    fn a_draft_begins_at_the_first_free_slot_and_falls_on_that_of_a_day() {
        let id = ArticleId::generate();
        let mut board = board(Vec::new());
        board.drafts = vec![(id, "Tides".to_owned())];
        let key = key_of_draft(&id);
        let first = Held::of(find_draft(&board, &key).unwrap());
        assert_eq!(local_text(first.local), "2027-06-08T09:00", "on the first day that is shown");
        assert!(first.is_changed(), "a draft has no time yet");
        board.page.days[1].free_slots = vec![("2027-06-09T08:00:00Z".parse().unwrap(), 120)];
        let held = Held::of(find_draft(&board, &key).unwrap());
        assert_eq!((local_text(held.local), held.key()), ("2027-06-09T10:00".to_owned(), key));
        let day =
            |held: &Held, date: &str| in_free_slot(&board, held, date).map(|held| local_text(held.local));
        assert_eq!(day(&first, "2027-06-09").as_deref(), Some("2027-06-09T10:00"));
        assert_eq!(day(&first, "2027-06-10"), None);
        assert_eq!(day(&Held::of(item("2027-06-08T08:00:00Z", None)), "2027-06-09"), None);
        assert_eq!(find_draft(&board, "draft.x"), None);
    }

    #[test]
    fn only_a_slot_is_taken() {
        let id = ArticleId::generate();
        let other = item("2027-06-09T08:00:00Z", None);
        let mut board = board(vec![other.clone()]);
        board.drafts = vec![(id, "Tides".to_owned())];
        let held = Held::of(find_draft(&board, &key_of_draft(&id)).unwrap()).at(local_start(&other), "");
        assert_eq!(slot_taken_by(&board, &held), None);
        board.page.days[1].items[0].is_in_slot = true;
        assert_eq!(slot_taken_by(&board, &held).map(|item| item.id), Some(other.id));
        assert_eq!(slot_taken_by(&board, &held.later_by_steps(1)), None);
    }
}
