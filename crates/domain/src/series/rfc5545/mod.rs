//! RFC 5545 text of a rule: the lines `RRULE` and `EXDATE`. Only import and export use it.

mod read;

pub use read::parse;

use super::{Choices, Frequency, MonthDay, Nth, Omission, RuleEnd, Series, ShortMonth, Step, ZoneRules};
use crate::{Timestamp, base::local_time, time::Meaning};
use jiff::civil::{Date, Weekday};
use std::fmt::Write as _;

/// Names of the weekdays, Monday first.
const DAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// Writes the lines `RRULE` and, if there are exceptions, `EXDATE`. Local times that do not exist
/// and are skipped are exceptions too: some programs move them instead of dropping them.
#[must_use]
pub fn print(series: &Series, zone: &dyn ZoneRules) -> Vec<String> {
    let rule = &series.rule;
    let mut line = format!("RRULE:FREQ={}", frequency_name(&rule.frequency));
    if rule.interval > 1 {
        let _ = write!(line, ";INTERVAL={}", rule.interval);
    }
    match &rule.frequency {
        Frequency::Daily => {}
        Frequency::Weekly(weekdays) => {
            let days: Vec<_> = weekdays.iter().map(|day| day_name(*day)).collect();
            let _ = write!(line, ";BYDAY={}", days.join(","));
        }
        Frequency::Monthly(on) => line.push_str(&month_day(*on, rule.choices.short_month)),
        Frequency::Yearly { month, on } => {
            let _ = write!(line, ";BYMONTH={month}{}", month_day(*on, rule.choices.short_month));
        }
    }
    match end(series, zone) {
        RuleEnd::Count(count) => {
            let _ = write!(line, ";COUNT={count}");
        }
        RuleEnd::Until(until) => {
            let last = until.at(23, 59, 59, 0);
            let at = zone.meaning(last).map_or(Timestamp::LATEST, Meaning::first);
            let _ = write!(line, ";UNTIL={}Z", basic(&at.to_string()));
        }
    }
    let exceptions: Vec<String> = series.steps(zone).filter_map(|step| excluded(series, step)).collect();
    let mut lines = vec![line];
    if !exceptions.is_empty() {
        lines.push(format!("EXDATE;TZID={}:{}", series.zone, exceptions.join(",")));
    }
    lines
}

/// The end to write. RFC 5545 does not count a local time that does not exist, so a rule with one
/// ends on its last date.
fn end(series: &Series, zone: &dyn ZoneRules) -> RuleEnd {
    let is_skipped = |date: Date| matches!(zone.meaning(series.local_on(date)), Some(Meaning::Never { .. }));
    match series.rule.end {
        RuleEnd::Count(_) if series.dates().any(is_skipped) => {
            series.dates().last().map_or(series.rule.end, RuleEnd::Until)
        }
        end => end,
    }
}

fn excluded(series: &Series, step: Step) -> Option<String> {
    let local = match step {
        Step::Omitted(Omission::Exception(date)) => series.local_on(date),
        Step::Omitted(Omission::SkippedTime(local)) => local,
        Step::Omitted(Omission::Month(_)) | Step::Occurrence(_) => return None,
    };
    Some(basic(&local_time::second_text(local)))
}

fn month_day(on: MonthDay, short_month: ShortMonth) -> String {
    match on {
        MonthDay::LastDay => ";BYMONTHDAY=-1".to_owned(),
        MonthDay::Day(day) if day > 28 && short_month == ShortMonth::LastDay => {
            let days: Vec<_> = (28..=day).map(|day| day.to_string()).collect();
            format!(";BYMONTHDAY={};BYSETPOS=-1", days.join(","))
        }
        MonthDay::Day(day) => format!(";BYMONTHDAY={day}"),
        MonthDay::Weekday(Nth::Last, weekday) => format!(";BYDAY=-1{}", day_name(weekday)),
        MonthDay::Weekday(Nth::FromStart(nth), weekday) => format!(";BYDAY={nth}{}", day_name(weekday)),
    }
}

fn frequency_name(frequency: &Frequency) -> &'static str {
    match frequency {
        Frequency::Daily => "DAILY",
        Frequency::Weekly(_) => "WEEKLY",
        Frequency::Monthly(_) => "MONTHLY",
        Frequency::Yearly { .. } => "YEARLY",
    }
}

fn day_name(weekday: Weekday) -> &'static str {
    usize::try_from(weekday.to_monday_zero_offset())
        .ok()
        .and_then(|day| DAYS.get(day))
        .copied()
        .unwrap_or("MO")
}

/// `2027-03-28T09:00:00.000Z` becomes `20270328T090000`.
fn basic(text: &str) -> String {
    text.chars().take(19).filter(|letter| !matches!(letter, '-' | ':')).collect()
}

/// Whether RFC 5545 text expresses the series exactly. It drops a local time that does not exist,
/// and takes the first of two; a series that does otherwise is written as single occurrences.
#[must_use]
pub fn is_exact(series: &Series, zone: &dyn ZoneRules) -> bool {
    let Choices { doubled_time, .. } = series.rule.choices;
    series.steps(zone).filter_map(Step::occurrence).all(|one| match one.mark {
        None => true,
        Some(super::OccurrenceMark::MovedByGap) => false,
        Some(_) => doubled_time == crate::time::Disambiguation::Earlier,
    })
}
