//! What a program does that was built without AMQP: nothing is sent, nothing is lost, and the log says why.

use crate::channels::{Answer, Letter, guard::Rules, trust::Trust};
use domain::{channel::AmqpRoute, delivery::Outcome};

/// How long such a channel rests after a message was not sent: a node that can send may take over, milliseconds.
const REST_MS: i64 = 300_000;

/// Sends nothing.
#[derive(Debug)]
pub struct Messenger;

impl Messenger {
    /// Under any rules.
    #[must_use]
    pub fn new(_rules: Rules, _trust: &Trust) -> Self {
        Self
    }

    /// Leaves the message where it waits; no step on its ladder.
    #[expect(clippy::unused_async, reason = "the messenger that is built in waits")]
    pub async fn send(&self, _route: &AmqpRoute, _letter: &Letter) -> Answer {
        let why = "this program is built without AMQP; the message waits for one that is built with it";
        Answer { retry_after_ms: Some(REST_MS), ..Answer::none(Outcome::NotSent, why) }
    }
}
