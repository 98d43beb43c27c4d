//! What the fields of the form mean.

#[cfg(feature = "ssr")]
use crate::{
    server_fns::{ssr, time_of_form::TimeOfForm},
    ui::form::weekdays::WEEKDAYS,
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, Services, Timestamp,
    base::when::TypedWords,
    error::ValidationError,
    reminders::{NewReminder, ReminderTime, ReminderWords},
    series::{RepeatWords, RuleFields},
};

/// Value of the field `repeats` for a series whose rule stays.
pub const KEEP_RULE: &str = "keep";
/// Number of working days from Monday on.
#[cfg(feature = "ssr")]
const WORKING_DAYS: usize = 5;

/// Returns the time that the form means. Words that repeat are left to the reminder.
#[cfg(feature = "ssr")]
pub async fn time_named(
    services: &Services,
    actor: &Actor,
    time: TimeOfForm,
) -> Result<ReminderTime, DomainError> {
    match RepeatWords::read(&time.words) {
        Ok(None) => Ok(ReminderTime::At(ssr::time_of_form(services, actor, &time).await?)),
        Ok(Some(_)) => {
            let zone = Some(time.zone.trim().to_owned()).filter(|zone| !zone.is_empty());
            Ok(ReminderTime::Words { text: time.words, zone })
        }
        Err(why) => Err(DomainError::invalid("time", ValidationError::Series { why })),
    }
}

/// Returns the rule that a value of the field `repeats` means; `None`: none, or that of before.
#[cfg(feature = "ssr")]
#[must_use]
pub fn rule_named(word: &str) -> Option<RuleFields> {
    let rule = |frequency: &str| RuleFields { frequency: frequency.to_owned(), ..RuleFields::default() };
    match word {
        "" | KEEP_RULE => None,
        "weekdays" => {
            let days = WEEKDAYS.iter().take(WORKING_DAYS).map(|day| (*day).to_owned()).collect();
            Some(RuleFields { weekdays: Some(days), ..rule("weekly") })
        }
        // In a month without that day it is the last one.
        "monthly" | "yearly" => Some(RuleFields { short_month: Some("last_day".to_owned()), ..rule(word) }),
        _ => Some(rule(word)),
    }
}

/// Returns when a new reminder is sent first, and its rule; `None`: not known.
#[cfg(feature = "ssr")]
pub async fn first_of(
    services: &Services,
    actor: &Actor,
    new: &NewReminder,
) -> Result<Option<(Timestamp, Option<RuleFields>)>, DomainError> {
    match &new.time {
        ReminderTime::At(when) => {
            let at = services.tasks.resolve(actor, when).await?.at;
            Ok(Some((at, new.repeats.clone())))
        }
        ReminderTime::Words { text, zone } => {
            let words = TypedWords { text: text.clone(), zone: zone.clone(), ..TypedWords::default() };
            let ReminderWords { meaning, repeats } = services.reminders.read_words(actor, words).await?;
            Ok(meaning.only().map(|first| (first.moment.at, repeats)))
        }
        ReminderTime::Relative(_) => Ok(None),
    }
}

/// Whether a stored rule is the typed one, which may lack the days of its first time.
#[cfg(feature = "ssr")]
#[must_use]
pub fn is_same_rule(typed: Option<&RuleFields>, stored: Option<&RuleFields>) -> bool {
    let (Some(typed), Some(stored)) = (typed, stored) else { return typed.is_none() && stored.is_none() };
    let days = |rule: &RuleFields| rule.weekdays.as_ref().map_or(1, Vec::len);
    typed.frequency == stored.frequency
        && typed.interval.unwrap_or(1) == stored.interval.unwrap_or(1)
        && (&typed.until, typed.count) == (&stored.until, stored.count)
        && days(typed) == days(stored)
        && (typed.weekdays.is_none() || typed.weekdays == stored.weekdays)
}

/// The refusal of words or of a rule, about the time of the form.
#[cfg(feature = "ssr")]
#[must_use]
pub fn about_time(refusal: DomainError) -> DomainError {
    match refusal {
        DomainError::Invalid { field, problem } if field == "when" || field == "starts_local" => {
            DomainError::invalid("time", problem)
        }
        other => other,
    }
}
