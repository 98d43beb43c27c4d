//! Validates signals and rules.

use super::template;
use crate::{
    messages::{check as message, send_time},
    zone::Zone,
};
use domain::{
    DomainError, EmailAddress, Timestamp,
    error::ValidationError,
    input_limits::{
        MAX_BULK_ITEMS, MAX_EMAIL_BYTES, MAX_NAME_CHARS, MAX_SIGNAL_DATA_BYTES, MAX_SIGNAL_FIELDS,
    },
    message::MessageOptions,
    rule::{Action, MAX_CAP_DAYS, MAX_CAP_TIMES, RuleSettings, WaitTime},
    rules::hours,
    signal::{MAX_AHEAD_MS, NewSignal},
};
use serde_json::{Map, Value};

/// Maximum length of the name of a signal, in characters.
const MAX_SIGNAL_NAME_CHARS: usize = 100;
/// Maximum length of subject, key and id of a signal, in characters.
const MAX_SUBJECT_CHARS: usize = 200;
/// Maximum number of signals that close a wait.
const MAX_UNLESS: usize = 20;

/// Validates the number of signals of a request.
pub fn count(signals: usize) -> Result<(), DomainError> {
    match signals {
        0 => Err(DomainError::invalid("items", ValidationError::Empty)),
        n if n > MAX_BULK_ITEMS => {
            Err(DomainError::invalid("items", ValidationError::TooMany { max: whole(MAX_BULK_ITEMS) }))
        }
        _ => Ok(()),
    }
}

/// Validates a signal that arrives at `now`.
pub fn signal(new: &NewSignal, now: Timestamp) -> Result<(), DomainError> {
    signal_name("name", &new.name)?;
    text("subject", &new.subject, false)?;
    text("key", &new.key, true)?;
    if let Some(id) = &new.id {
        text("id", id, false)?;
    }
    if let Some(at) = new.at {
        if !at.is_valid_due_time() {
            return Err(DomainError::invalid("at", ValidationError::OutOfRange));
        }
        if at > now.plus(MAX_AHEAD_MS) {
            return Err(unreadable("at", "is more than 5 minutes ahead of the clock of this server"));
        }
    }
    data(&new.data)
}

/// Validates the name of a signal.
fn signal_name(field: &str, name: &str) -> Result<(), DomainError> {
    let is_allowed = |c: char| c.is_alphanumeric() || "._-:/".contains(c);
    let problem = match name {
        "" => ValidationError::Empty,
        _ if name.chars().count() > MAX_SIGNAL_NAME_CHARS => {
            ValidationError::TooLong { max: whole(MAX_SIGNAL_NAME_CHARS) }
        }
        _ if !name.chars().all(is_allowed) => ValidationError::BadCharacters,
        _ => return Ok(()),
    };
    Err(DomainError::invalid(field, problem))
}

fn text(field: &str, text: &str, may_be_empty: bool) -> Result<(), DomainError> {
    let problem = match text {
        "" if may_be_empty => return Ok(()),
        _ if text.trim().is_empty() => ValidationError::Empty,
        _ if text.chars().count() > MAX_SUBJECT_CHARS => {
            ValidationError::TooLong { max: whole(MAX_SUBJECT_CHARS) }
        }
        _ if text.chars().any(char::is_control) => ValidationError::BadCharacters,
        _ => return Ok(()),
    };
    Err(DomainError::invalid(field, problem))
}

fn data(data: &Map<String, Value>) -> Result<(), DomainError> {
    if data.len() > MAX_SIGNAL_FIELDS {
        return Err(DomainError::invalid("data", ValidationError::TooMany { max: whole(MAX_SIGNAL_FIELDS) }));
    }
    let mut bytes = 0;
    for (name, value) in data {
        let field = format!("data.{name}");
        bytes += name.len();
        match value {
            Value::Array(_) | Value::Object(_) => {
                return Err(unreadable(&field, "must be a text, a number, a boolean or null"));
            }
            Value::String(text) if text.contains('\0') => {
                return Err(DomainError::invalid(&field, ValidationError::BadCharacters));
            }
            Value::String(text) => bytes += text.len(),
            _ => bytes += 8,
        }
        if name.contains('\0') {
            return Err(DomainError::invalid("data", ValidationError::BadCharacters));
        }
    }
    if bytes > MAX_SIGNAL_DATA_BYTES {
        let max = whole(MAX_SIGNAL_DATA_BYTES);
        return Err(DomainError::invalid("data", ValidationError::TooLarge { max }));
    }
    Ok(())
}

/// Validates a rule, except for its channel.
pub fn rule(rule: &RuleSettings) -> Result<(), DomainError> {
    let name = rule.name.trim();
    if name.is_empty() {
        return Err(DomainError::invalid("name", ValidationError::Empty));
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(DomainError::invalid("name", ValidationError::TooLong { max: whole(MAX_NAME_CHARS) }));
    }
    if domain::text::find_forbidden_char(name).is_some() {
        return Err(DomainError::invalid("name", ValidationError::BadCharacters));
    }
    signal_name("after", &rule.after)?;
    if rule.unless.len() > MAX_UNLESS {
        return Err(DomainError::invalid("unless", ValidationError::TooMany { max: whole(MAX_UNLESS) }));
    }
    for name in &rule.unless {
        signal_name("unless", name)?;
        if *name == rule.after {
            return Err(unreadable(
                "unless",
                "contains the signal that opens the wait, so it would never act",
            ));
        }
    }
    if let Some(subject) = &rule.subject {
        text("subject", subject, false)?;
    }
    wait(&rule.wait)?;
    duration("grace", &rule.grace)?;
    limits(rule)?;
    action(rule)
}

fn wait(wait: &WaitTime) -> Result<(), DomainError> {
    match wait {
        WaitTime::After(after) => duration("wait", after),
        WaitTime::Before { before, field } => {
            duration("wait.before", before)?;
            text("wait.field", field, false)
        }
        WaitTime::WorkingDay { next_working_day } => {
            time_of_day("wait.next_working_day", next_working_day).map(drop)
        }
    }
}

/// Validates zone, quiet hours and cap.
fn limits(rule: &RuleSettings) -> Result<(), DomainError> {
    if let Some(zone) = &rule.zone {
        Zone::named(zone)?;
    }
    if let Some(field) = &rule.zone_field {
        text("zone_field", field, false)?;
    }
    if let Some(quiet) = &rule.quiet_hours {
        let from = time_of_day("quiet_hours.from", &quiet.from)?;
        if from == time_of_day("quiet_hours.to", &quiet.to)? {
            return Err(unreadable("quiet_hours.to", "must be another time than the begin"));
        }
    }
    let Some(cap) = rule.cap else { return Ok(()) };
    for (field, value, max) in [("cap.times", cap.times, MAX_CAP_TIMES), ("cap.days", cap.days, MAX_CAP_DAYS)]
    {
        if !(1..=max).contains(&value) {
            return Err(DomainError::invalid(field, ValidationError::NotBetween { min: 1, max }));
        }
    }
    Ok(())
}

fn time_of_day(field: &str, text: &str) -> Result<i32, DomainError> {
    let like = "22:00".to_owned();
    hours::minute_of_day(text).ok_or_else(|| DomainError::invalid(field, ValidationError::NotATime { like }))
}

fn duration(field: &str, text: &str) -> Result<(), DomainError> {
    let checked = send_time::after(Timestamp::EARLIEST, text);
    checked.map(drop).map_err(|problem| DomainError::invalid(field, problem))
}

fn action(rule: &RuleSettings) -> Result<(), DomainError> {
    let templated = |field: &str, text: &str| {
        template::check(text).map_err(|problem| DomainError::invalid(field, problem))
    };
    match &rule.action {
        Action::Message { body, headers, routing_key, .. } => {
            message::body("action.body", body)?;
            templated("action.body", body)?;
            if let Some(key) = routing_key {
                templated("action.routing_key", key)?;
            }
            for value in headers.values() {
                templated("action.headers", value)?;
            }
            let options = MessageOptions { headers: headers.clone(), ..MessageOptions::default() };
            message::headers(&options)
        }
        Action::Reminder { to, text, .. } => {
            if text.trim().is_empty() {
                return Err(DomainError::invalid("action.text", ValidationError::Empty));
            }
            message::body("action.text", text)?;
            templated("action.text", text)?;
            templated("action.to", to)?;
            if to.len() > MAX_EMAIL_BYTES || to.trim().is_empty() {
                return Err(DomainError::invalid("action.to", ValidationError::NotAnEmail));
            }
            let is_field = to.contains("{{");
            if is_field || is_address(to) {
                return Ok(());
            }
            Err(DomainError::invalid("action.to", ValidationError::NotAnEmail))
        }
        Action::Signal { name } => {
            signal_name("action.name", name)?;
            if *name == rule.after {
                return Err(unreadable(
                    "action.name",
                    "is the signal that opens the wait: the rule would start itself",
                ));
            }
            if rule.unless.contains(name) {
                return Err(unreadable(
                    "action.name",
                    "is a signal that closes the wait: the rule would close itself",
                ));
            }
            Ok(())
        }
    }
}

/// Whether a text is an e-mail address.
fn is_address(text: &str) -> bool {
    EmailAddress::parse(text).is_ok()
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Unreadable { why: why.to_owned() })
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
