//! Reads the value of `RRULE`. What the rules of this product cannot express is refused by name, never
//! approximated.

use super::{
    super::{
        RuleFields, Series, SeriesProblem, ShortMonth, ZoneRules,
        candidates::LAST_DATE,
        fields::{WEEKDAYS, refuse},
        zone_rules::{add_days, local_seconds},
    },
    DAYS,
};
use crate::{
    DomainError, Timestamp,
    base::local_time::{self, date_text, minute_text},
    error::ValidationError,
};
use jiff::civil::{Date, DateTime};

/// Maximum length of a rule, in bytes.
const MAX_RULE_BYTES: usize = 2_000;
/// Maximum number of values of a part.
const MAX_VALUES: usize = 31;

/// Reads the value of `RRULE` of an event that starts at `starts_local` in that zone. A rule without an
/// end has its last occurrence in the year 2199.
pub fn parse(
    rule: &str,
    starts_local: DateTime,
    (zone_name, zone): (&str, &dyn ZoneRules),
) -> Result<Series, DomainError> {
    if rule.len() > MAX_RULE_BYTES {
        return Err(DomainError::invalid("rule", ValidationError::TooLarge { max: 2_000 }));
    }
    if starts_local.second() != 0 {
        let why = SeriesProblem::NotAMinute;
        return Err(DomainError::invalid("starts_local", ValidationError::Series { why }));
    }
    let parts = Parts::read(rule)?;
    let mut fields = parts.days(starts_local.date())?;
    fields.interval = Some(parts.interval);
    fields.count = parts.count;
    fields.until = match parts.until {
        Some(until) => Some(last_date(until, starts_local, zone).ok_or_else(|| unsupported(until))?),
        None if parts.count.is_none() => Some(date_text(LAST_DATE)),
        None => None,
    };
    parts.check_times(starts_local)?;
    Series::read(&minute_text(starts_local), zone_name, fields)
}

fn unsupported(part: &str) -> DomainError {
    let part = part.chars().take(40).collect();
    DomainError::invalid("rule", ValidationError::Series { why: SeriesProblem::Unsupported { part } })
}

/// The last date on which a series takes place, which takes place once a day: the date of `UNTIL` unless
/// that is before the time of day.
fn last_date(until: &str, starts_local: DateTime, zone: &dyn ZoneRules) -> Option<String> {
    let Some((date, time)) = until.split_once('T') else { return basic_date(until).map(date_text) };
    let last = match time.strip_suffix('Z') {
        Some(time) => Timestamp::from_millis(local_seconds(basic_local(date, time)?) * 1_000),
        None => zone.meaning(basic_local(date, time)?)?.first(),
    };
    let local = zone.local_at(last)?;
    let on_last_date = local.date().to_datetime(starts_local.time());
    let is_after = zone.meaning(on_last_date)?.first() > last;
    add_days(local.date(), if is_after { -1 } else { 0 }).map(date_text)
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

/// The parts of a rule.
#[derive(Default)]
struct Parts<'a> {
    frequency: String,
    interval: i32,
    count: Option<i32>,
    until: Option<&'a str>,
    /// `BYDAY`: place in the month or year, if it has one, and place in the week, from Monday.
    weekdays: Vec<(Option<i32>, usize)>,
    month_days: Vec<i32>,
    months: Vec<i32>,
    /// `BYSETPOS`.
    place: Option<&'a str>,
    /// Place in the week of `WKST`, from Monday.
    week_start: usize,
    /// `BYHOUR`, `BYMINUTE` and `BYSECOND`.
    times: Vec<(&'a str, i32)>,
    /// Names that were read, in upper case.
    names: Vec<String>,
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Result<Self, DomainError> {
        let mut parts = Self { interval: 1, ..Self::default() };
        for part in text.trim().split(';').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| unsupported(part))?;
            let name = name.trim().to_ascii_uppercase();
            if parts.names.contains(&name) {
                return Err(unsupported(&format!("{name} twice")));
            }
            match name.as_str() {
                "FREQ" => parts.frequency = frequency(value)?,
                "INTERVAL" => parts.interval = number(part, value)?,
                "COUNT" => parts.count = Some(number(part, value)?),
                "UNTIL" => parts.until = Some(value.trim()),
                "BYDAY" => parts.weekdays = values(part, value, weekday)?,
                "BYMONTHDAY" => parts.month_days = values(part, value, |day| day.parse().ok())?,
                "BYMONTH" => parts.months = values(part, value, |month| month.parse().ok())?,
                "BYSETPOS" => parts.place = Some(value.trim()),
                "WKST" => {
                    let (nth, day) = weekday(value).ok_or_else(|| unsupported(part))?;
                    if nth.is_some() {
                        return Err(unsupported(part));
                    }
                    parts.week_start = day;
                }
                "BYHOUR" | "BYMINUTE" | "BYSECOND" => parts.times.push((part, number(part, value)?)),
                _ => return Err(unsupported(part)),
            }
            parts.names.push(name);
        }
        if parts.names.iter().all(|name| name != "FREQ") {
            return Err(unsupported("a rule without FREQ"));
        }
        Ok(parts)
    }

    /// A series has the time of its start.
    fn check_times(&self, start: DateTime) -> Result<(), DomainError> {
        for (part, value) in &self.times {
            let own = match part.as_bytes().get(2).map(u8::to_ascii_uppercase) {
                Some(b'H') => start.hour(),
                Some(b'M') => start.minute(),
                _ => start.second(),
            };
            if *value != i32::from(own) {
                return Err(unsupported(part));
            }
        }
        Ok(())
    }

    /// The days of the rule.
    fn days(&self, start: Date) -> Result<RuleFields, DomainError> {
        let fields = match self.frequency.as_str() {
            "daily" => self.daily()?,
            "weekly" => self.weekly(start)?,
            "monthly" => self.monthly()?,
            _ => self.yearly()?,
        };
        // The places of a month's days are in `month_day`.
        if self.place.is_some() && fields.nth.is_none() && fields.short_month.is_none() {
            return Err(unsupported("BYSETPOS"));
        }
        Ok(fields)
    }

    fn daily(&self) -> Result<RuleFields, DomainError> {
        self.check_unused(&["BYMONTH", "BYMONTHDAY"])?;
        match (self.weekdays.is_empty(), self.interval) {
            (true, _) => Ok(self.fields("daily")),
            (false, 1) => self.every_week(),
            (false, _) => Err(unsupported("BYDAY with every few days")),
        }
    }

    fn weekly(&self, start: Date) -> Result<RuleFields, DomainError> {
        self.check_unused(&["BYMONTH", "BYMONTHDAY"])?;
        if self.weekdays.is_empty() {
            return Ok(self.fields("weekly"));
        }
        // Weeks begin on Monday here. With an interval, all days must lie in the same weeks.
        let start = usize::try_from(start.weekday().to_monday_zero_offset()).unwrap_or_default();
        let week = |day: usize| (day + 7 - self.week_start) % 7 >= (start + 7 - self.week_start) % 7;
        let is_same = self.weekdays.iter().all(|(_, day)| week(*day) == (*day >= start));
        if self.interval > 1 && !is_same {
            return Err(unsupported("weeks that do not begin on Monday"));
        }
        self.every_week()
    }

    /// Each of these weekdays.
    fn every_week(&self) -> Result<RuleFields, DomainError> {
        if self.weekdays.iter().any(|(nth, _)| nth.is_some()) {
            return Err(unsupported("BYDAY with a place in a week"));
        }
        Ok(RuleFields { weekdays: Some(self.weekday_words()), ..self.fields("weekly") })
    }

    fn monthly(&self) -> Result<RuleFields, DomainError> {
        match self.months[..] {
            [] => self.month_day("monthly"),
            // Every month that is in this month.
            [month] if self.interval == 1 => {
                Ok(RuleFields { month: Some(month), ..self.month_day("yearly")? })
            }
            _ => Err(unsupported("BYMONTH in a monthly rule")),
        }
    }

    fn yearly(&self) -> Result<RuleFields, DomainError> {
        match self.months[..] {
            [month] => Ok(RuleFields { month: Some(month), ..self.month_day("yearly")? }),
            [] if self.weekdays.is_empty() && self.month_days.is_empty() => Ok(self.fields("yearly")),
            [] if self.weekdays.is_empty() => match (self.interval, self.place) {
                // A day of each month of each year.
                (1, None) => self.month_day("monthly"),
                _ => Err(unsupported("BYMONTHDAY without BYMONTH")),
            },
            [] => self.weekdays_of_year(),
            _ => Err(unsupported("BYMONTH with several months")),
        }
    }

    /// Weekdays of a year, counted in the year.
    fn weekdays_of_year(&self) -> Result<RuleFields, DomainError> {
        self.check_unused(&["BYMONTHDAY"])?;
        if self.place.is_none() && self.interval == 1 && self.weekdays.iter().all(|(nth, _)| nth.is_none()) {
            return self.every_week();
        }
        let fields = self.month_day("yearly")?;
        // The first four are in January, the last one in December.
        let month = match fields.nth {
            Some(1..=4) => 1,
            Some(-1) => 12,
            _ => return Err(unsupported("BYDAY with a place in the year")),
        };
        Ok(RuleFields { month: Some(month), ..fields })
    }

    /// A day of a month: by number, by weekday, or that of the start.
    fn month_day(&self, frequency: &str) -> Result<RuleFields, DomainError> {
        let fields = self.fields(frequency);
        match (&self.month_days[..], &self.weekdays[..]) {
            ([], []) => Ok(fields),
            ([day], []) => Ok(RuleFields { day: Some(*day), ..fields }),
            // The days from 28 on of which the last counts: the last day of a short month.
            (days, []) => {
                let is_clamped = (28..).take(days.len()).eq(days.iter().copied()) && self.place == Some("-1");
                if !is_clamped {
                    return Err(unsupported("BYMONTHDAY with several days"));
                }
                let short_month = Some(ShortMonth::LastDay.as_str().to_owned());
                Ok(RuleFields { day: days.last().copied(), short_month, ..fields })
            }
            ([], [(nth, _)]) => {
                // `BYDAY=TU;BYSETPOS=2` is `BYDAY=2TU`.
                let place = self.place.map(|place| number("BYSETPOS", place)).transpose()?;
                let nth = match (nth, place) {
                    (Some(nth), None) => *nth,
                    (None, Some(place)) => place,
                    (Some(_), Some(_)) => return Err(unsupported("BYSETPOS")),
                    (None, None) if frequency == "monthly" && self.interval == 1 => return self.every_week(),
                    (None, None) => return Err(unsupported("BYDAY without a place in the month")),
                };
                Ok(RuleFields { nth: Some(nth), weekdays: Some(self.weekday_words()), ..fields })
            }
            ([], days) => {
                let is_plain = self.place.is_none() && days.iter().all(|(nth, _)| nth.is_none());
                match frequency == "monthly" && self.interval == 1 && is_plain {
                    true => self.every_week(),
                    false if self.place.is_some() => Err(unsupported("BYSETPOS")),
                    false => Err(unsupported("BYDAY with several days of a month")),
                }
            }
            _ => Err(unsupported("BYDAY with BYMONTHDAY")),
        }
    }

    fn weekday_words(&self) -> Vec<String> {
        let mut days: Vec<usize> = self.weekdays.iter().map(|(_, day)| *day).collect();
        days.sort_unstable();
        days.dedup();
        days.into_iter().filter_map(|day| WEEKDAYS.get(day)).map(|word| (*word).to_owned()).collect()
    }

    fn fields(&self, frequency: &str) -> RuleFields {
        RuleFields { frequency: frequency.to_owned(), ..RuleFields::default() }
    }

    fn check_unused(&self, names: &[&str]) -> Result<(), DomainError> {
        match self.names.iter().find(|name| names.contains(&name.as_str())) {
            Some(name) => Err(unsupported(&format!("{name} in a {} rule", self.frequency))),
            None => Ok(()),
        }
    }
}

fn frequency(value: &str) -> Result<String, DomainError> {
    match value.trim().to_ascii_uppercase().as_str() {
        "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" => Ok(value.trim().to_ascii_lowercase()),
        "HOURLY" | "MINUTELY" | "SECONDLY" => Err(refuse("frequency", SeriesProblem::TooOften)),
        other => Err(unsupported(other)),
    }
}

/// Reads the values of a part.
fn values<T>(part: &str, value: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, DomainError> {
    let all = value.split(',').take(MAX_VALUES + 1).map(|one| read(one.trim()));
    let all: Option<Vec<T>> = all.collect();
    all.filter(|all| all.len() <= MAX_VALUES).ok_or_else(|| unsupported(part))
}

/// `TU`, `2TU` or `-1TU`: place in the month or year, and place in the week.
fn weekday(text: &str) -> Option<(Option<i32>, usize)> {
    let text = text.trim();
    let (nth, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let day = DAYS.iter().position(|known| known.eq_ignore_ascii_case(name))?;
    let nth = if nth.is_empty() { None } else { Some(nth.parse().ok()?) };
    Some((nth, day))
}

fn number(part: &str, value: &str) -> Result<i32, DomainError> {
    value.trim().parse().map_err(|_| unsupported(part))
}
