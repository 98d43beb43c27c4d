//! Rules, as admins write them.

use super::hours::QuietHours;
use crate::{
    AccountId, ChannelId, LocalizedTime, RuleId, Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Grace of a rule that says nothing else, as a duration by ISO 8601: an hour.
pub const DEFAULT_GRACE: &str = "PT1H";

/// Maximum number of rules of a desk.
pub const MAX_RULES: usize = 1_000;

/// Maximum number of times of a cap.
pub const MAX_CAP_TIMES: i32 = 1_000;
/// Maximum number of days of a cap.
pub const MAX_CAP_DAYS: i32 = 365;

string_enum! {
    /// Whether a rule opens waits.
    RuleState {
        /// It does.
        Active = "active",
        /// Paused by an admin: it opens none, and those that are open wait until it is resumed.
        Paused = "paused",
        /// Deleted: it opens none, and those that are open go on.
        Deleted = "deleted",
    }
}

string_enum! {
    /// What a repeated opening signal does while a wait of the same subject and key is open.
    Repeat {
        /// The wait starts again from the newest signal.
        Restart = "restart",
        /// Nothing: the first signal counts.
        Ignore = "ignore",
        /// It opens another wait.
        Another = "another",
    }
}

/// A rule: after a signal, wait, then act, unless one of these signals came first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSettings {
    /// Display name.
    pub name: String,
    /// Name of the signal that opens a wait.
    pub after: String,
    /// Names of the signals that close it.
    pub unless: Vec<String>,
    /// How long it waits.
    pub wait: WaitTime,
    /// Only these subjects: one, or all that begin with the text before a `*` at its end. `None`:
    /// all.
    pub subject: Option<String>,
    /// What a repeated opening signal does.
    pub repeat: Repeat,
    /// How late it may still act, a duration by ISO 8601.
    pub grace: String,
    /// Zone of its times of a day. `None`: it has none, or they are in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Field of the data with the zone of the subject, which counts instead of that of the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone_field: Option<String>,
    /// When it does not act: a wait ends outside these hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<QuietHours>,
    /// How often it acts for one subject; `None`: always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cap>,
    /// What it does.
    pub action: Action,
}

impl RuleSettings {
    /// Whether it has times of a day.
    #[must_use]
    pub const fn needs_zone(&self) -> bool {
        self.quiet_hours.is_some() || matches!(self.wait, WaitTime::WorkingDay { .. })
    }

    /// Whether a signal about this subject opens a wait.
    #[must_use]
    pub fn is_about(&self, subject: &str) -> bool {
        match self.subject.as_deref().map(|pattern| (pattern, pattern.strip_suffix('*'))) {
            None => true,
            Some((_, Some(prefix))) => subject.starts_with(prefix),
            Some((exact, None)) => subject == exact,
        }
    }
}

/// How long a rule waits. Durations are by ISO 8601; times of a day are in the zone of the rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "must be a duration like PT30M, {\"before\": …, \"field\": …}, or {\"next_working_day\": …}"
)]
pub enum WaitTime {
    /// This long after the moment of the signal.
    After(String),
    /// This long before a moment in the data of the signal.
    Before {
        /// The duration.
        before: String,
        /// The field, an instant by RFC 3339.
        field: String,
    },
    /// Until a time of the next day from Monday to Friday.
    WorkingDay {
        /// The time, `HH:MM`.
        next_working_day: String,
    },
}

/// How often a rule acts for one subject: after that it does nothing for it until the days are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    /// Maximum number of times.
    pub times: i32,
    /// In this number of days.
    pub days: i32,
}

/// What a rule does. Texts are templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Sends a message through a channel.
    Message {
        /// The channel.
        channel_id: ChannelId,
        /// The message.
        body: String,
        /// Headers of its own.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
        /// AMQP: routing key; `None`: that of the channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        routing_key: Option<String>,
        /// AMQP: exchange; `None`: that of the channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exchange: Option<String>,
    },
    /// Mails a text to an address.
    Reminder {
        /// The address, usually a field of the data.
        to: String,
        /// The text; its first line is the subject.
        text: String,
        /// The mail channel; `None`: the first active one by name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        channel_id: Option<ChannelId>,
    },
    /// Emits another signal about the same subject and key.
    Signal {
        /// Its name.
        name: String,
    },
}

/// A rule with what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Id.
    pub id: RuleId,
    /// What an admin wrote.
    pub settings: RuleSettings,
    /// Whether it opens waits.
    pub state: RuleState,
    /// Increases with every change.
    pub version: Version,
    /// Account that created it or took it over.
    pub owner_id: AccountId,
    /// Name of that account.
    pub owner: String,
    /// Whether that account is disabled: it opens no waits, and those that are open wait until the
    /// account is enabled or another admin takes the rule over.
    pub is_held: bool,
    /// When it was last changed.
    pub changed: LocalizedTime,
    /// Number of waits that are open, counted up to [`crate::engine::MAX_COUNTED`].
    pub waiting: u64,
    /// What it did today.
    pub today: RuleActivity,
    /// Why it could not act the last time it failed; `None`: it did not fail recently.
    pub last_error: Option<RuleError>,
}

/// What a rule did since midnight in the time zone of the user, each counted up to
/// [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleActivity {
    /// Number of times it acted.
    pub acted: u64,
    /// Number of waits that a signal closed.
    pub closed: u64,
}

/// Why a rule could not act.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleError {
    /// A code, see [`crate::task::reason`]; `None`: no reason is known.
    pub reason: Option<String>,
    /// When it was to act.
    pub due: LocalizedTime,
}

string_enum! {
    /// What becomes of those that wait when a rule is changed or deleted.
    Waiting {
        /// They keep their moments.
        Keep = "keep",
        /// They count from their signal by the new settings.
        Recount = "recount",
        /// They are cancelled.
        Cancel = "cancel",
    }
}

/// What a rule would have done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DryRun {
    /// Number of signals that were read.
    pub signals: u64,
    /// Number of times it would have acted.
    pub would_send: u64,
    /// Number of times it could not have acted: its templates lack a field or have no valid result, nothing
    /// could send it, or it would have continued a loop of rules.
    pub would_fail: u64,
    /// Number of waits that another signal would have closed.
    pub would_close: u64,
    /// Number of waits that would be open now.
    pub would_wait: u64,
    /// When it would have acted, and for whom: the first 1,000.
    pub items: Vec<DryRunItem>,
}

/// One time at which a rule would have acted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DryRunItem {
    /// Whom or what it is about.
    pub subject: String,
    /// Part of the subject.
    pub key: String,
    /// When it would have acted.
    pub at: LocalizedTime,
}

/// What a rule would do with a signal that came now. Nothing is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleTrial {
    /// What the signal would do.
    pub effect: TrialEffect,
    /// When the rule would act; `None`: it would not.
    pub due: Option<LocalizedTime>,
    /// What it would do then; `None`: it would not act.
    pub action: Option<TrialAction>,
}

/// What a signal would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialEffect {
    /// It opens a wait, or starts one again.
    Opens,
    /// It closes the open waits of its subject and key.
    Closes,
    /// The rule does not listen to signals of this name.
    OtherName,
    /// The rule is about other subjects.
    OtherSubject,
    /// The data of the signal does not say when the rule acts.
    NoMoment,
    /// The moment has passed by more than the grace.
    TooLate,
}

/// What a rule would do, with its templates filled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum TrialAction {
    /// It sends this message.
    Message {
        /// The body.
        body: String,
        /// Recipients of a mail; empty: those of the channel.
        to: Vec<String>,
    },
    /// It emits this signal.
    Signal {
        /// Its name.
        name: String,
    },
    /// It could not act.
    Fails {
        /// A code, see [`crate::task::reason`].
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_can_be_about_some_subjects() {
        let about = |pattern: Option<&str>, subject: &str| {
            let rule = RuleSettings { subject: pattern.map(str::to_owned), ..example() };
            rule.is_about(subject)
        };
        assert!(
            about(None, "u1") && about(Some("u*"), "u1") && about(Some("u1"), "u1") && about(Some("*"), "")
        );
        assert!(!about(Some("u1"), "u12") && !about(Some("v*"), "u1"));
    }

    #[test]
    fn settings_keep_their_json_in_sql() {
        let text = serde_json::to_string(&example()).unwrap();
        assert!(text.contains(r#""wait":"PT30M""#) && text.contains(r#""type":"signal""#), "{text}");
        assert_eq!(serde_json::from_str::<RuleSettings>(&text).unwrap(), example());
        let before = r#"{"before":"PT2H","field":"expires_at"}"#;
        let before: WaitTime = serde_json::from_str(before).unwrap();
        assert!(matches!(before, WaitTime::Before { .. }));
        let day: WaitTime = serde_json::from_str(r#"{"next_working_day":"09:00"}"#).unwrap();
        assert_eq!(day, WaitTime::WorkingDay { next_working_day: "09:00".to_owned() });
    }

    fn example() -> RuleSettings {
        RuleSettings {
            name: "Unpaid".to_owned(),
            after: "order.created".to_owned(),
            unless: vec!["order.paid".to_owned()],
            wait: WaitTime::After("PT30M".to_owned()),
            subject: None,
            repeat: Repeat::Restart,
            grace: DEFAULT_GRACE.to_owned(),
            zone: None,
            zone_field: None,
            quiet_hours: None,
            cap: None,
            action: Action::Signal { name: "order.unpaid".to_owned() },
        }
    }
}
