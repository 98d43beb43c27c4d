//! Rules as the API takes and returns them.

use super::version;
use crate::http::api::{
    extract::word,
    json_input::{read_field as read, read_with},
    numbers::optional_integer,
};
use domain::{
    ChannelId, DomainError, Timestamp, Version,
    error::ValidationError,
    rule::{Action, DEFAULT_GRACE, DryRun, Repeat, Rule, RuleSettings, WaitTime, Waiting},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Types of actions.
const ACTIONS: [&str; 3] = ["message", "reminder", "signal"];

/// A new rule: after a signal, wait, then act, unless one of these signals came first. Durations are
/// by ISO 8601, such as `PT30M`. Texts of the action may contain `{{subject}}`, `{{key}}`, `{{at}}`,
/// `{{rule}}` and `{{data.FIELD}}`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSettingsBody {
    /// 1 to 100 characters.
    name: String,
    /// Name of the signal that opens a wait.
    after: String,
    /// Names of the signals that close it, at most 20.
    unless: Option<Vec<String>>,
    /// A duration after the signal; or `{"before": duration, "field": name}`: before a moment in the
    /// data of the signal; or `{"next_working_day": "09:00"}`: until then on the next day from Monday to
    /// Friday.
    #[schema(value_type = Object)]
    wait: Value,
    /// Only this subject, or with a `*` at the end those that begin so; all if absent.
    subject: Option<String>,
    /// What a repeated signal does while a wait is open: `restart` (the default), `ignore` or
    /// `another`.
    repeat: Option<String>,
    /// How late it may still act; an hour if absent.
    grace: Option<String>,
    /// Zone of the times of a day; that of the caller if absent.
    zone: Option<String>,
    /// Field of the data with the zone of the subject, which counts instead.
    zone_field: Option<String>,
    /// `{"from": "22:00", "to": "08:00"}`: a wait ends outside these hours.
    #[schema(value_type = Option<Object>)]
    quiet_hours: Option<Value>,
    /// `{"times": 3, "days": 7}`: maximum number of times it acts for a subject in a number of days.
    #[schema(value_type = Option<Object>)]
    cap: Option<Value>,
    /// `{"type": "message", "channel_id", "body", "headers"?, "routing_key"?, "exchange"?}`,
    /// `{"type": "reminder", "to", "text", "channel_id"?}` or `{"type": "signal", "name"}`.
    #[schema(value_type = Object)]
    action: Value,
}

/// An [`Action`], below its type: so an error names its field.
#[derive(Deserialize)]
#[serde(remote = "Action", rename_all = "snake_case")]
enum ActionByType {
    Message {
        channel_id: ChannelId,
        body: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
        routing_key: Option<String>,
        exchange: Option<String>,
    },
    Reminder {
        to: String,
        text: String,
        channel_id: Option<ChannelId>,
    },
    Signal {
        name: String,
    },
}

/// Reads an action.
fn action(value: Value) -> Result<Action, DomainError> {
    let wrong =
        |field, why: &str| DomainError::invalid(field, ValidationError::Unreadable { why: why.to_owned() });
    let Value::Object(mut fields) = value else { return Err(wrong("action", "must be an object")) };
    let kind = match fields.remove("type") {
        Some(Value::String(kind)) => kind,
        Some(_) => return Err(wrong("action.type", "must be a text")),
        None => return Err(wrong("action.type", "must be given")),
    };
    if !ACTIONS.contains(&kind.as_str()) {
        let words = ACTIONS.join(", ");
        return Err(DomainError::invalid("action.type", ValidationError::NotOneOf { words }));
    }
    let by_type = Value::Object(Map::from_iter([(kind, Value::Object(fields))]));
    read_with("action", by_type, |json| ActionByType::deserialize(json))
}

/// Reads a new value of this field; `false` removes it, and an absent one stays.
fn read_over<T: DeserializeOwned>(
    field: &str,
    value: Option<Value>,
    was: Option<T>,
) -> Result<Option<T>, DomainError> {
    match value {
        None => Ok(was),
        Some(Value::Bool(false)) => Ok(None),
        Some(value) => read(field, value).map(Some),
    }
}

fn repeat(text: &str) -> Result<Repeat, DomainError> {
    word("repeat", text, Repeat::NAMES)
}

impl TryFrom<RuleSettingsBody> for RuleSettings {
    type Error = DomainError;
    fn try_from(new: RuleSettingsBody) -> Result<Self, DomainError> {
        Ok(Self {
            name: new.name.trim().to_owned(),
            after: new.after,
            unless: new.unless.unwrap_or_default(),
            wait: read::<WaitTime>("wait", new.wait)?,
            subject: new.subject,
            repeat: new.repeat.as_deref().map_or(Ok(Repeat::Restart), repeat)?,
            grace: new.grace.unwrap_or_else(|| DEFAULT_GRACE.to_owned()),
            zone: new.zone,
            zone_field: new.zone_field,
            quiet_hours: new.quiet_hours.map(|hours| read("quiet_hours", hours)).transpose()?,
            cap: new.cap.map(|cap| read("cap", cap)).transpose()?,
            action: action(new.action)?,
        })
    }
}

/// A change of a rule. Absent fields stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleEditBody {
    /// 1 to 100 characters.
    name: Option<String>,
    /// Name of the signal that opens a wait.
    after: Option<String>,
    /// Names of the signals that close it.
    unless: Option<Vec<String>>,
    /// How long it waits.
    #[schema(value_type = Option<Object>)]
    wait: Option<Value>,
    /// Only these subjects; `*`: all.
    subject: Option<String>,
    /// `restart`, `ignore` or `another`.
    repeat: Option<String>,
    /// How late it may still act.
    grace: Option<String>,
    /// Zone of the times of a day.
    zone: Option<String>,
    /// Field of the data with the zone of the subject; empty: none.
    zone_field: Option<String>,
    /// When it does not act; `false`: it has no such hours.
    #[schema(value_type = Option<Object>)]
    quiet_hours: Option<Value>,
    /// How often it acts for a subject; `false`: always.
    #[schema(value_type = Option<Object>)]
    cap: Option<Value>,
    /// What it does.
    #[schema(value_type = Option<Object>)]
    action: Option<Value>,
    /// What becomes of those that wait: `keep` (they keep their moments, the default), `recount` (they
    /// count from their signal again) or `cancel`.
    waiting: Option<String>,
    /// `version` of the rule that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

impl RuleEditBody {
    /// Returns the version that the caller saw.
    pub fn seen_version(&self) -> Option<Version> {
        version(self.seen_version)
    }

    /// Returns the changed settings, and what becomes of those that wait.
    pub fn over(self, was: RuleSettings) -> Result<(RuleSettings, Waiting), DomainError> {
        let waiting = self.waiting.map(|waiting| word("waiting", &waiting, Waiting::NAMES)).transpose()?;
        let settings = RuleSettings {
            name: self.name.map_or(was.name, |name| name.trim().to_owned()),
            after: self.after.unwrap_or(was.after),
            unless: self.unless.unwrap_or(was.unless),
            wait: self.wait.map_or(Ok(was.wait), |wait| read("wait", wait))?,
            subject: self.subject.or(was.subject),
            repeat: self.repeat.as_deref().map_or(Ok(was.repeat), repeat)?,
            grace: self.grace.unwrap_or(was.grace),
            zone: self.zone.or(was.zone),
            zone_field: self.zone_field.or(was.zone_field).filter(|field| !field.is_empty()),
            quiet_hours: read_over("quiet_hours", self.quiet_hours, was.quiet_hours)?,
            cap: read_over("cap", self.cap, was.cap)?,
            action: self.action.map_or(Ok(was.action), action)?,
        };
        Ok((settings, waiting.unwrap_or(Waiting::Keep)))
    }
}

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleBody {
    /// Id of the rule.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Display name.
    name: String,
    /// Name of the signal that opens a wait.
    after: String,
    /// Names of the signals that close it.
    unless: Vec<String>,
    /// How long it waits.
    #[schema(value_type = Object)]
    wait: Value,
    /// Only these subjects; null: all.
    subject: Option<String>,
    /// `restart`, `ignore` or `another`.
    repeat: &'static str,
    /// How late it may still act.
    grace: String,
    /// Zone of the times of a day; null: it has none.
    zone: Option<String>,
    /// Field of the data with the zone of the subject.
    zone_field: Option<String>,
    /// When it does not act; null: it has no such hours.
    #[schema(value_type = Option<Object>)]
    quiet_hours: Option<Value>,
    /// How often it acts for a subject; null: always.
    #[schema(value_type = Option<Object>)]
    cap: Option<Value>,
    /// What it does.
    #[schema(value_type = Object)]
    action: Value,
    /// `active` or `paused`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// Whether the account of its owner is disabled: it opens no waits and does not act until the
    /// account is enabled or another admin takes it over.
    held: bool,
    /// Number of open waits, counted up to 10,000.
    waiting: u64,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

impl From<Rule> for RuleBody {
    fn from(rule: Rule) -> Self {
        let settings = rule.settings;
        Self {
            id: rule.id.0,
            name: settings.name,
            after: settings.after,
            unless: settings.unless,
            wait: serde_json::to_value(settings.wait).unwrap_or_default(),
            subject: settings.subject,
            repeat: settings.repeat.as_str(),
            grace: settings.grace,
            zone: settings.zone,
            zone_field: settings.zone_field,
            quiet_hours: settings.quiet_hours.and_then(|hours| serde_json::to_value(hours).ok()),
            cap: settings.cap.and_then(|cap| serde_json::to_value(cap).ok()),
            action: serde_json::to_value(settings.action).unwrap_or_default(),
            state: rule.state.as_str(),
            version: rule.version.0,
            held: rule.is_held,
            waiting: rule.waiting,
            changed_at: rule.changed.at,
        }
    }
}

/// All rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesBody {
    /// By name.
    pub items: Vec<RuleBody>,
}

/// What a rule would have done.
#[derive(Debug, Serialize, ToSchema)]
pub struct DryRunBody {
    /// Number of signals that were read, at most 100,000.
    signals: u64,
    /// Number of times it would have acted.
    would_send: u64,
    /// Number of times it could not have acted: its templates lack a field or have no valid result, nothing
    /// could send it, or it would have continued a loop of rules. Not part of `would_send`.
    would_fail: u64,
    /// Number of waits that another signal would have closed.
    would_close: u64,
    /// Number of waits that would be open now.
    would_wait: u64,
    /// When it would have acted, and for whom: the first 1,000.
    items: Vec<DryRunItemBody>,
}

/// One time at which a rule would have acted.
#[derive(Debug, Serialize, ToSchema)]
pub struct DryRunItemBody {
    /// Whom or what it is about.
    subject: String,
    /// Part of the subject; empty: the subject as a whole.
    key: String,
    /// When it would have acted.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

impl From<DryRun> for DryRunBody {
    fn from(run: DryRun) -> Self {
        let DryRun { signals, would_send, would_fail, would_close, would_wait, items } = run;
        let items = items.into_iter();
        let items = items.map(|item| DryRunItemBody { subject: item.subject, key: item.key, at: item.at.at });
        Self { signals, would_send, would_fail, would_close, would_wait, items: items.collect() }
    }
}
