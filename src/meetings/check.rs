//! Validates what users and programs enter about meetings and rooms.

use crate::{
    accounts::{checked_email, checked_name},
    text::input,
    zone::{self, Zone},
};
use domain::{
    DomainError, FieldProblems, Timestamp, When,
    channel::AddressError,
    error::ValidationError,
    meetings::{
        LocalSpan, MAX_ATTENDEES, MAX_BUFFER_MINUTES, MAX_CAPACITY, MAX_DEADLINE_MINUTES,
        MAX_DESCRIPTION_BYTES, MAX_EQUIPMENT, MAX_EQUIPMENT_CHARS, MAX_GRACE_MINUTES, MAX_LINK_BYTES,
        MAX_MEETING_MINUTES, MAX_OFFER_MINUTES, MAX_OPENING_HOURS, MAX_PLACE_CHARS, MAX_REASON_CHARS,
        MeetingTime, NewAttendee, OpeningHours, RoomPolicy, RoomSettings,
    },
    reminders::check_usual_minutes,
    text::find_forbidden_char,
};
use std::collections::BTreeMap;

/// Maximum length of a refused address in its refusal, in characters.
const MAX_SHOWN_CHARS: usize = 80;

/// Start and end of a meeting, resolved.
#[derive(Debug, Clone)]
pub struct Times {
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    /// As entered; `None`: exact instants.
    pub local: Option<LocalSpan>,
    /// Time zone that was named; `None`: none was.
    pub zone: Option<String>,
    /// Names of the fields of start and end.
    pub fields: (&'static str, &'static str),
}

/// Validates a title.
pub fn title(typed: &str) -> Result<String, DomainError> {
    input::title(typed).map_err(|problem| DomainError::invalid("title", problem))
}

/// Validates a description.
pub fn description(typed: &str) -> Result<String, DomainError> {
    let max = whole(MAX_DESCRIPTION_BYTES);
    if typed.len() > 2 * MAX_DESCRIPTION_BYTES {
        return Err(DomainError::invalid("description", ValidationError::TooLarge { max }));
    }
    let text = input::body(typed).map_err(|problem| DomainError::invalid("description", problem))?;
    if text.len() > MAX_DESCRIPTION_BYTES {
        return Err(DomainError::invalid("description", ValidationError::TooLarge { max }));
    }
    Ok(text)
}

/// Validates the address of an online meeting; empty: none.
pub fn link(typed: Option<String>) -> Result<Option<String>, DomainError> {
    let Some(link) = typed.map(|link| link.trim().to_owned()).filter(|link| !link.is_empty()) else {
        return Ok(None);
    };
    if link.len() > MAX_LINK_BYTES {
        return Err(DomainError::invalid("link", ValidationError::TooLarge { max: whole(MAX_LINK_BYTES) }));
    }
    let is_plain = link.chars().all(|letter| !letter.is_whitespace()) && find_forbidden_char(&link).is_none();
    let host = link.strip_prefix("https://").or_else(|| link.strip_prefix("http://"));
    match host.is_some_and(|host| host.starts_with(|first: char| first.is_alphanumeric() || first == '[')) {
        true if is_plain => Ok(Some(link)),
        _ => {
            let why = AddressError::Unreadable;
            Err(DomainError::invalid("link", ValidationError::Address { why }))
        }
    }
}

/// Validates a reason.
pub fn reason(typed: &str) -> Result<String, DomainError> {
    line("reason", typed, MAX_REASON_CHARS)
}

/// Validates attendees: addresses in lower case, each once, and names.
pub fn attendees(typed: Vec<NewAttendee>) -> Result<Vec<(String, String)>, DomainError> {
    if typed.len() > MAX_ATTENDEES {
        let max = whole(MAX_ATTENDEES);
        return Err(DomainError::invalid("attendees", ValidationError::TooMany { max }));
    }
    let mut all = BTreeMap::new();
    for one in typed {
        let email = checked_email(&one.email).map_err(|refusal| of_address(&one.email, refusal))?;
        let name = one.name.as_deref().unwrap_or_default().trim();
        let name = if name.is_empty() {
            String::new()
        } else {
            checked_name("attendees", name).map_err(|refusal| refusal.in_field("attendees"))?
        };
        all.entry(email).or_insert(name);
    }
    Ok(all.into_iter().collect())
}

/// Names the address that is refused: it is one of many.
fn of_address(typed: &str, refusal: DomainError) -> DomainError {
    match refusal {
        DomainError::Invalid { problem: ValidationError::Empty, .. } => {
            DomainError::invalid("attendees", ValidationError::Empty)
        }
        DomainError::Invalid { .. } => {
            let shown = typed.trim().chars().filter(|letter| !letter.is_control());
            let typed = shown.take(MAX_SHOWN_CHARS).collect();
            DomainError::invalid("attendees", ValidationError::BadAttendee { typed })
        }
        other => other,
    }
}

/// Resolves start and end.
pub fn times(time: MeetingTime) -> Result<Times, DomainError> {
    match time {
        MeetingTime::At { starts_at, ends_at, zone } => {
            let fields = ("starts_at", "ends_at");
            let at = |field, at| zone::resolve(&When::from(at)).map_err(|refusal| refusal.in_field(field));
            Ok(Times {
                starts_at: at(fields.0, starts_at)?,
                ends_at: at(fields.1, ends_at)?,
                local: None,
                zone: zone.as_deref().map(named_zone).transpose()?,
                fields,
            })
        }
        MeetingTime::Local { local_start, local_end, zone, disambiguation } => {
            let fields = ("local_start", "local_end");
            let zone = named_zone(&zone)?;
            let resolve = |field, local: &str| {
                let when = When::Local { local: local.to_owned(), zone: zone.clone(), disambiguation };
                zone::resolve(&when).map_err(|refusal| refusal.in_field(field))
            };
            let (starts_at, ends_at) = (resolve(fields.0, &local_start)?, resolve(fields.1, &local_end)?);
            let local = Some(LocalSpan { start: local_start, end: local_end, zone: zone.clone() });
            Ok(Times { starts_at, ends_at, local, zone: Some(zone), fields })
        }
    }
}

fn named_zone(typed: &str) -> Result<String, DomainError> {
    Ok(Zone::named(typed)?.name().to_owned())
}

/// Validates the settings of a room; reports all problems at once.
pub fn room(typed: RoomSettings) -> Result<RoomSettings, DomainError> {
    let mut problems = FieldProblems::default();
    let name = problems.take(checked_name("name", &typed.name))?;
    let place = problems.take(line("place", &typed.place, MAX_PLACE_CHARS))?;
    let equipment = problems.take(equipment(&typed.equipment))?;
    let zone = match &typed.zone {
        Some(zone) => problems.take(Zone::named(zone).map(|zone| zone.name().to_owned()))?,
        None => String::new(),
    };
    if let Some(capacity) = typed.capacity {
        problems.take(between("capacity", capacity, 1, MAX_CAPACITY))?;
    }
    policy(&mut problems, &typed.policy)?;
    problems.finish()?;
    let zone = Some(zone).filter(|zone| !zone.is_empty());
    Ok(RoomSettings { name, place, equipment, zone, ..typed })
}

fn policy(problems: &mut FieldProblems, policy: &RoomPolicy) -> Result<(), DomainError> {
    let deadline = policy.deadline;
    let mut minutes = |field: &str, value: Option<i32>, min: i32, max: i32| {
        value.map_or(Ok(()), |value| problems.take(between(field, value, min, max)))
    };
    minutes("buffer_minutes", Some(policy.buffer_minutes), 0, MAX_BUFFER_MINUTES)?;
    minutes("offer_minutes", Some(policy.offer_minutes), 1, MAX_OFFER_MINUTES)?;
    minutes("approval_deadline.after_minutes", deadline.after_minutes, 1, MAX_DEADLINE_MINUTES)?;
    minutes(
        "approval_deadline.before_start_minutes",
        deadline.before_start_minutes,
        0,
        MAX_DEADLINE_MINUTES,
    )?;
    if let Some(check_in) = policy.check_in {
        minutes("check_in.grace_minutes", Some(check_in.grace_minutes), 0, MAX_GRACE_MINUTES)?;
        let exempt = Some(check_in.exempt_over_minutes);
        minutes("check_in.exempt_over_minutes", exempt, 1, MAX_MEETING_MINUTES)?;
        let auto = Some(check_in.auto_if_booked_within_minutes);
        minutes("check_in.auto_if_booked_within_minutes", auto, 0, MAX_MEETING_MINUTES)?;
    }
    problems.take(check_usual_minutes("reminder_minutes", &policy.reminder_minutes))?;
    problems.take(opening_hours(&policy.opening_hours))
}

fn opening_hours(hours: &[OpeningHours]) -> Result<(), DomainError> {
    if hours.len() > MAX_OPENING_HOURS {
        let max = whole(MAX_OPENING_HOURS);
        return Err(DomainError::invalid("opening_hours", ValidationError::TooMany { max }));
    }
    match hours.iter().all(OpeningHours::is_valid) {
        true => Ok(()),
        false => Err(DomainError::invalid("opening_hours", ValidationError::NotOpeningHours)),
    }
}

fn equipment(typed: &[String]) -> Result<Vec<String>, DomainError> {
    if typed.len() > MAX_EQUIPMENT {
        let max = whole(MAX_EQUIPMENT);
        return Err(DomainError::invalid("equipment", ValidationError::TooMany { max }));
    }
    let mut all: Vec<String> = Vec::new();
    for one in typed {
        let one = line("equipment", one, MAX_EQUIPMENT_CHARS)?;
        if !one.is_empty() && !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

/// Validates a text on one line, trimmed; it may be empty.
fn line(field: &str, typed: &str, max: usize) -> Result<String, DomainError> {
    let text = typed.trim();
    if text.chars().count() > max {
        return Err(DomainError::invalid(field, ValidationError::TooLong { max: whole(max) }));
    }
    if find_forbidden_char(text).is_some() {
        return Err(DomainError::invalid(field, ValidationError::BadCharacters));
    }
    Ok(text.to_owned())
}

fn between(field: &str, value: i32, min: i32, max: i32) -> Result<(), DomainError> {
    match (min..=max).contains(&value) {
        true => Ok(()),
        false => Err(DomainError::invalid(field, ValidationError::NotBetween { min, max })),
    }
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
