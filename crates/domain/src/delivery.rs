//! Deliveries: one message to the outside each, with its attempts.

use crate::{
    ChannelId, DeliveryId, TaskId, Timestamp,
    channel::Happening,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// Where a delivery stands. The CHECK constraints in `migrations/` mirror it.
    DeliveryState {
        /// Waits for its next attempt.
        Pending = "pending",
        /// An attempt is on its way.
        Sending = "sending",
        /// The other side said that it has it.
        Delivered = "delivered",
        /// Every attempt was refused or could not be made.
        Failed = "failed",
        /// It may have arrived: the answer was lost. A person decides.
        Unconfirmed = "unconfirmed",
        /// Called off.
        Cancelled = "cancelled",
        /// Waits until its channel is switched on again.
        Held = "held",
    }
}

impl DeliveryState {
    /// Whether a person must decide what becomes of it.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::Failed | Self::Unconfirmed)
    }
}

words! {
    /// How an attempt ended.
    Outcome {
        /// The other side said that it has it.
        Delivered = "delivered",
        /// The other side answered, and did not take it.
        Refused = "refused",
        /// Nobody answered at the address: nothing was sent.
        Unreachable = "unreachable",
        /// The address is not one that messages may go to: nothing was sent.
        Blocked = "blocked",
        /// It was sent, and no answer came: it may have arrived.
        Unknown = "unknown",
        /// It was given up before anything was sent.
        NotSent = "not_sent",
    }
}

words! {
    /// What became of a message at one of its recipients.
    RecipientOutcome {
        /// The other side took it for this recipient.
        Delivered = "delivered",
        /// Refused for now: it is tried again.
        Deferred = "deferred",
        /// Refused for good.
        Refused = "refused",
        /// The answer was lost: it may have arrived.
        Unknown = "unknown",
    }
}

/// A recipient of a message, and what became of it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// Address.
    pub recipient: String,
    /// What became of it.
    pub outcome: RecipientOutcome,
    /// Status of the answer, if one came.
    pub status: Option<u16>,
    /// The answer.
    pub answer: Option<String>,
}

/// A delivery as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRow {
    /// Identity; on the wire `msg_` and this.
    pub id: DeliveryId,
    /// The way out.
    pub channel_id: ChannelId,
    /// What it is called.
    pub channel: String,
    /// What it tells.
    pub event: Happening,
    /// Because of which task; `None`: a test.
    pub task_id: Option<TaskId>,
    /// Title of what it is about.
    pub title: String,
    /// Where it stands.
    pub state: DeliveryState,
    /// How often it was tried in all.
    pub attempts: u32,
    /// How the last attempt ended.
    pub outcome: Option<Outcome>,
    /// When it is tried next, while it waits.
    pub next_at: Option<Timestamp>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it came to its end.
    pub ended_at: Option<Timestamp>,
    /// Whether the asker may send it again or let it be.
    pub may_resolve: bool,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None`: it is on its way, or whoever made it died.
    pub ended_at: Option<Timestamp>,
    /// How.
    pub outcome: Option<Outcome>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The beginning of the answer, at most 1 KiB.
    pub answer: Option<String>,
}

/// A delivery with its message and all attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The line of the list.
    pub row: DeliveryRow,
    /// The message: the same bytes at every attempt.
    pub body: String,
    /// Oldest first.
    pub attempts: Vec<Attempt>,
    /// What became of it at each recipient, where that differs.
    pub recipients: Vec<Recipient>,
}

/// What a person decides about a delivery that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolve {
    /// Send it again, with the same id: for every end but a running attempt.
    Resend,
    /// It arrived: for an unconfirmed one.
    Arrived,
    /// Let it be: for what waits, failed, is held or unconfirmed.
    Drop,
}

/// Which deliveries. Newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryQuery {
    /// Only of this channel.
    pub channel: Option<ChannelId>,
    /// Only because of this task.
    pub task: Option<TaskId>,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// From here on.
    pub cursor: Option<String>,
    /// At most so many, see [`crate::limit::PAGE_ITEMS`].
    pub limit: Option<u32>,
}
