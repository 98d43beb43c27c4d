//! RFC 5545 text of a rule: the lines `RRULE` and `EXDATE`. Only import and export use it.

use super::{
    Choices, Frequency, MonthDay, Nth, Omission, RuleEnd, RuleFields, Series, SeriesProblem, ShortMonth,
    Step, ZoneRules,
    fields::{WEEKDAYS, refuse},
    zone_rules::add_days,
};
use crate::{
    DomainError, Timestamp,
    base::local_time::{self, date_text, minute_text},
    error::ValidationError,
    time::Meaning,
};
use jiff::civil::{Date, DateTime, Weekday};
use std::fmt::Write as _;

/// Maximum length of a line that is read, in bytes.
const MAX_LINE_BYTES: usize = 20_000;
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

/// Reads the lines `RRULE` and `EXDATE` of a component that starts at `starts_local` in that zone.
/// What the rules of this product cannot express is refused, never approximated.
pub fn parse(
    lines: &[&str],
    starts_local: DateTime,
    zone_name: &str,
    zone: &dyn ZoneRules,
) -> Result<Series, DomainError> {
    let mut rule = None;
    let mut exceptions = Vec::new();
    for line in lines {
        if line.len() > MAX_LINE_BYTES {
            return Err(DomainError::invalid("rule", ValidationError::TooLarge { max: 20_000 }));
        }
        let (head, value) = line.trim().split_once(':').ok_or_else(|| unsupported(line))?;
        match head.split(';').next().unwrap_or_default().to_ascii_uppercase().as_str() {
            "RRULE" if rule.is_none() => rule = Some(value),
            "EXDATE" => exceptions.extend(value.split(',')),
            other => return Err(unsupported(other)),
        }
    }
    let rule = rule.ok_or_else(|| unsupported("a component without RRULE"))?;
    let mut fields =
        Reader { starts_local, zone, fields: RuleFields::default(), week_start: None, by_set: None }
            .read(rule)?;
    for text in exceptions {
        let date = exception(text, starts_local, zone).ok_or_else(|| unsupported(text))?;
        fields.exceptions.extend(date.map(date_text));
    }
    Series::read(&minute_text(starts_local), zone_name, fields)
}

/// The date of an exception; `Some(None)`: it excludes another time of day, so no occurrence.
fn exception(text: &str, starts_local: DateTime, zone: &dyn ZoneRules) -> Option<Option<Date>> {
    let (digits, is_utc) = text.trim().strip_suffix('Z').map_or((text.trim(), false), |rest| (rest, true));
    let Some((date, time)) = digits.split_once('T') else { return basic_date(digits).map(Some) };
    let mut local = basic_local(date, time)?;
    if is_utc {
        local = zone.local_at(utc(local))?;
    }
    Some((local.time() == starts_local.time()).then(|| local.date()))
}

fn basic_date(text: &str) -> Option<Date> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    local_time::parse_date(&format!("{year}-{month}-{day}"))
}

fn basic_local(date: &str, time: &str) -> Option<DateTime> {
    let (hour, rest) = time.split_at_checked(2)?;
    let (minute, second) = rest.split_at_checked(2)?;
    local_time::parse(&format!("{}T{hour}:{minute}:{second}", date_text(basic_date(date)?))).ok()
}

fn utc(local: DateTime) -> Timestamp {
    Timestamp::from_millis(super::zone_rules::local_seconds(local) * 1_000)
}

fn unsupported(part: &str) -> DomainError {
    let part = part.chars().take(40).collect();
    DomainError::invalid("rule", ValidationError::Series { why: SeriesProblem::Unsupported { part } })
}

/// Reads the parts of one `RRULE`.
struct Reader<'a> {
    starts_local: DateTime,
    zone: &'a dyn ZoneRules,
    fields: RuleFields,
    week_start: Option<&'a str>,
    by_set: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn read(mut self, text: &'a str) -> Result<RuleFields, DomainError> {
        let mut month_days: Option<&str> = None;
        for part in text.trim().split(';').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| unsupported(part))?;
            let time = self.starts_local.time();
            match name.to_ascii_uppercase().as_str() {
                "FREQ" => self.fields.frequency = frequency(value)?,
                "INTERVAL" => self.fields.interval = Some(number(part, value)?),
                "COUNT" => self.fields.count = Some(number(part, value)?),
                "UNTIL" => self.fields.until = Some(self.until(value).ok_or_else(|| unsupported(part))?),
                "BYDAY" => self.by_day(part, value)?,
                "BYMONTHDAY" => month_days = Some(value),
                "BYMONTH" => self.fields.month = Some(number(part, value)?),
                "BYSETPOS" => self.by_set = Some(value),
                "WKST" => self.week_start = Some(value),
                "BYHOUR" if number(part, value)? == i32::from(time.hour()) => {}
                "BYMINUTE" if number(part, value)? == i32::from(time.minute()) => {}
                "BYSECOND" if number(part, value)? == 0 => {}
                _ => return Err(unsupported(part)),
            }
        }
        if let Some(days) = month_days {
            self.month_days(days)?;
        }
        self.finish()
    }

    fn until(&self, value: &str) -> Option<String> {
        let Some((date, time)) = value.split_once('T') else { return basic_date(value).map(date_text) };
        let last = match time.strip_suffix('Z') {
            Some(time) => utc(basic_local(date, time)?),
            None => self.zone.meaning(basic_local(date, time)?)?.first(),
        };
        let local = self.zone.local_at(last)?;
        // The series takes place once a day: on the last date only if it is not after UNTIL.
        let on_last_date = local.date().to_datetime(self.starts_local.time());
        let is_after = self.zone.meaning(on_last_date)?.first() > last;
        add_days(local.date(), if is_after { -1 } else { 0 }).map(date_text)
    }

    fn by_day(&mut self, part: &str, value: &str) -> Result<(), DomainError> {
        let mut weekdays = Vec::new();
        for day in value.split(',').take(8) {
            let at = day.len().checked_sub(2).filter(|at| day.is_char_boundary(*at));
            let (nth, name) = day.split_at(at.ok_or_else(|| unsupported(part))?);
            let place = DAYS.iter().position(|known| known.eq_ignore_ascii_case(name));
            weekdays.push(WEEKDAYS[place.ok_or_else(|| unsupported(part))?].to_owned());
            if !nth.is_empty() {
                self.fields.nth = Some(number(part, nth)?);
            }
        }
        self.fields.weekdays = Some(weekdays);
        Ok(())
    }

    /// One day; or the days from 28 on of which the last counts: the last day of a short month.
    fn month_days(&mut self, value: &str) -> Result<(), DomainError> {
        let days = value.split(',').take(31).map(|day| number("BYMONTHDAY", day));
        let days = days.collect::<Result<Vec<i32>, _>>()?;
        self.fields.day = days.last().copied();
        if days.len() > 1 {
            let is_clamped = (28..).take(days.len()).eq(days.iter().copied());
            if !is_clamped || self.by_set.take() != Some("-1") {
                return Err(unsupported("BYMONTHDAY with several days"));
            }
            self.fields.short_month = Some(ShortMonth::LastDay.as_str().to_owned());
        }
        Ok(())
    }

    fn finish(mut self) -> Result<RuleFields, DomainError> {
        let is_weekly = self.fields.frequency == "weekly";
        // A daily rule on certain weekdays is a weekly one.
        if self.fields.frequency == "daily"
            && self.fields.weekdays.is_some()
            && self.fields.interval.unwrap_or(1) == 1
        {
            "weekly".clone_into(&mut self.fields.frequency);
        }
        self.by_set_of_weekdays();
        if self.by_set.is_some() {
            return Err(unsupported("BYSETPOS"));
        }
        let days = self.fields.weekdays.as_ref().map_or(1, Vec::len);
        let depends_on_week = is_weekly && self.fields.interval.unwrap_or(1) > 1 && days > 1;
        if depends_on_week && self.week_start.is_some_and(|day| !day.eq_ignore_ascii_case("MO")) {
            return Err(unsupported("weeks that do not begin on Monday"));
        }
        Ok(self.fields)
    }

    /// `BYDAY=TU;BYSETPOS=2` is `BYDAY=2TU`.
    fn by_set_of_weekdays(&mut self) {
        let is_one = self.fields.weekdays.as_ref().is_some_and(|days| days.len() == 1);
        let is_by_month = matches!(self.fields.frequency.as_str(), "monthly" | "yearly");
        if is_one && is_by_month && self.fields.nth.is_none() {
            self.fields.nth = self.by_set.take().and_then(|place| place.parse().ok());
        }
    }
}

fn frequency(value: &str) -> Result<String, DomainError> {
    match value.to_ascii_uppercase().as_str() {
        "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" => Ok(value.to_ascii_lowercase()),
        "HOURLY" | "MINUTELY" | "SECONDLY" => Err(refuse("frequency", SeriesProblem::TooOften)),
        other => Err(unsupported(other)),
    }
}

fn number(part: &str, value: &str) -> Result<i32, DomainError> {
    value.parse().map_err(|_| unsupported(part))
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
