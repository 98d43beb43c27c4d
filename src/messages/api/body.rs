//! Messages as the API takes and returns them.

use crate::{http::api::extract::word, tasks::api::when};
use domain::{
    ChannelId, DomainError, Priority, Timestamp,
    error::ValidationError,
    message::{Message, MessageOptions, MessageRow, NewMessage, SendTime},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A new message: `due_at`, or `delay`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMessageBody {
    /// Name by which the caller finds it again, 1 to 200 characters, unique in its channel; its id if
    /// absent.
    key: Option<String>,
    /// Id of the channel that sends it.
    #[schema(format = Uuid)]
    channel_id: String,
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A duration by ISO 8601, from the request on: `PT30M`.
    delay: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// The message, at most 65,536 bytes; sent byte for byte.
    body: String,
    /// Headers of the request or of the AMQP message, at most 20; of a mail only `Subject`.
    headers: Option<BTreeMap<String, String>>,
    /// AMQP: routing key; that of the channel if absent.
    routing_key: Option<String>,
    /// AMQP: exchange; that of the channel if absent.
    exchange: Option<String>,
    /// `high`, `normal` (the default) or `low`.
    priority: Option<String>,
}

impl TryFrom<NewMessageBody> for NewMessage {
    type Error = DomainError;
    fn try_from(new: NewMessageBody) -> Result<Self, DomainError> {
        let time = Time {
            due_at: new.due_at,
            delay: new.delay,
            local: new.local,
            zone: new.zone,
            disambiguation: new.disambiguation,
        };
        Ok(Self {
            key: new.key,
            channel_id: channel_id(&new.channel_id)?,
            time: time.read()?,
            body: new.body,
            options: MessageOptions {
                headers: new.headers.unwrap_or_default(),
                exchange: new.exchange,
                routing_key: new.routing_key,
                ..MessageOptions::default()
            },
            priority: new.priority.map(|name| word("priority", &name, Priority::NAMES)).transpose()?,
        })
    }
}

/// The time of a request.
pub struct Time {
    pub due_at: Option<String>,
    pub delay: Option<String>,
    pub local: Option<String>,
    pub zone: Option<String>,
    pub disambiguation: Option<String>,
}

impl Time {
    /// Whether no time was sent.
    pub fn is_absent(&self) -> bool {
        let all = [&self.due_at, &self.delay, &self.local, &self.zone, &self.disambiguation];
        all.iter().all(|field| field.is_none())
    }

    /// Reads one of the three forms.
    pub fn read(self) -> Result<SendTime, DomainError> {
        let Some(delay) = self.delay else {
            if self.due_at.is_none() && self.local.is_none() && self.zone.is_none() {
                return Err(unreadable("due_at", "send due_at, delay, or local and zone"));
            }
            return when(self.due_at, self.local, self.zone, self.disambiguation).map(SendTime::At);
        };
        if self.due_at.is_some() || self.local.is_some() || self.zone.is_some() {
            return Err(unreadable("delay", "send only one of due_at, delay, and local and zone"));
        }
        Ok(SendTime::After(delay))
    }
}

/// Reads the id of a channel.
pub fn channel_id(text: &str) -> Result<ChannelId, DomainError> {
    text.parse().map_err(|_| unreadable("channel_id", "channel_id must be the id of a channel"))
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageBody {
    /// Id of the message.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name by which its sender finds it again.
    key: String,
    /// Channel that sends it.
    #[schema(value_type = String, format = Uuid)]
    channel_id: Uuid,
    /// `scheduled`, `executed` (handed to its channel: see `delivery`), `failed`, `cancelled` or
    /// `missed`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When it is sent.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// `high`, `normal` or `low`.
    priority: &'static str,
    /// When it was handed to its channel.
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Timestamp>,
    /// Why it failed, was missed or cancelled.
    reason: Option<String>,
    /// Its task.
    #[schema(value_type = String, format = Uuid)]
    task_id: Uuid,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Its delivery; null: it was not handed to its channel yet.
    delivery: Option<MessageDelivery>,
}

/// The delivery of a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageDelivery {
    /// Id of the delivery; `msg_` and this id is the id for the receiver.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `pending`, `sending`, `delivered`, `failed`, `unconfirmed`, `cancelled` or `held`.
    state: &'static str,
}

impl From<MessageRow> for MessageBody {
    fn from(row: MessageRow) -> Self {
        Self {
            id: row.id.0,
            key: row.key,
            channel_id: row.channel_id.0,
            state: row.state.as_str(),
            version: row.version.0,
            due_at: row.due.at,
            priority: row.priority.as_str(),
            executed_at: row.executed.map(|at| at.at),
            reason: row.reason,
            task_id: row.task_id.0,
            created_at: row.created.at,
            delivery: row.delivery.map(|(id, state)| MessageDelivery { id: id.0, state: state.as_str() }),
        }
    }
}

/// A message with its body.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageDetail {
    /// The message.
    #[serde(flatten)]
    message: MessageBody,
    /// The body.
    body: String,
    /// Headers of its own.
    headers: BTreeMap<String, String>,
    /// AMQP: routing key of its own.
    routing_key: Option<String>,
    /// AMQP: exchange of its own.
    exchange: Option<String>,
}

impl From<Message> for MessageDetail {
    fn from(message: Message) -> Self {
        let MessageOptions { headers, exchange, routing_key, .. } = message.row.options.clone();
        Self { message: message.row.into(), body: message.body, headers, routing_key, exchange }
    }
}
