//! Reminders of a meeting, as its organizer chooses them.

use super::Anchor;
use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of reminders of a meeting.
pub const MAX_MEETING_REMINDERS: usize = 10;
/// Maximum time before the start or end, in minutes: a year.
pub const MAX_MINUTES_BEFORE: i32 = 366 * 24 * 60;

string_enum! {
    /// How a reminder of a meeting is sent.
    RemindBy {
        /// A notification in the desk, for the organizer and the attendees who have an account and have not
        /// declined.
        Bell = "bell",
        /// A mail to the organizer and the attendees who have not declined.
        Mail = "mail",
        /// A short message to the recipients of the first SMS channel.
        Sms = "sms",
    }
}

/// A reminder of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MeetingReminder {
    /// Whether it counts from the start or from the end.
    pub before: Anchor,
    /// How long before, in minutes; 0: at that moment.
    pub minutes: i32,
    /// How it is sent.
    pub by: RemindBy,
}

impl MeetingReminder {
    /// Value of a form: `start.10.mail`.
    #[must_use]
    pub fn form_value(self) -> String {
        format!("{}.{}.{}", self.before, self.minutes, self.by)
    }

    /// Reads the value of a form; `None`: it is none.
    #[must_use]
    pub fn of_form_value(value: &str) -> Option<Self> {
        let mut parts = value.split('.');
        let before = parts.next()?.parse().ok()?;
        let minutes = parts.next()?.parse().ok()?;
        let by = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some(Self { before, minutes, by })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_value_is_read_back() {
        let one = MeetingReminder { before: Anchor::End, minutes: 15, by: RemindBy::Sms };
        assert_eq!(MeetingReminder::of_form_value(&one.form_value()), Some(one));
        for value in ["", "start", "start.x.mail", "start.10.mail.x", "middle.10.mail"] {
            assert_eq!(MeetingReminder::of_form_value(value), None, "{value}");
        }
    }
}
