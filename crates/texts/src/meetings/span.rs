//! The time of a meeting: start and end, in the reader's time zone and the desk's.

use crate::{
    Language,
    time::{clock, place, placed_clock, placed_text, wall_text},
    zone_and_now,
};
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};

/// `Tue 9 Jun, 09:00–10:00 Berlin`, in Chinese `6月9日 周二 09:00–10:00（柏林）`, in German
/// `Di, 9. Juni, 09:00–10:00 (Berlin)`. On different days
/// `Tue 9 Jun, 22:00 – Wed 10 Jun, 02:00 Berlin`.
#[must_use]
pub fn span_text(
    language: Language,
    (start, end): (WallClockTime, WallClockTime),
    this_year: Option<i32>,
    place: &str,
) -> String {
    let is_one_day = (start.year, start.month, start.day) == (end.year, end.month, end.day);
    let start = wall_text(language, start, this_year);
    if is_one_day {
        format!("{start}–{}", placed_clock(language, &clock(end), place))
    } else {
        format!("{start} – {}", placed_text(language, end, this_year, place))
    }
}

/// The span in the user's time zone.
#[must_use]
pub fn span_here(language: Language, start: LocalizedTime, end: LocalizedTime) -> String {
    let (zone, now) = zone_and_now();
    let this_year = wall_clock_time(now, start.viewer_offset).year;
    let walls = (start.viewer_time(), end.viewer_time());
    span_text(language, walls, Some(this_year), &place(language, &zone))
}

/// A moment in the user's time zone.
#[must_use]
pub fn moment_here(language: Language, at: LocalizedTime) -> String {
    let (zone, now) = zone_and_now();
    let this_year = wall_clock_time(now, at.viewer_offset).year;
    placed_text(language, at.viewer_time(), Some(this_year), &place(language, &zone))
}

/// The span in the desk's time zone, which is `zone`; `None`: it is the same.
#[must_use]
pub fn span_at_desk(
    language: Language,
    (start, end): (LocalizedTime, LocalizedTime),
    now: Timestamp,
    zone: &str,
) -> Option<String> {
    if start.viewer_offset == start.site_offset && end.viewer_offset == end.site_offset {
        return None;
    }
    let this_year = wall_clock_time(now, start.site_offset).year;
    let walls = (start.site_time(), end.site_time());
    Some(span_text(language, walls, Some(this_year), &place(language, zone)))
}

/// `09:00–10:00` in the user's time zone.
#[must_use]
pub fn clocks(start: LocalizedTime, end: LocalizedTime) -> String {
    format!("{}–{}", clock(start.viewer_time()), clock(end.viewer_time()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::local_time;

    #[test]
    fn a_span_names_the_offset_of_an_end_that_the_clocks_show_twice() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let start = wall_clock_time(at("2027-11-07T04:30:00Z"), -240);
        let end = local_time(at("2027-11-07T06:30:00Z"), -300, true);
        let text =
            |language| span_text(language, (start, end), Some(2027), &place(language, "America/New_York"));
        assert_eq!(text(Language::En), "Sun 7 Nov, 00:30–01:30 UTC−5 New York");
        assert_eq!(text(Language::Zh), "11月7日 周日 00:30–01:30 UTC−5（纽约）");
    }

    #[test]
    fn a_span_names_its_days_and_its_place_once() {
        let wall = |day: &str, offset| {
            wall_clock_time(format!("2026-06-{day}Z").parse::<Timestamp>().unwrap(), offset)
        };
        let (start, end) = (wall("09T07:00:00", 120), wall("09T08:30:00", 120));
        let one = |language| span_text(language, (start, end), Some(2026), "Berlin");
        assert_eq!(one(Language::En), "Tue 9 Jun, 09:00–10:30 Berlin");
        assert_eq!(one(Language::Zh), "6月9日 周二 09:00–10:30（Berlin）");
        let late = wall("10T00:00:00", 120);
        let two = |language| span_text(language, (start, late), Some(2026), "Berlin");
        assert_eq!(two(Language::En), "Tue 9 Jun, 09:00 – Wed 10 Jun, 02:00 Berlin");
        assert_eq!(two(Language::Zh), "6月9日 周二 09:00 – 6月10日 周三 02:00（Berlin）");
    }
}
