//! What a rule does when the moment of a wait has come: fills its templates.

use crate::rules::{
    due,
    kinds::update_waits,
    template,
    template::{Escape, MissingField, Values},
};
use domain::{
    AccountId, ChannelId, EmailAddress, MessageId, RuleId, SignalId, TaskId, Timestamp,
    input_limits::{MAX_HEADER_VALUE_BYTES, MAX_MESSAGE_BYTES, MAX_ROUTING_KEY_BYTES},
    message::MessageOptions,
    rule::{Action, RuleSettings},
    signal::{MAX_DEPTH, Signal},
    task::reason,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use store::{StoreError, Tx, channel, message::NewMessageRow, wait_firing::FiringWait};
use uuid::Uuid;

/// What a rule does.
pub enum Effect {
    /// It sends a message. The task is still to be filled in.
    Message(Box<NewMessageRow>),
    /// It emits a signal.
    Signal(Box<Signal>),
    /// It cannot do anything: a code of [`reason`].
    Dead(&'static str),
}

fn settings(wait: &FiringWait) -> Result<RuleSettings, StoreError> {
    let corrupt = |_| StoreError::Corrupt(format!("rule {} cannot be read", wait.rule_id));
    serde_json::from_str(&wait.settings).map_err(corrupt)
}

/// How long a wait of a rule that is paused or held, or that is cancelled, is left alone, milliseconds.
/// Resuming the rule, enabling the account of its owner and taking it over end it.
pub const PAUSED_MS: i64 = 60_000;

/// Returns until when a wait does not act because its rule has decided otherwise since; `None`: it acts.
/// The task `rule.update_waits` cancels or moves it. One that is left after that was scheduled again by a
/// user.
pub fn put_off_until(wait: &FiringWait, at: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    if wait.is_updating == 0 {
        return Ok(None);
    }
    if wait.rule_version < wait.cancelled_version {
        return Ok(Some(at.plus(PAUSED_MS)));
    }
    if wait.rule_version >= wait.recounted_version {
        return Ok(None);
    }
    let due_at = update_waits::due_of(&settings(wait)?, (wait.opened_at, &wait.data), at);
    Ok(due_at.filter(|due_at| *due_at > at))
}

/// Returns until when the rule of a late wait does not act, because quiet hours have begun since;
/// `None`: it acts.
pub fn quiet_until(
    wait: &FiringWait,
    due_at: Timestamp,
    at: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    if !wait.settings.contains("\"quiet_hours\"") {
        return Ok(None);
    }
    let data: Map<String, Value> = serde_json::from_str(&wait.data).unwrap_or_default();
    Ok(due::quiet_until(&settings(wait)?, &data, (due_at, at)))
}

/// Returns the channel for reminders that name none; `None`: no wait needs it, or there is none.
pub async fn mail_channel(
    tx: &mut Tx,
    mut waits: impl Iterator<Item = &FiringWait>,
) -> Result<Option<Uuid>, StoreError> {
    let needs_it = waits.any(|wait| {
        matches!(settings(wait).map(|rule| rule.action), Ok(Action::Reminder { channel_id: None, .. }))
    });
    if needs_it { channel::first_mail(tx.conn()).await } else { Ok(None) }
}

/// Returns what the rule does for this wait at `at`.
pub fn effect(wait: &FiringWait, at: Timestamp, mail: Option<Uuid>) -> Result<Effect, StoreError> {
    Ok(effect_by(&settings(wait)?, wait, at, mail))
}

/// Returns what a rule with these settings does for this wait at `at`.
pub fn effect_by(rule: &RuleSettings, wait: &FiringWait, at: Timestamp, mail: Option<Uuid>) -> Effect {
    let data: Map<String, Value> = serde_json::from_str(&wait.data).unwrap_or_default();
    let values = Values {
        subject: &wait.subject,
        key: &wait.key,
        at: wait.opened_at.into(),
        rule: &rule.name,
        data: &data,
    };
    let effect = match &rule.action {
        Action::Message { channel_id, body, headers, routing_key, exchange } => {
            let options = options(&values, headers, routing_key.as_deref());
            options.and_then(|options| {
                let body = filled(body, &values, template::escape_of(body), MAX_MESSAGE_BYTES)?;
                let options = MessageOptions { exchange: exchange.clone(), ..options };
                Ok(message(wait, channel_id.0, body, &options))
            })
        }
        Action::Reminder { to, text, channel_id } => match channel_id.map(|id| id.0).or(mail) {
            None => Err(reason::CHANNEL_GONE),
            Some(channel) => reminder(wait, &values, (to.as_str(), text.as_str()), channel),
        },
        Action::Signal { .. } if wait.depth >= MAX_DEPTH => Err(reason::TOO_DEEP),
        Action::Signal { name } => Ok(Effect::Signal(Box::new(Signal {
            id: SignalId::generate(),
            sender_id: Some(format!("wait:{}", wait.id)),
            name: name.clone(),
            subject: wait.subject.clone(),
            key: wait.key.clone(),
            at,
            data: data.clone(),
            depth: wait.depth + 1,
            root: Some(SignalId(wait.root_id.unwrap_or(wait.signal_id))),
        }))),
    };
    effect.unwrap_or_else(Effect::Dead)
}

/// Returns a wait that the signal opens, without the settings of its rule. Nothing is stored.
pub fn unstored_wait(rule: RuleId, signal: &Signal) -> FiringWait {
    FiringWait {
        id: Uuid::nil(),
        rule_id: rule.0,
        settings: String::new(),
        state: "active".to_owned(),
        owner_id: Uuid::nil(),
        owner_is_disabled: 0,
        subject: signal.subject.clone(),
        key: signal.key.clone(),
        opened_at: signal.at.millis(),
        data: serde_json::to_string(&signal.data).unwrap_or_default(),
        depth: signal.depth,
        signal_id: signal.id.0,
        root_id: signal.root.map(|root| root.0),
        rule_version: 0,
        cancelled_version: 0,
        recounted_version: 0,
        is_updating: 0,
    }
}

fn filled(template: &str, values: &Values<'_>, escape: Escape, max: usize) -> Result<String, &'static str> {
    let text = template::render(template, values, escape).map_err(|MissingField| reason::TEMPLATE_FIELD)?;
    if text.len() > max || text.contains('\0') { Err(reason::TEMPLATE_RESULT) } else { Ok(text) }
}

fn options(
    values: &Values<'_>,
    headers: &BTreeMap<String, String>,
    routing_key: Option<&str>,
) -> Result<MessageOptions, &'static str> {
    let header = |(name, value): (&String, &String)| {
        Ok::<_, &'static str>((name.clone(), filled(value, values, Escape::Line, MAX_HEADER_VALUE_BYTES)?))
    };
    let key = routing_key.map(|key| filled(key, values, Escape::Line, MAX_ROUTING_KEY_BYTES)).transpose()?;
    if key.as_deref() == Some("") {
        return Err(reason::TEMPLATE_RESULT);
    }
    let headers = headers.iter().map(header).collect::<Result<_, _>>()?;
    Ok(MessageOptions { headers, routing_key: key, ..MessageOptions::default() })
}

fn reminder(
    wait: &FiringWait,
    values: &Values<'_>,
    (to, text): (&str, &str),
    channel: Uuid,
) -> Result<Effect, &'static str> {
    let to = filled(to, values, Escape::Line, MAX_MESSAGE_BYTES)?.trim().to_owned();
    let to = EmailAddress::parse(&to).map_err(|_| reason::TEMPLATE_RESULT)?;
    let body = filled(text, values, Escape::Text, MAX_MESSAGE_BYTES)?;
    let options = MessageOptions { to: vec![to.into()], ..MessageOptions::default() };
    Ok(message(wait, channel, body, &options))
}

fn message(wait: &FiringWait, channel: Uuid, body: String, options: &MessageOptions) -> Effect {
    Effect::Message(Box::new(NewMessageRow {
        id: MessageId::generate(),
        key: format!("{}{}", crate::messages::check::RULE_KEY, wait.id),
        channel: ChannelId(channel),
        body,
        options: serde_json::to_string(options).unwrap_or_else(|_| "{}".to_owned()),
        fingerprint: String::new(),
        task: TaskId(Uuid::nil()),
        owner: AccountId(wait.owner_id),
    }))
}
