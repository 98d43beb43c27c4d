//! What an account is notified of besides reminders, and how.

use super::{MAX_USUAL_REMINDERS, UsualMinutes};
use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Minutes of a day.
const DAY_MINUTES: u16 = 24 * 60;

string_enum! {
    /// Something an account is notified of.
    NotificationEvent {
        /// A task has published or unpublished an article of the account.
        WentOut = "went_out",
        /// A task for something that belongs to the account has failed.
        Failed = "failed",
        /// A task for something that belongs to the account has missed its time.
        Missed = "missed",
        /// A text or a meeting waits for the approval of the account.
        Approval = "approval",
        /// A text or a meeting of the account was approved, rejected, cancelled or released, not by the account itself.
        Decided = "decided",
        /// Another account has changed, moved, cancelled, deleted or handed over something of the account.
        Changed = "changed",
        /// An article of the account is unpublished within 24 hours.
        ExpiresSoon = "expires_soon",
        /// Someone has logged in to the account in a new browser, or changed its password or made a token.
        Access = "access",
    }
}

string_enum! {
    /// When a notification is mailed.
    MailTime {
        /// Not at all.
        Off = "off",
        /// At once, or at the end of the quiet hours.
        Now = "now",
        /// In one mail a day, if it is still unread.
        Daily = "daily",
    }
}

/// How an account is notified of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationChoice {
    /// In the list of notifications.
    pub bell: bool,
    /// By mail.
    pub mail: MailTime,
    /// On the devices of the account, outside of the quiet hours.
    pub push: bool,
}

impl NotificationChoice {
    /// Whether the account hears of it at all.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.bell || self.push || !matches!(self.mail, MailTime::Off)
    }
}

/// Hours without mails and without messages on devices, in the time zone of the account. Minutes from midnight; they may
/// span midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// First minute.
    pub from: u16,
    /// First minute after them; differs from `from`.
    pub until: u16,
}

impl QuietHours {
    /// Whether this minute of the day is one of them.
    #[must_use]
    pub const fn contains(self, minute: u16) -> bool {
        if self.from < self.until {
            self.from <= minute && minute < self.until
        } else {
            self.from <= minute || minute < self.until
        }
    }
}

/// What an account is notified of, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotificationChoices {
    /// See [`NotificationEvent::WentOut`].
    pub went_out: NotificationChoice,
    /// See [`NotificationEvent::Failed`].
    pub failed: NotificationChoice,
    /// See [`NotificationEvent::Missed`].
    pub missed: NotificationChoice,
    /// See [`NotificationEvent::Approval`].
    pub approval: NotificationChoice,
    /// See [`NotificationEvent::Decided`].
    pub decided: NotificationChoice,
    /// See [`NotificationEvent::Changed`].
    pub changed: NotificationChoice,
    /// See [`NotificationEvent::ExpiresSoon`].
    pub expires_soon: NotificationChoice,
    /// See [`NotificationEvent::Access`].
    pub access: NotificationChoice,
    /// `None`: no quiet hours.
    pub quiet: Option<QuietHours>,
    /// When the daily mail is sent, in minutes from midnight in the time zone of the account.
    pub daily_at: u16,
    /// When the account and its attendees are reminded of a meeting that it makes without choosing reminders, in
    /// minutes before the start, if its room has no usual reminders.
    pub meeting_minutes: UsualMinutes,
}

impl Default for NotificationChoices {
    fn default() -> Self {
        let with = |mail| NotificationChoice { bell: true, mail, push: true };
        Self {
            went_out: with(MailTime::Off),
            failed: with(MailTime::Now),
            missed: with(MailTime::Now),
            approval: with(MailTime::Daily),
            decided: with(MailTime::Daily),
            changed: with(MailTime::Now),
            expires_soon: with(MailTime::Off),
            access: with(MailTime::Now),
            quiet: None,
            daily_at: 8 * 60,
            meeting_minutes: [None; MAX_USUAL_REMINDERS],
        }
    }
}

impl NotificationChoices {
    /// Reads what is stored; the defaults if nothing is, or if it cannot be read.
    #[must_use]
    pub fn stored(text: Option<&str>) -> Self {
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// How the account is notified of an event.
    #[must_use]
    pub const fn of(&self, event: NotificationEvent) -> NotificationChoice {
        match event {
            NotificationEvent::WentOut => self.went_out,
            NotificationEvent::Failed => self.failed,
            NotificationEvent::Missed => self.missed,
            NotificationEvent::Approval => self.approval,
            NotificationEvent::Decided => self.decided,
            NotificationEvent::Changed => self.changed,
            NotificationEvent::ExpiresSoon => self.expires_soon,
            NotificationEvent::Access => self.access,
        }
    }

    /// Minutes before the start of a meeting, without the empty ones.
    #[must_use]
    pub fn usual_minutes(&self) -> Vec<i32> {
        self.meeting_minutes.into_iter().flatten().collect()
    }

    /// Whether the times are minutes of a day, and the quiet hours neither empty nor the whole day.
    #[must_use]
    pub fn has_valid_times(&self) -> bool {
        let is_minute = |minute: u16| minute < DAY_MINUTES;
        is_minute(self.daily_at)
            && self
                .quiet
                .is_none_or(|QuietHours { from, until }| is_minute(from) && is_minute(until) && from != until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_may_span_midnight() {
        let night = QuietHours { from: 22 * 60, until: 7 * 60 };
        for (minute, is_quiet) in
            [(22 * 60, true), (1_439, true), (0, true), (419, true), (420, false), (1_319, false)]
        {
            assert_eq!(night.contains(minute), is_quiet, "{minute}");
        }
        let noon = QuietHours { from: 720, until: 780 };
        assert!(noon.contains(720) && !noon.contains(780) && !noon.contains(0));
    }

    #[test]
    fn what_is_not_stored_has_its_default() {
        let stored = r#"{"failed": {"bell": false, "mail": "off", "push": false}, "daily_at": 60}"#;
        let choices = NotificationChoices::stored(Some(stored));
        assert!(!choices.of(NotificationEvent::Failed).is_on());
        assert_eq!(choices.missed, NotificationChoices::default().missed);
        assert_eq!((choices.daily_at, choices.quiet), (60, None));
        assert_eq!(NotificationChoices::stored(Some("{")), NotificationChoices::default());
        assert_eq!(NotificationChoices::stored(None), NotificationChoices::default());
    }
}
