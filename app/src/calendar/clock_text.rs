//! Dates and times as the calendar writes them.

use domain::{
    Timestamp,
    base::{calendar::day_number, local_time::parse_date},
    calendar::{CalendarDay, CalendarItem},
    time::{WallClockTime, wall_clock_time},
};
use texts::calendar::CalendarTexts;
use texts::{
    Language,
    time::{clock, day_text, offset_text},
};

/// Milliseconds of a day in UTC.
const DAY_MS: i64 = 86_400_000;

/// The local midnight of `YYYY-MM-DD`, for display.
#[must_use]
pub fn wall_of(date: &str) -> Option<WallClockTime> {
    let at = Timestamp::from_millis(day_number(parse_date(date)?) * DAY_MS);
    Some(wall_clock_time(at, 0))
}

/// `Tue 9 Jun`, with the year unless it is that of today.
#[must_use]
pub fn date_words(language: Language, date: &str, today: &str) -> String {
    let this_year = wall_of(today).map(|today| today.year);
    wall_of(date).map_or_else(|| date.to_owned(), |wall| day_text(language, wall, this_year))
}

/// `09:00`; on a day with a time change with the offset, because 02:30 may occur twice.
#[must_use]
pub fn clock_on(day: &CalendarDay, at: Timestamp, offset: i32) -> String {
    let text = clock(wall_clock_time(at, offset));
    if day.offset == day.end_offset { text } else { format!("{text} {}", offset_text(offset)) }
}

/// Time of an item on one of its days: `09:00`, with `is_full` `09:00–10:00`; of a meeting that began
/// on an earlier day `until 10:00`.
#[must_use]
pub fn time_of(texts: CalendarTexts, day: &CalendarDay, item: &CalendarItem, is_full: bool) -> String {
    // Seconds only where there is space for them.
    let clock = |at: Timestamp, offset| clock_on(day, if is_full { at } else { whole_minute(at) }, offset);
    let end = item.ends_at.map(|at| (at, clock(at, item.end_offset)));
    match end {
        Some((ends_at, _)) if item.at < day.begins_at && ends_at >= day.ends_at => texts.all_day().to_owned(),
        Some((_, end)) if item.at < day.begins_at => texts.until(end),
        Some((_, end)) if is_full => format!("{}–{end}", clock(item.at, item.offset)),
        _ => clock(item.at, item.offset),
    }
}

fn whole_minute(at: Timestamp) -> Timestamp {
    at.plus(-at.millis().rem_euclid(60_000))
}

#[cfg(test)]
mod tests {
    use crate::calendar::clock_text::*;
    use domain::{AccountId, Version, calendar::CalendarStatus};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn day(date: &str, from: &str, to: &str, offsets: (i32, i32)) -> CalendarDay {
        CalendarDay {
            date: date.to_owned(),
            begins_at: at(from),
            ends_at: at(to),
            offset: offsets.0,
            end_offset: offsets.1,
            hours: Vec::new(),
            count: 0,
            attention: 0,
            items: Vec::new(),
            free_slots: Vec::new(),
        }
    }

    fn item(from: &str, to: Option<&str>, offset: i32) -> CalendarItem {
        CalendarItem {
            id: uuid(),
            kind: "meeting".to_owned(),
            target_id: uuid(),
            title: String::new(),
            state: "confirmed".to_owned(),
            status: CalendarStatus::Upcoming,
            version: Version::FIRST,
            at: at(from),
            offset,
            ends_at: to.map(at),
            end_offset: offset,
            owner_id: AccountId::generate(),
            owner: String::new(),
            room: String::new(),
            together: 1,
            may_move: true,
            is_in_slot: false,
        }
    }

    fn uuid() -> uuid::Uuid {
        AccountId::generate().0
    }

    #[test]
    fn a_doubled_time_is_distinguished_by_its_offset() {
        let day = day("2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", (120, 60));
        let time = |item: &CalendarItem| time_of(CalendarTexts(Language::En), &day, item, false);
        assert_eq!(time(&item("2026-10-25T00:30:00Z", None, 120)), "02:30 UTC+2");
        assert_eq!(time(&item("2026-10-25T01:30:00Z", None, 60)), "02:30 UTC+1");
        assert_eq!(offset_text(-210), "UTC−3:30");
    }

    #[test]
    fn a_meeting_of_several_days_says_what_is_on_each() {
        let day = day("2026-11-26", "2026-11-25T23:00:00Z", "2026-11-26T23:00:00Z", (60, 60));
        let time = |from: &str, to: &str, is_full| {
            time_of(CalendarTexts(Language::En), &day, &item(from, Some(to), 60), is_full)
        };
        assert_eq!(time("2026-11-26T08:00:00Z", "2026-11-26T09:30:00Z", true), "09:00–10:30");
        assert_eq!(time("2026-11-26T08:00:00Z", "2026-11-26T09:30:00Z", false), "09:00");
        assert_eq!(time("2026-11-24T08:00:00Z", "2026-11-26T09:30:00Z", true), "until 10:30");
        assert_eq!(time("2026-11-24T08:00:00Z", "2026-11-28T09:30:00Z", true), "all day");
    }

    #[test]
    fn a_date_is_written_in_words() {
        assert_eq!(date_words(Language::En, "2026-06-09", "2026-11-26"), "Tue 9 Jun");
        assert_eq!(date_words(Language::Zh, "2027-06-09", "2026-11-26"), "2027年6月9日 周三");
        assert_eq!(date_words(Language::En, "x", "2026-11-26"), "x");
    }
}
