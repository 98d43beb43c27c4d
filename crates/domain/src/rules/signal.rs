//! Signals: something that happened elsewhere, reported through the API.

use crate::{SignalId, Timestamp, channel::ChannelEvent};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How far ahead of the clock the moment of a signal may be, in milliseconds: 5 minutes.
pub const MAX_AHEAD_MS: i64 = 5 * 60_000;
/// How long signals are kept, in milliseconds: 30 days.
pub const SIGNAL_RETENTION_MS: i64 = 30 * 24 * 3_600_000;
/// Maximum number of rules that start one another. A signal of a program has the depth 0.
pub const MAX_DEPTH: i32 = 5;

/// Maximum number of waits to which one signal of a program leads through other rules.
pub const MAX_DESCENDANTS: usize = 1_000;
/// Maximum number of signals that an account sends at once; then that many in a minute.
pub const MAX_SIGNALS_OF_ACCOUNT: u32 = 20_000;
/// Maximum number of waits that a rule opens at once by signals of programs; then that many in a minute.
pub const MAX_WAITS_OF_RULE: u32 = 30_000;

/// A signal of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewSignal {
    /// What happened, e.g. `order.created`.
    pub name: String,
    /// Whom or what it is about, e.g. the id of a customer.
    pub subject: String,
    /// Id by which a repeated signal is recognised, per account; `None`: it is not.
    pub id: Option<String>,
    /// Part of the subject, e.g. the number of an order; empty: the subject as a whole.
    pub key: String,
    /// When it happened; `None`: now.
    pub at: Option<Timestamp>,
    /// Fields for templates: texts, numbers and booleans.
    pub data: Map<String, Value>,
}

/// A signal as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// Id, in the order of arrival.
    pub id: SignalId,
    /// Id that the sender gave it.
    pub sender_id: Option<String>,
    /// What happened.
    pub name: String,
    /// Whom or what it is about.
    pub subject: String,
    /// Part of the subject; empty: the subject as a whole.
    pub key: String,
    /// When it happened.
    pub at: Timestamp,
    /// Fields for templates.
    pub data: Map<String, Value>,
    /// Number of rules that led to it.
    pub depth: i32,
    /// The signal of a program or of the desk that led to it through rules; `None`: itself.
    pub root: Option<SignalId>,
}

/// Signals that the desk sends itself.
pub const DESK_SIGNALS: [ChannelEvent; 9] = [
    ChannelEvent::ArticlePublished,
    ChannelEvent::ArticleUpdated,
    ChannelEvent::ArticleUnpublished,
    ChannelEvent::MeetingRequested,
    ChannelEvent::MeetingConfirmed,
    ChannelEvent::MeetingChanged,
    ChannelEvent::MeetingStarted,
    ChannelEvent::MeetingEnded,
    ChannelEvent::MeetingCancelled,
];

/// A name to which a rule can listen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalName {
    /// The name.
    pub name: String,
    /// How often it is among the newest signals.
    pub seen: u64,
}

/// What a signal did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalResult {
    /// Id that the sender gave it, else its own.
    pub id: String,
    /// Whether the same signal was stored before; then it did nothing.
    pub is_duplicate: bool,
    /// Number of waits that it opened or started again.
    pub opened: u32,
    /// Number of waits that it closed.
    pub closed: u32,
}
