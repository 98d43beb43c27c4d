//! Deliveries: one message to the outside each, with its attempts.

use crate::{
    ChannelId, DeliveryId, TaskId, Timestamp,
    channel::ChannelEvent,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// State of a delivery. The CHECK constraints in `migrations/` mirror it.
    DeliveryState {
        /// Waits for its next attempt.
        Pending = "pending",
        /// An attempt is in flight.
        Sending = "sending",
        /// The receiver confirmed it.
        Delivered = "delivered",
        /// Every attempt was refused or could not be made.
        Failed = "failed",
        /// The response was lost, so it may have arrived. An admin decides.
        Unconfirmed = "unconfirmed",
        /// Cancelled.
        Cancelled = "cancelled",
        /// Waits until its channel is active again.
        Held = "held",
    }
}

impl DeliveryState {
    /// Whether an admin must decide about it.
    #[must_use]
    pub const fn needs_decision(self) -> bool {
        matches!(self, Self::Failed | Self::Unconfirmed)
    }
}

string_enum! {
    /// Result of an attempt.
    Outcome {
        /// The receiver confirmed it.
        Delivered = "delivered",
        /// The receiver answered with an error.
        Refused = "refused",
        /// No connection: nothing was sent.
        Unreachable = "unreachable",
        /// Messages may not be sent to this address: nothing was sent.
        Blocked = "blocked",
        /// It was sent, but no response came: it may have arrived.
        Unknown = "unknown",
        /// The attempt was abandoned before anything was sent.
        NotSent = "not_sent",
    }
}

string_enum! {
    /// Why an attempt got no response. Senders store the words in place of a response.
    NoResponse {
        /// HTTP: nothing was sent.
        NoConnection = "no connection",
        /// HTTP: timeout after the request.
        NoAnswer = "no answer in time",
        /// HTTP: the connection was lost after the request.
        CutOff = "cut off before an answer",
        /// SMTP: timeout after the text.
        NoAnswerToText = "no answer to the text in time",
        /// SMTP: the connection was lost after the text.
        CutOffAfterText = "cut off before an answer to the text",
        /// AMQP: timeout after the message.
        NoConfirm = "no confirm in time",
        /// AMQP: the connection was lost after the message.
        CutOffBeforeConfirm = "cut off before the broker confirmed",
    }
}

impl NoResponse {
    /// Result of the attempt.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::NoConnection => Outcome::Unreachable,
            _ => Outcome::Unknown,
        }
    }
}

string_enum! {
    /// Result of a message for one of its recipients.
    RecipientOutcome {
        /// Accepted for this recipient.
        Delivered = "delivered",
        /// Temporarily refused: it is sent again.
        Deferred = "deferred",
        /// Permanently refused.
        Refused = "refused",
        /// The response was lost: it may have arrived.
        Unknown = "unknown",
    }
}

/// Result of a message for one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// Address.
    pub recipient: String,
    /// Result.
    pub outcome: RecipientOutcome,
    /// Status of the response; `None`: there was none.
    pub status: Option<u16>,
    /// Text of the response.
    pub response_body: Option<String>,
}

/// Response of a receiver to an attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// HTTP or SMTP status; `None`: there was no response.
    pub status: Option<u16>,
    /// Its beginning, or the error.
    pub text: Option<String>,
}

impl Answer {
    /// Returns why there was no response; `None`: there was one, or another error.
    #[must_use]
    pub fn no_response(&self) -> Option<NoResponse> {
        self.text.as_deref().filter(|_| self.status.is_none())?.parse().ok()
    }

    /// Returns the result of the failed attempt that ended with this response.
    #[must_use]
    pub fn failed_outcome(&self) -> Outcome {
        match (self.status, self.no_response()) {
            (Some(_), _) => Outcome::Refused,
            (None, Some(why)) => why.outcome(),
            (None, None) => Outcome::Unreachable,
        }
    }

    /// Returns the beginning of the response on one line, at most `max` characters.
    #[must_use]
    pub fn line(&self, max: usize) -> Option<String> {
        let words: Vec<&str> = self.text.as_deref().unwrap_or_default().split_whitespace().collect();
        let text = words.join(" ");
        let is_long = text.chars().count() > max;
        let text: String = text.chars().take(max).chain(is_long.then_some('…')).collect();
        (!text.is_empty()).then_some(text)
    }
}

/// How many channels have the newest publication of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    /// Number of channels that have it.
    pub delivered: u64,
    /// Number of channels to which it is sent.
    pub total: u64,
}

/// One row of the delivery list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRow {
    /// Id; in messages `msg_` followed by this.
    pub id: DeliveryId,
    /// Its channel.
    pub channel_id: ChannelId,
    /// Display name of the channel.
    pub channel: String,
    /// Event that it reports.
    pub event: ChannelEvent,
    /// Task that caused it; `None`: a test.
    pub task_id: Option<TaskId>,
    /// Title of the article it is about.
    pub title: String,
    /// State.
    pub state: DeliveryState,
    /// Number of attempts so far.
    pub attempts: u32,
    /// Result of the last attempt.
    pub outcome: Option<Outcome>,
    /// Response to the last attempt; only for admins.
    #[serde(default)]
    pub answer: Answer,
    /// When the next attempt starts, not before the circuit breaker closes; `None`: it does not wait, or its
    /// channel is not active.
    pub next_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it reached its final state.
    pub ended_at: Option<Timestamp>,
    /// Whether the caller may resend or drop it.
    pub may_resolve: bool,
}

/// One attempt to send a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Number, from 1.
    pub number: u32,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended; `None`: it is in flight, or its node died.
    pub ended_at: Option<Timestamp>,
    /// Result; `None`: not known yet.
    pub outcome: Option<Outcome>,
    /// Status of the response.
    pub status: Option<u16>,
    /// Start of the response, at most 1 KiB.
    pub response_body: Option<String>,
}

/// A delivery with its message and all attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The list row.
    pub row: DeliveryRow,
    /// The message; every attempt sends the same bytes.
    pub body: String,
    /// Attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Result for each recipient, where the results differ.
    pub recipients: Vec<Recipient>,
}

/// Decision of an admin about a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryDecision {
    /// Sends it again with the same id. Allowed in every state except while an attempt is running.
    Resend,
    /// Marks an unconfirmed delivery as delivered.
    Arrived,
    /// Drops it. Allowed while it waits, and when it failed, is held or unconfirmed.
    Drop,
}

/// Messages of a channel that did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undelivered {
    /// Those that failed, and those that wait or are held.
    All,
    /// Those that failed.
    Failed,
    /// Those without a response.
    Unconfirmed,
}

/// Number of deliveries of a channel in each state, the newest up to
/// [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryCounts(pub Vec<(DeliveryState, u64)>);

impl DeliveryCounts {
    /// Number of deliveries in this state; `None`: in all.
    #[must_use]
    pub fn of(&self, state: Option<DeliveryState>) -> u64 {
        let is_counted = |one: DeliveryState| state.is_none_or(|state| state == one);
        self.0.iter().filter(|(one, _)| is_counted(*one)).map(|(_, count)| count).sum()
    }
}

/// Query of the delivery list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryQuery {
    /// Only deliveries of this channel.
    pub channel: Option<ChannelId>,
    /// Only deliveries caused by this task.
    pub task: Option<TaskId>,
    /// Only deliveries in this state.
    pub state: Option<DeliveryState>,
    /// Whether the oldest comes first.
    #[serde(default)]
    pub is_oldest_first: bool,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}
