//! Resolves the time of a reminder.

use crate::zone::{
    self, Zone,
    words::{ReadTime, Reader, only_moment},
};
use domain::{
    Actor, DomainError, Timestamp, When,
    account::Language,
    base::when::problem::WhenProblem,
    error::ValidationError,
    reminders::{LocalTimeInZone, ReminderTime, SnoozeTime, TOMORROW_HOUR, decide},
};
use jiff::civil;

/// Field of an instant, as errors name it.
const DUE_AT: &str = "due_at";
/// Field of words.
const TEXT: &str = "when";

/// Returns the instant, and the local time as entered. Refuses a time that has passed, is too far
/// ahead, or has several readings.
pub fn resolve(
    time: &ReminderTime,
    actor: &Actor,
    now: Timestamp,
) -> Result<(Timestamp, Option<LocalTimeInZone>), DomainError> {
    let (when, field) = match time {
        ReminderTime::At(when @ When::At { .. }) => (when.clone(), DUE_AT),
        ReminderTime::At(when) => (when.clone(), "local"),
        ReminderTime::Relative(_) => {
            let why = "is only for a new reminder".to_owned();
            return Err(DomainError::invalid("offset_minutes", ValidationError::Unreadable { why }));
        }
        ReminderTime::Words { text, zone } => (read(text, zone.as_deref(), actor, now)?, TEXT),
    };
    let at = zone::resolve(&when)?;
    decide::check_time(at, now, field)?;
    Ok((at, zone::typed(&when).map(|(local, zone)| LocalTimeInZone { local, zone })))
}

/// Reads words; several readings are refused with the readings.
fn read(text: &str, zone: Option<&str>, actor: &Actor, now: Timestamp) -> Result<When, DomainError> {
    let own = Zone::named(zone.unwrap_or(&actor.zone))?;
    let reader = Reader { now, zone: own, is_month_first: actor.language == Language::Zh };
    match reader.read(text).map_err(|refusal| refusal.in_field(TEXT))? {
        ReadTime::Moments(zone, found) => Ok(only_moment(TEXT, text, zone, &found)?.0),
        ReadTime::NextSlot => {
            let why = WhenProblem::NoSlots;
            Err(DomainError::invalid(TEXT, ValidationError::When { why }))
        }
    }
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
            let local = next.map(|day| day.at(hour, 0, 0, 0)).map(domain::base::local_time::minute_text);
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
