//! The result of an attempt to deliver.

use domain::{
    ChannelId, DeliveryId, Timestamp,
    delivery::{DeliveryState, Outcome, Recipient},
    post::PostReport,
};
use uuid::Uuid;

/// Result of an attempt, and the new state of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// Id of the delivery.
    pub id: DeliveryId,
    /// Its channel.
    pub channel: ChannelId,
    /// Number of the attempt: the fencing token.
    pub epoch: i32,
    /// When the attempt ended.
    pub at: Timestamp,
    /// How the attempt ended.
    pub outcome: Outcome,
    /// Status of the response; `None`: no response was received.
    pub status: Option<u16>,
    /// Beginning of the response.
    pub response_body: Option<String>,
    /// New state of the delivery.
    pub state: DeliveryState,
    /// When it is tried again; `None`: it is not.
    pub not_before: Option<Timestamp>,
    /// No delivery is sent to this channel before this moment.
    pub breaker_open_until: Option<Timestamp>,
    /// Whether the receiver said that it is gone for good.
    pub is_gone: bool,
    /// Outcome at each recipient, if they differ.
    pub recipients: Vec<Recipient>,
    /// Whether this attempt reached at least one recipient.
    pub is_taken: bool,
    /// Whether its failure concerns this message alone. It does not count as one of the channel.
    pub is_about_message: bool,
    /// Whether it only checked a post. A failure of it must not delay a publication, so it does not count as one of the
    /// channel.
    pub is_check: bool,
    /// Whether the node that made the attempt never reported it. Such an attempt says nothing about
    /// the receiver.
    pub is_left: bool,
    /// What it learned about the post that it published or withdrew; `None`: nothing, or it sent a message.
    pub post: Option<Box<PostReport>>,
}

impl AttemptResult {
    /// Whether the receiver answered about this message alone: it works.
    pub(super) fn has_answered(&self) -> bool {
        self.is_about_message && self.outcome == Outcome::Refused && self.status.is_some()
    }
}

pub(super) type ChangedRow = (Uuid, Option<Uuid>, String, String, String, i32);
