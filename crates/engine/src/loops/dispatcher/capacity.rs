//! How many messages a channel may send now, and when the next one is due.

use domain::{Timestamp, channel::Endpoint};
use store::dispatch::ChannelQueue;

/// Number of messages to an AMQP broker that stand for one of the channel's concurrency: RabbitMQ confirms
/// what it has stored about five times a second. At most 3,000 bodies of 64 KB are in memory.
const AMQP_MESSAGES_PER_SLOT: i64 = 150;
/// Number of consecutive failures after which a channel sends one message at a time.
const FAILURES_BEFORE_SINGLE_SENDS: i32 = 5;

/// Whether the channel sends one message at a time, to find out whether its receiver works again.
pub const fn is_probing(queue: &ChannelQueue) -> bool {
    queue.failures >= FAILURES_BEFORE_SINGLE_SENDS
}

/// Returns how many more messages the channel may send now.
pub fn free_slots(queue: &ChannelQueue, now: Timestamp) -> i64 {
    let is_due = queue.next_at.is_some_and(|at| at <= now.millis());
    if !is_due || queue.breaker_open_until.is_some_and(|at| at > now.millis()) {
        return 0;
    }
    let max = match is_probing(queue) {
        true => 1,
        false if is_amqp(queue) => i64::from(queue.concurrency) * AMQP_MESSAGES_PER_SLOT,
        false => i64::from(queue.concurrency),
    };
    let rate = queue.sending_rate();
    let allowed = rate.map_or(max, |rate| rate.allowed(queue.rate_ready_at, now.millis()));
    (max - queue.sending).min(allowed).max(0)
}

fn is_amqp(queue: &ChannelQueue) -> bool {
    matches!(serde_json::from_str(&queue.endpoint), Ok(Endpoint::Amqp(_)))
}

/// Returns when the first channel will have something to send.
pub fn next_due(queues: &[ChannelQueue], now: Timestamp) -> Option<Timestamp> {
    let ready = |queue: &ChannelQueue| {
        let rate_ready_at = queue.rate.and(queue.rate_ready_at).unwrap_or(i64::MIN);
        Some(queue.next_at?.max(queue.breaker_open_until.unwrap_or(i64::MIN)).max(rate_ready_at))
    };
    queues.iter().filter_map(ready).filter(|at| *at > now.millis()).min().map(Timestamp::from_millis)
}
