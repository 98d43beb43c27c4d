//! Resolves the time of a reminder, and how it repeats from then on.

use crate::zone::{
    self, Zone,
    words::{ReadTime, Reader, only_moment},
};
use domain::{
    Actor, DomainError, Timestamp, When,
    account::Language,
    base::{
        local_time::{self, date_text, minute_text, shortest_text},
        when::{self, Question, Readings, problem::WhenProblem},
    },
    error::ValidationError,
    reminders::{LocalTimeInZone, Plan, ReminderTime, Repeats, SnoozeTime, TOMORROW_HOUR, decide},
    series::{NewSeries, RepeatWords, RuleFields, ZoneRules as _},
};
use jiff::civil::{self, DateTime};

/// Field of an instant, as errors name it.
const DUE_AT: &str = "due_at";
/// Field of words.
const TEXT: &str = "when";
/// Field of a rule.
const SERIES: &str = "series";
/// Time of day that completes a last date in words. It has no effect.
const NOON: &str = "12:00";

/// When a reminder is due, and how it repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedTime {
    /// The instant; of a series, that of its first occurrence.
    pub due_at: Timestamp,
    /// Local time as entered; `None`: an exact instant.
    pub local: Option<LocalTimeInZone>,
    /// How it repeats; `None`: it does not.
    pub repeats: Option<Repeats>,
}

impl ResolvedTime {
    /// The plan of a new reminder.
    pub fn scheduled(self) -> Plan {
        Plan { repeats: self.repeats, ..decide::scheduled(self.due_at, self.local) }
    }

    /// The plan of a reminder that a user moved.
    pub fn moved(self) -> Plan {
        Plan { repeats: self.repeats, ..decide::moved(self.due_at, self.local) }
    }
}

/// Returns the instant, the local time as entered, and how it repeats from then on: by `rule`, or as words
/// say. Refuses a time that has passed, is too far ahead, or has several readings.
pub fn resolve(
    time: &ReminderTime,
    rule: Option<RuleFields>,
    actor: &Actor,
    now: Timestamp,
) -> Result<ResolvedTime, DomainError> {
    if let ReminderTime::Words { text, zone } = time
        && let Some(words) = repeat_words(text)?
    {
        if rule.is_some() {
            let why = "send only one of series and words that repeat".to_owned();
            return Err(DomainError::invalid(SERIES, ValidationError::Sentence { why }));
        }
        return repeating(&words, reader(zone.as_deref(), actor, now)?).map_err(|no| no.in_field(TEXT));
    }
    let single = single(time, actor, now)?;
    let Some(rule) = rule else { return Ok(single) };
    let local = match single.local {
        Some(local) => local,
        None => local_at(single.due_at, &actor.zone)?,
    };
    let new = NewSeries { starts_local: local.local, zone: local.zone, rule };
    let first = series(new.clone(), now)?;
    if first.due_at >= single.due_at || new.rule.doubled_time.is_some() {
        return Ok(first);
    }
    // The local time occurs twice, and the second one was meant.
    let rule = RuleFields { doubled_time: Some("later".to_owned()), ..new.rule };
    series(NewSeries { rule, ..new }, now)
}

/// Reads words that repeat; `None`: they do not.
pub fn repeat_words(text: &str) -> Result<Option<RepeatWords>, DomainError> {
    if text.len() > when::MAX_BYTES {
        return Ok(None);
    }
    RepeatWords::read(text).map_err(|why| DomainError::invalid(TEXT, ValidationError::Series { why }))
}

/// Who reads words: in this zone, or in that of the user.
pub fn reader(zone: Option<&str>, actor: &Actor, now: Timestamp) -> Result<Reader, DomainError> {
    let zone = Zone::named(zone.unwrap_or(&actor.zone))?;
    Ok(Reader { now, zone, is_month_first: actor.language == Language::Zh })
}

/// Returns the first occurrence of a series in words.
pub fn repeating(words: &RepeatWords, reader: Reader) -> Result<ResolvedTime, DomainError> {
    let refuse = |why| DomainError::invalid(TEXT, ValidationError::When { why });
    if words.first.is_empty() {
        return Err(refuse(WhenProblem::NoTime));
    }
    if words.needs_day() && !when::parse(&words.first)?.has_day() {
        return Err(refuse(WhenProblem::NoRepeatDay));
    }
    let (zone, starts) = first_local(&words.first, reader)?;
    let mut rule = words.rule.clone();
    if let Some(until) = &words.until {
        rule.until = Some(last_date(until, Reader { zone, ..reader })?);
    }
    let new = NewSeries { starts_local: shortest_text(starts), zone: zone.name().to_owned(), rule };
    series(new, reader.now)
}

/// The local time at which the series may begin. That it occurs twice on that day is no question: the rule
/// says which of the two counts.
fn first_local(text: &str, reader: Reader) -> Result<(Zone, DateTime), DomainError> {
    let (zone, found) = moments(text, reader)?;
    if let (Some(Question::DoubledTime), Some(first)) = (found.question, found.all.first()) {
        return Ok((zone, first.local));
    }
    let (when, _) = only_moment(TEXT, text, zone, &found)?;
    let local = zone::typed(&when).and_then(|(local, _)| local_time::parse(&local).ok());
    let out_of_range = || DomainError::invalid(TEXT, ValidationError::OutOfRange);
    Ok((zone, local.ok_or_else(out_of_range)?))
}

/// The last date of a series in words.
fn last_date(text: &str, reader: Reader) -> Result<String, DomainError> {
    if let Some(date) = local_time::parse_date(text) {
        return Ok(date_text(date));
    }
    let (_, found) = moments(&format!("{text} {NOON}"), reader)?;
    match &found.all[..] {
        [only] => Ok(date_text(only.local.date())),
        all => {
            let locals = all.iter().map(|one| date_text(one.local.date())).collect();
            Err(DomainError::invalid(TEXT, ValidationError::When { why: WhenProblem::Several { locals } }))
        }
    }
}

fn moments(text: &str, reader: Reader) -> Result<(Zone, Readings), DomainError> {
    match reader.read(text)? {
        ReadTime::Moments(zone, found) => Ok((zone, found)),
        ReadTime::NextSlot => {
            let why = WhenProblem::NoSlots;
            Err(DomainError::invalid(TEXT, ValidationError::When { why }))
        }
    }
}

/// Returns the first occurrence of a series.
fn series(new: NewSeries, now: Timestamp) -> Result<ResolvedTime, DomainError> {
    let zone = Zone::named(&new.zone)?;
    let (repeats, first) = Repeats::start(new, &zone, now)?;
    let local = LocalTimeInZone { local: minute_text(first.original_local), zone: zone.name().to_owned() };
    Ok(ResolvedTime { due_at: first.at, local: Some(local), repeats: Some(repeats) })
}

/// Moves a series so that its coming occurrence is at another time.
pub fn moved_series(before: &Plan, to: ResolvedTime, now: Timestamp) -> Result<ResolvedTime, DomainError> {
    let (Some(repeats), Some(from)) = (&before.repeats, &before.local) else { return Ok(to) };
    let local = match to.local {
        Some(local) => local,
        None => local_at(to.due_at, &from.zone)?,
    };
    let read =
        |local: &str| local_time::parse(local).map_err(|problem| DomainError::invalid("local", problem));
    let Repeats { starts_local, rule } = repeats.moved(read(&from.local)?, read(&local.local)?)?;
    series(NewSeries { starts_local, zone: local.zone, rule }, now)
}

/// The local time of an instant, to the minute.
fn local_at(at: Timestamp, zone: &str) -> Result<LocalTimeInZone, DomainError> {
    let zone = Zone::stored(zone);
    let local = zone.local_at(at).ok_or_else(|| DomainError::invalid(DUE_AT, ValidationError::OutOfRange))?;
    Ok(LocalTimeInZone { local: shortest_text(local), zone: zone.name().to_owned() })
}

/// Returns a time that does not repeat.
fn single(time: &ReminderTime, actor: &Actor, now: Timestamp) -> Result<ResolvedTime, DomainError> {
    let (when, field) = match time {
        ReminderTime::At(when @ When::At { .. }) => (when.clone(), DUE_AT),
        ReminderTime::At(when) => (when.clone(), "local"),
        ReminderTime::Relative(_) => {
            let why = "is only for a new reminder".to_owned();
            return Err(DomainError::invalid("offset_minutes", ValidationError::Unreadable { why }));
        }
        ReminderTime::Words { text, zone } => (read(text, zone.as_deref(), actor, now)?, TEXT),
    };
    let due_at = zone::resolve(&when)?;
    decide::check_time(due_at, now, field)?;
    let local = zone::typed(&when).map(|(local, zone)| LocalTimeInZone { local, zone });
    Ok(ResolvedTime { due_at, local, repeats: None })
}

/// Reads words; several readings are refused with the readings.
fn read(text: &str, zone: Option<&str>, actor: &Actor, now: Timestamp) -> Result<When, DomainError> {
    let (zone, found) = moments(text, reader(zone, actor, now)?).map_err(|refusal| refusal.in_field(TEXT))?;
    Ok(only_moment(TEXT, text, zone, &found)?.0)
}

/// Returns until when a reminder is put off.
pub fn snoozed(time: SnoozeTime, actor: &Actor, now: Timestamp) -> Result<Timestamp, DomainError> {
    let max = domain::reminders::MAX_SNOOZE_MINUTES;
    match time {
        SnoozeTime::Minutes(minutes) if !(1..=max).contains(&minutes) => {
            Err(DomainError::invalid("minutes", ValidationError::NotBetween { min: 1, max }))
        }
        SnoozeTime::Minutes(minutes) => Ok(now.plus(i64::from(minutes) * 60_000)),
        SnoozeTime::Tomorrow => {
            let zone = Zone::stored(&actor.zone);
            let (year, month, day) = zone.day(now);
            let hour = i8::try_from(TOMORROW_HOUR).unwrap_or_default();
            let next = civil::Date::new(year, month, day).and_then(|day| day.tomorrow());
            let local = next.map(|day| day.at(hour, 0, 0, 0)).map(minute_text);
            let at = local.ok().and_then(|local| zone.meaning_of(&local)).map(zone::Meaning::first);
            at.ok_or_else(|| DomainError::invalid("minutes", ValidationError::OutOfRange))
        }
    }
}

/// Returns the first moment of the next day in the user's zone.
pub fn tomorrow(actor: &Actor, now: Timestamp) -> Timestamp {
    let zone = Zone::stored(&actor.zone);
    let (year, month, day) = zone.day(now);
    let date = format!("{year:04}-{month:02}-{day:02}");
    zone.day_bounds("from", &date).map_or(now, |(_, next)| next)
}
