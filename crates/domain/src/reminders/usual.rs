//! Usual reminders of meetings, of a room or of a person: mails before the start.

use super::{Anchor, MAX_MINUTES_BEFORE, MeetingReminder, RemindBy};
use crate::{DomainError, error::ValidationError};

/// Maximum number of usual reminders.
pub const MAX_USUAL_REMINDERS: usize = 3;

/// Minutes before the start of a meeting, as an account stores them.
pub type UsualMinutes = [Option<i32>; MAX_USUAL_REMINDERS];

/// Refuses too many minutes, and those that are out of range.
pub fn check_usual_minutes(field: &str, all: &[i32]) -> Result<(), DomainError> {
    if all.len() > MAX_USUAL_REMINDERS {
        let max = u32::try_from(MAX_USUAL_REMINDERS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(field, ValidationError::TooMany { max }));
    }
    match all.iter().all(|minutes| (1..=MAX_MINUTES_BEFORE).contains(minutes)) {
        true => Ok(()),
        false => {
            let problem = ValidationError::NotBetween { min: 1, max: MAX_MINUTES_BEFORE };
            Err(DomainError::invalid(field, problem))
        }
    }
}

/// Returns minutes as an account stores them, if they are valid.
pub fn usual_minutes(field: &str, all: &[i32]) -> Result<UsualMinutes, DomainError> {
    check_usual_minutes(field, all)?;
    let mut found: UsualMinutes = [None; MAX_USUAL_REMINDERS];
    for (place, minutes) in found.iter_mut().zip(all) {
        *place = Some(*minutes);
    }
    Ok(found)
}

/// Reads minutes as they are typed, separated by commas.
pub fn typed_minutes(field: &str, typed: &str) -> Result<Vec<i32>, DomainError> {
    let parts = typed.split([',', '，', '、', ' ']).filter(|part| !part.is_empty());
    let found = parts.map(str::parse::<i32>).collect::<Result<Vec<i32>, _>>();
    let not_minutes = || ValidationError::NotBetween { min: 1, max: MAX_MINUTES_BEFORE };
    found.map_err(|_| DomainError::invalid(field, not_minutes()))
}

/// Returns minutes as a form shows them.
#[must_use]
pub fn minutes_text(all: &[i32]) -> String {
    all.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the reminders that these minutes mean: mails before the start.
#[must_use]
pub fn usual_reminders(all: &[i32]) -> Vec<MeetingReminder> {
    let one =
        |minutes: &i32| MeetingReminder { before: Anchor::Start, minutes: *minutes, by: RemindBy::Mail };
    all.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_read_as_typed_and_limited() {
        assert_eq!(typed_minutes("m", "10, 60，1440"), Ok(vec![10, 60, 1_440]));
        assert_eq!(typed_minutes("m", " "), Ok(Vec::new()));
        assert!(typed_minutes("m", "ten").is_err());
        assert_eq!(minutes_text(&[10, 60]), "10, 60");
        assert_eq!(usual_minutes("m", &[10, 60]), Ok([Some(10), Some(60), None]));
        assert!(usual_minutes("m", &[1, 2, 3, 4]).is_err() && usual_minutes("m", &[0]).is_err());
        assert_eq!(usual_reminders(&[10]).first().map(|one| one.minutes), Some(10));
    }
}
