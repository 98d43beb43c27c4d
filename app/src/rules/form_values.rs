//! Values of the form of a rule, as they are typed.

#[cfg(feature = "ssr")]
use crate::rules::duration::iso_of;
use crate::rules::duration::shown;
use domain::rule::{Action, DEFAULT_GRACE, Repeat, RuleSettings, WaitTime};
#[cfg(feature = "ssr")]
use domain::{ChannelId, DomainError, error::ValidationError};
#[cfg(feature = "ssr")]
use domain::{rule::Cap, rules::hours::QuietHours};
use serde::{Deserialize, Serialize};
use texts::Language;

/// A wait that counts from the signal.
pub const FROM_SIGNAL: &str = "after";
/// A wait that ends before a moment in the data.
pub const BEFORE_FIELD: &str = "before";
/// A wait until a time of the next working day.
pub const WORKING_DAY: &str = "working_day";
/// Actions of the form.
pub const ACTIONS: [&str; 3] = ["message", "mail", "signal"];

/// A rule as submitted by its form. Fields of other actions are ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleForm {
    /// Display name.
    pub name: String,
    /// Name of the signal that opens a wait.
    pub after: String,
    /// How long it waits, or until which time of a day.
    pub wait: String,
    /// [`FROM_SIGNAL`], [`BEFORE_FIELD`] or [`WORKING_DAY`].
    pub counts: String,
    /// Field of the data with the moment.
    pub field: String,
    /// One of [`ACTIONS`].
    pub action: String,
    /// Channel of a message or mail; empty: the first mail channel.
    pub channel_id: String,
    /// Body of a message, or text of a mail.
    pub text: String,
    /// Address of a mail.
    pub to: String,
    /// Name of the signal that it emits.
    pub signal: String,
    /// Names of the signals that close a wait.
    pub unless: String,
    /// Only these subjects; empty: all.
    pub subject: String,
    /// `restart`, `ignore` or `another`.
    pub repeat: String,
    /// How late it may act.
    pub grace: String,
    /// Exchange of a broker; empty: that of the channel.
    pub exchange: String,
    /// Routing key; empty: that of the channel.
    pub routing_key: String,
    /// Begin of the quiet hours; empty: none.
    pub quiet_from: String,
    /// Their end.
    pub quiet_to: String,
    /// Zone of the times of a day; empty: that of the user.
    pub zone: String,
    /// Field of the data with the zone of the subject; empty: none.
    pub zone_field: String,
    /// Maximum number of times for a subject; empty: no limit.
    pub cap_times: String,
    /// In this number of days.
    pub cap_days: String,
}

impl RuleForm {
    /// An empty form with the usual settings.
    #[must_use]
    pub fn empty(language: Language) -> Self {
        Self {
            wait: shown(language, "PT30M"),
            counts: FROM_SIGNAL.to_owned(),
            action: ACTIONS[0].to_owned(),
            repeat: Repeat::Restart.as_str().to_owned(),
            grace: shown(language, DEFAULT_GRACE),
            ..Self::default()
        }
    }

    /// The form of an existing rule.
    #[must_use]
    pub fn of(language: Language, settings: &RuleSettings) -> Self {
        let form = Self {
            name: settings.name.clone(),
            after: settings.after.clone(),
            unless: settings.unless.join("\n"),
            subject: settings.subject.clone().unwrap_or_default(),
            repeat: settings.repeat.as_str().to_owned(),
            grace: shown(language, &settings.grace),
            quiet_from: settings.quiet_hours.as_ref().map(|hours| hours.from.clone()).unwrap_or_default(),
            quiet_to: settings.quiet_hours.as_ref().map(|hours| hours.to.clone()).unwrap_or_default(),
            zone: settings.zone.clone().unwrap_or_default(),
            zone_field: settings.zone_field.clone().unwrap_or_default(),
            cap_times: settings.cap.map(|cap| cap.times.to_string()).unwrap_or_default(),
            cap_days: settings.cap.map(|cap| cap.days.to_string()).unwrap_or_default(),
            ..Self::default()
        };
        let form = match &settings.wait {
            WaitTime::After(duration) => {
                Self { wait: shown(language, duration), counts: FROM_SIGNAL.to_owned(), ..form }
            }
            WaitTime::Before { before, field } => Self {
                wait: shown(language, before),
                counts: BEFORE_FIELD.to_owned(),
                field: field.clone(),
                ..form
            },
            WaitTime::WorkingDay { next_working_day } => {
                Self { wait: next_working_day.clone(), counts: WORKING_DAY.to_owned(), ..form }
            }
        };
        match &settings.action {
            Action::Message { channel_id, body, exchange, routing_key, .. } => Self {
                action: "message".to_owned(),
                channel_id: channel_id.to_string(),
                text: body.clone(),
                exchange: exchange.clone().unwrap_or_default(),
                routing_key: routing_key.clone().unwrap_or_default(),
                ..form
            },
            Action::Reminder { to, text, channel_id } => Self {
                action: "mail".to_owned(),
                channel_id: channel_id.map(|id| id.to_string()).unwrap_or_default(),
                text: text.clone(),
                to: to.clone(),
                ..form
            },
            Action::Signal { name } => Self { action: "signal".to_owned(), signal: name.clone(), ..form },
        }
    }

    /// Returns the settings. `was`: the rule that is edited, whose headers are kept.
    #[cfg(feature = "ssr")]
    pub fn read(self, was: Option<&RuleSettings>) -> Result<RuleSettings, DomainError> {
        let action = self.action(was)?;
        let wait = match self.counts.as_str() {
            BEFORE_FIELD => {
                WaitTime::Before { before: iso_of(&self.wait), field: self.field.trim().to_owned() }
            }
            WORKING_DAY => WaitTime::WorkingDay { next_working_day: self.wait.trim().to_owned() },
            _ => WaitTime::After(iso_of(&self.wait)),
        };
        let (quiet_hours, cap) = (self.quiet_hours(), self.cap()?);
        let repeat = self.repeat.parse().map_err(|_| {
            let words = Repeat::NAMES.join(", ");
            DomainError::invalid("repeat", ValidationError::NotOneOf { words })
        })?;
        let names = self.unless.split(['\n', '\r', ',', ';', '，', '；', '、']).map(str::trim);
        Ok(RuleSettings {
            name: self.name.trim().to_owned(),
            after: self.after.trim().to_owned(),
            unless: names.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            wait,
            subject: non_empty(&self.subject),
            repeat,
            grace: iso_of(&self.grace),
            zone: non_empty(&self.zone),
            zone_field: non_empty(&self.zone_field),
            quiet_hours,
            cap,
            action,
        })
    }

    #[cfg(feature = "ssr")]
    fn quiet_hours(&self) -> Option<QuietHours> {
        let (from, to) = (self.quiet_from.trim(), self.quiet_to.trim());
        let is_set = !(from.is_empty() && to.is_empty());
        is_set.then(|| QuietHours { from: from.to_owned(), to: to.to_owned() })
    }

    #[cfg(feature = "ssr")]
    fn cap(&self) -> Result<Option<Cap>, DomainError> {
        if self.cap_times.trim().is_empty() && self.cap_days.trim().is_empty() {
            return Ok(None);
        }
        let number = |field: &str, typed: &str| {
            typed.trim().parse().map_err(|_| DomainError::invalid(field, ValidationError::NotANumber))
        };
        let (times, days) = (number("cap_times", &self.cap_times)?, number("cap_days", &self.cap_days)?);
        Ok(Some(Cap { times, days }))
    }

    #[cfg(feature = "ssr")]
    fn action(&self, was: Option<&RuleSettings>) -> Result<Action, DomainError> {
        let channel = || self.channel_id.parse::<ChannelId>().map_err(|_| no_channel());
        let text = self.text.replace("\r\n", "\n");
        Ok(match self.action.as_str() {
            "message" => Action::Message {
                channel_id: channel()?,
                body: text,
                headers: match was.map(|was| &was.action) {
                    Some(Action::Message { headers, .. }) => headers.clone(),
                    _ => std::collections::BTreeMap::new(),
                },
                routing_key: non_empty(&self.routing_key),
                exchange: non_empty(&self.exchange),
            },
            "mail" => Action::Reminder {
                to: self.to.trim().to_owned(),
                text,
                channel_id: if self.channel_id.is_empty() { None } else { Some(channel()?) },
            },
            "signal" => Action::Signal { name: self.signal.trim().to_owned() },
            _ => {
                let words = ACTIONS.join(", ");
                return Err(DomainError::invalid("action", ValidationError::NotOneOf { words }));
            }
        })
    }
}

#[cfg(feature = "ssr")]
fn no_channel() -> DomainError {
    DomainError::invalid("channel_id", ValidationError::Empty)
}

#[cfg(feature = "ssr")]
fn non_empty(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Returns the refusal about the field of the form that holds the refused value.
#[cfg(feature = "ssr")]
#[must_use]
pub fn about_form(refusal: DomainError) -> DomainError {
    let DomainError::Invalid { field, problem } = refusal else { return refusal };
    let own = match field.as_str() {
        "wait.before" => "wait",
        "wait.next_working_day" => "wait",
        "quiet_hours.from" => "quiet_from",
        "quiet_hours.to" => "quiet_to",
        "cap.times" => "cap_times",
        "cap.days" => "cap_days",
        "wait.field" => "field",
        "action.body" => "text",
        "action.name" => "signal",
        other => other.strip_prefix("action.").unwrap_or(other),
    };
    DomainError::invalid(own, problem)
}

/// Reads lines like `name: value` as the data of a signal. Numbers and booleans stay what they are.
#[cfg(feature = "ssr")]
pub fn data_of(typed: &str) -> Result<serde_json::Map<String, serde_json::Value>, DomainError> {
    let lines = typed.lines().map(str::trim).filter(|line| !line.is_empty());
    let field = |line: &str| {
        let (name, value) = line.split_once([':', '：', '=']).ok_or_else(|| {
            let why = "must be lines like name: value".to_owned();
            DomainError::invalid("data", ValidationError::Unreadable { why })
        })?;
        let value = value.trim();
        let read = match serde_json::from_str(value) {
            Ok(read @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_))) => read,
            _ => serde_json::Value::String(value.to_owned()),
        };
        Ok((name.trim().to_owned(), read))
    };
    lines.map(field).collect()
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    fn settings() -> RuleSettings {
        RuleSettings {
            name: "Unpaid".to_owned(),
            after: "order.created".to_owned(),
            unless: vec!["order.paid".to_owned(), "order.cancelled".to_owned()],
            wait: WaitTime::Before { before: "PT2H".to_owned(), field: "expires_at".to_owned() },
            subject: Some("u*".to_owned()),
            repeat: Repeat::Ignore,
            grace: "PT1H".to_owned(),
            zone: Some("Europe/Berlin".to_owned()),
            zone_field: Some("zone".to_owned()),
            quiet_hours: Some(QuietHours { from: "22:00".to_owned(), to: "08:00".to_owned() }),
            cap: Some(Cap { times: 3, days: 7 }),
            action: Action::Reminder {
                to: "{{data.email}}".to_owned(),
                text: "Pay\n\nnow".to_owned(),
                channel_id: None,
            },
        }
    }

    #[test]
    fn a_form_keeps_the_settings_of_its_rule() {
        let signal = Action::Signal { name: "order.unpaid".to_owned() };
        let message = Action::Message {
            channel_id: ChannelId::generate(),
            body: "{}".to_owned(),
            headers: [("X-A".to_owned(), "1".to_owned())].into(),
            routing_key: Some("a.b".to_owned()),
            exchange: None,
        };
        for action in [settings().action, signal, message] {
            let rule = RuleSettings { action, ..settings() };
            for language in Language::ALL.iter().copied() {
                assert_eq!(RuleForm::of(language, &rule).read(Some(&rule)), Ok(rule.clone()));
            }
        }
    }

    #[test]
    fn a_refusal_is_about_a_field_of_the_form() {
        let about = |field: &str| match about_form(DomainError::invalid(field, ValidationError::Empty)) {
            DomainError::Invalid { field, .. } => field,
            _ => String::new(),
        };
        assert_eq!(
            [
                about("action.body"),
                about("action.to"),
                about("action.name"),
                about("wait.field"),
                about("name")
            ],
            ["text", "to", "signal", "field", "name"]
        );
    }

    #[test]
    fn data_is_a_line_for_each_field() {
        let data =
            data_of("email: ann@example.org\r\ntotal: 12.5\nvip: true\n\nat: 2027-01-01T00:00:00Z").unwrap();
        assert_eq!(data["email"], "ann@example.org");
        assert_eq!((&data["total"], &data["vip"]), (&serde_json::json!(12.5), &serde_json::json!(true)));
        assert_eq!(data["at"], "2027-01-01T00:00:00Z");
        assert!(data_of("nothing").is_err());
    }
}
