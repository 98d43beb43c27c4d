//! The time field of the desk: reads a time as people type it.
//!
//! [`read`] is the only entry; the words are those of [`super::when`].

use super::{
    local_time,
    when::{self, Context, Question, Reading, ZoneWindow},
    zone_rules::ZoneRules as _,
};
use crate::{DomainError, Timestamp};

/// What the field knows besides the text.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// The current time.
    pub now: Timestamp,
    /// The last complete local time, `YYYY-MM-DDTHH:MM[:SS]` (may be empty): completes a text with
    /// only a date or a time.
    pub base: &'a str,
    /// IANA name of the chosen zone; empty: unknown.
    pub zone: &'a str,
    /// The rules of a zone, if they were fetched.
    pub rules: Option<&'a ZoneWindow>,
    /// IANA name of the reader's zone; empty: unknown.
    pub own_zone: &'a str,
    /// The rules of the reader's zone, if they were fetched: `tomorrow` may be the one there.
    pub own_rules: Option<&'a ZoneWindow>,
    /// Whether `6/9` is June 9 only, as in Chinese.
    pub is_month_first: bool,
}

/// What a typed time means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// IANA name of the zone that the text names.
    pub zone: Option<&'static str>,
    /// The local times that can be meant, in order; more than one: the user chooses. `None`: the
    /// rules of the zone, or those of the reader's zone, must be fetched first.
    pub times: Option<Vec<Reading>>,
}

/// Reads a typed date and time. The server decides whether it has passed, occurs twice or does not
/// exist. A weekday beside a date is not read if it is that of the base, so that the day can be
/// changed alone.
pub fn read(typed: &str, field: &Field<'_>) -> Result<Typed, DomainError> {
    // The field has another name in forms.
    read_text(typed, field).map_err(|refusal| refusal.in_field("time"))
}

fn read_text(typed: &str, field: &Field<'_>) -> Result<Typed, DomainError> {
    let phrase = when::parse(typed)?;
    let zone = phrase.zone();
    let name = zone.unwrap_or(field.zone);
    let base = local_time::parse(field.base).ok();
    let any = ZoneWindow::fixed(name, 0);
    let is_relative = phrase.is_relative(base.is_some());
    let rules = match field.rules.filter(|rules| rules.zone == name) {
        _ if !is_relative => &any,
        Some(rules) => rules,
        None => return Ok(Typed { zone, times: None }),
    };
    let is_elsewhere = zone.is_some_and(|zone| zone != field.own_zone) && !field.own_zone.is_empty();
    let own_today = match field.own_rules {
        _ if !is_relative || !is_elsewhere => None,
        Some(own) => own.local_at(field.now).map(|local| local.date()),
        None => return Ok(Typed { zone, times: None }),
    };
    let is_month_first = field.is_month_first;
    let context = Context { now: field.now, rules, base, is_month_first, keeps_past: true, own_today };
    let mut readings = phrase.readings(&context)?;
    if readings.question == Some(Question::DoubledTime) {
        readings.all.truncate(1);
        readings.all.iter_mut().for_each(|reading| reading.disambiguation = None);
    }
    Ok(Typed { zone, times: Some(readings.all) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::local_time::{minute_text, shortest_text};

    fn field<'a>(base: &'a str, rules: Option<&'a ZoneWindow>) -> Field<'a> {
        let now = "2026-11-25T12:00:00Z".parse().unwrap();
        Field { now, base, zone: "UTC", rules, own_zone: "UTC", own_rules: rules, is_month_first: false }
    }

    /// The local times, separated by blanks; empty: it is refused.
    fn reads(typed: &str) -> String {
        let rules = ZoneWindow::fixed("UTC", 0);
        let found = read(typed, &field("2026-11-26T09:00", Some(&rules)));
        let times = found.ok().and_then(|typed| typed.times).unwrap_or_default();
        times.iter().map(|reading| shortest_text(reading.local)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_time_alone_keeps_the_day() {
        for typed in ["10:30", "10：30", "10:30am", "10:30 AM", "10点30分", "10点30", "at 10:30"] {
            assert_eq!(reads(typed), "2026-11-26T10:30", "{typed}");
        }
        assert_eq!(reads("9pm"), "2026-11-26T21:00");
        assert_eq!(reads("28 Nov 9 pm"), "2026-11-28T21:00");
        assert_eq!(reads("12am"), "2026-11-26T00:00");
        assert_eq!(reads("21点"), "2026-11-26T21:00");
        assert_eq!(reads("09:00:30"), "2026-11-26T09:00:30");
        assert_eq!(reads("3点"), "2026-11-26T03:00 2026-11-26T15:00");
    }

    #[test]
    fn a_date_alone_keeps_the_time() {
        for typed in [
            "28 Nov",
            "Nov 28",
            "28th of November",
            "Sat 28 Nov",
            "28.11.",
            "28. Nov.",
            "28.11.2026",
            "2026-11-28",
            "2026/11/28",
            "11月28日",
            "11月28号",
            "2026年11月28日周六",
            "28 nov 2026",
            "saturday",
        ] {
            assert_eq!(reads(typed), "2026-11-28T09:00", "{typed}");
        }
        assert_eq!(reads("tomorrow"), "2026-11-26T09:00");
    }

    #[test]
    fn what_the_pages_show_is_read_back() {
        assert_eq!(reads("Thu 26 Nov, 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("Wed 9 Jun 2027, 09:00:05"), "2027-06-09T09:00:05");
        assert_eq!(reads("11月26日 周四 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("11月26日周四 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("2027年6月9日星期三 09:00"), "2027-06-09T09:00");
        assert_eq!(reads("Do, 26. November, 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("Mi, 9. Juni 2027, 09:00:05"), "2027-06-09T09:00:05");
        assert_eq!(reads("2027-06-09T09:00"), "2027-06-09T09:00");
        assert_eq!(reads("Thu 27 Nov, 09:00"), "2026-11-27T09:00", "only the day was changed");
        assert_eq!(reads("Mon 27 Nov, 09:00"), "");
    }

    #[test]
    fn a_date_without_year_is_the_next_one() {
        assert_eq!(reads("25 Nov 8:00"), "2026-11-25T08:00", "refused elsewhere");
        assert_eq!(reads("24 Nov 8:00"), "2027-11-24T08:00");
        assert_eq!(reads("1 Jan"), "2027-01-01T09:00");
    }

    #[test]
    fn a_text_that_needs_the_rules_of_a_zone_waits_for_them() {
        let typed =
            |text: &str, rules: Option<&ZoneWindow>| read(text, &field("2026-11-26T09:00", rules)).unwrap();
        assert_eq!(typed("in 2 hours", None), Typed { zone: None, times: None });
        assert_eq!(typed("tomorrow 9am tokyo", None).zone, Some("Asia/Tokyo"));
        assert_eq!(typed("tomorrow 9am tokyo", Some(&ZoneWindow::fixed("UTC", 0))).times, None);
        let tokyo = ZoneWindow::fixed("Asia/Tokyo", 9 * 3_600);
        let without_own = Field { own_rules: None, ..field("2026-11-26T09:00", Some(&tokyo)) };
        assert_eq!(
            read("tomorrow 9am tokyo", &without_own).unwrap().times,
            None,
            "whose tomorrow is not known"
        );
        let times = typed("in 2 hours tokyo", Some(&tokyo)).times.unwrap();
        assert_eq!(minute_text(times[0].local), "2026-11-25T23:00");
        let times = typed("2026-11-26 9:00 tokyo", None).times.unwrap();
        assert_eq!(minute_text(times[0].local), "2026-11-26T09:00");
    }

    #[test]
    fn tomorrow_elsewhere_may_be_the_one_here() {
        // 12:00 in UTC is 01:00 of the next day in Auckland.
        let (auckland, utc) =
            (ZoneWindow::fixed("Pacific/Auckland", 13 * 3_600), ZoneWindow::fixed("UTC", 0));
        let field = Field { own_rules: Some(&utc), ..field("2026-11-26T09:00", Some(&auckland)) };
        let times = |text: &str| read(text, &field).unwrap().times.unwrap().len();
        assert_eq!(times("tomorrow 9am auckland"), 2);
        assert_eq!(times("2026-11-28 9am auckland"), 1);
        assert_eq!(times("9am auckland"), 1, "the day is that of the field");
    }

    #[test]
    fn anything_else_is_no_time() {
        for typed in [
            "",
            " ",
            "9",
            "26",
            "Nov",
            "2026",
            "10:3",
            "25:00",
            "24:00",
            "09:60",
            "31 Nov",
            "26 11",
            "10:00 11:00",
            "28 Nov 29 Nov",
            "28 Nov Dec",
            "13pm",
            "0am",
            "1999-01-01",
            "2200-01-01",
            "2026-11-28 tomorrow",
            "日",
            "周",
            "<b>",
            "9:00pm am",
            "99999999999999999999:00",
            "some day",
            "christmas 9am",
            "reunion 9am",
            "28 nov tokyo",
        ] {
            assert_eq!(reads(typed), "", "{typed}");
        }
        assert_eq!(reads(&"9".repeat(300)), "");
        let rules = ZoneWindow::fixed("UTC", 0);
        assert!(read("28 Nov", &field("", Some(&rules))).is_err(), "no time");
        assert_eq!(read("10:30", &field("", None)).unwrap().times, None, "no day");
    }
}
