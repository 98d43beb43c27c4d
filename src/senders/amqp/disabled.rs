//! Replacement for a build without the feature `amqp`: it sends nothing, keeps all messages, and
//! logs why.

use crate::{
    process::tls_roots::TlsRoots,
    senders::{OutboundMessage, SendResult, egress::Rules},
};
use domain::{channel::AmqpEndpoint, delivery::Outcome};

/// Delay before such a channel is tried again, so that a node with AMQP can take over,
/// milliseconds.
const RETRY_DELAY_MS: i64 = 300_000;

/// Sends nothing.
#[derive(Debug)]
pub struct AmqpSender;

impl AmqpSender {
    /// Creates the sender; the arguments are ignored.
    #[must_use]
    pub fn new(_rules: Rules, _trust: &TlsRoots) -> Self {
        Self
    }

    /// Leaves the message in the outbox; it does not count as an attempt.
    #[expect(clippy::unused_async, reason = "the sender of the feature awaits")]
    pub async fn send(&self, _route: &AmqpEndpoint, _letter: &OutboundMessage) -> SendResult {
        let why = "this program is built without AMQP; the message waits for one that is built with it";
        SendResult {
            retry_after_ms: Some(RETRY_DELAY_MS),
            ..SendResult::without_response(Outcome::NotSent, why)
        }
    }
}
