//! Event bus of this process: broadcasts events to subscribers and keeps recent ones for those that
//! reconnect.

use domain::event::Signal;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::{Notify, broadcast, watch};

/// Maximum number of events kept for reconnecting subscribers.
const MAX_RETAINED_EVENTS: usize = 10_000;
/// Maximum number of batches a slow subscriber may be behind.
const MAX_LAG_BATCHES: usize = 1_024;
/// How long the log is still read after the last subscriber left, so that moving between pages does
/// not restart it.
const IDLE_AFTER: Duration = Duration::from_secs(60);

/// Events since the previous batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Events in the order in which they became visible. Numbers are not always ascending; no event
    /// occurs twice.
    pub signals: Vec<Signal>,
    /// Id of this batch in a stream. A subscriber that resumes from it misses nothing, but may
    /// receive events again.
    pub id: i64,
}

/// Events that a reconnecting subscriber missed.
#[derive(Debug, Clone, PartialEq)]
pub enum Backlog {
    /// The missed events in the order of the log; may be empty.
    Signals(Batch),
    /// The id is too old: the client must reload everything. The stream continues from this id.
    Reload(i64),
}

/// A message to subscribers.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// New events.
    Batch(Batch),
    /// The log was replaced: the client must reload everything. The stream continues from this id.
    Reload(i64),
}

/// The event bus. Cheap to clone; all clones share one bus.
#[derive(Clone)]
pub struct EventBus(Arc<Shared>);

struct Shared {
    history: Mutex<History>,
    sender: broadcast::Sender<Arc<Message>>,
    /// Whether the log is being read. Changed only while the history is locked.
    is_reading: watch::Sender<bool>,
    subscriber_added: Notify,
}

#[derive(Default)]
struct History {
    kept: VecDeque<Signal>,
    /// All events above this number are kept.
    floor: i64,
    /// Highest number below which no number is missing.
    prefix: i64,
    /// When there was last a subscriber.
    last_subscriber_at: Option<Instant>,
    /// Whether events sent before are no longer part of the log.
    was_replaced: bool,
}

impl Default for EventBus {
    fn default() -> Self {
        let (sender, _) = broadcast::channel(MAX_LAG_BATCHES);
        let (is_reading, _) = watch::channel(false);
        Self(Arc::new(Shared {
            history: Mutex::default(),
            sender,
            is_reading,
            subscriber_added: Notify::new(),
        }))
    }
}

impl EventBus {
    /// Subscribes to events from now on. A subscriber that is too slow gets `Lagged` and must call
    /// [`EventBus::since`]. Without earlier subscribers it waits until the log is read, which takes
    /// as long as a database outage.
    pub async fn subscribe(&self) -> broadcast::Receiver<Arc<Message>> {
        let (receiver, mut is_reading) = {
            let _history = self.history();
            (self.0.sender.subscribe(), self.0.is_reading.subscribe())
        };
        self.0.subscriber_added.notify_one();
        // The sender lives as long as `self`.
        let _ = is_reading.wait_for(|is_reading| *is_reading).await;
        receiver
    }

    /// Waits for a subscriber.
    pub(crate) async fn subscriber_added(&self) {
        self.0.subscriber_added.notified().await;
    }

    /// Whether the log is being read for subscribers.
    pub fn is_reading(&self) -> bool {
        *self.0.is_reading.borrow()
    }

    /// Whether there has been no subscriber for a while. Then all events are dropped, and none need
    /// be sent until [`EventBus::start`].
    pub(crate) fn stop_if_idle(&self) -> bool {
        let mut history = self.history();
        if self.0.sender.receiver_count() > 0 {
            history.last_subscriber_at = Some(Instant::now());
            return false;
        }
        let is_idle = history.last_subscriber_at.is_none_or(|at| at.elapsed() >= IDLE_AFTER);
        if is_idle {
            *history = History::default();
            self.0.is_reading.send_replace(false);
        }
        is_idle
    }

    /// Returns the events after this id. Subscribe first: then nothing is missed, though some
    /// events may arrive twice.
    #[must_use]
    pub fn since(&self, id: i64) -> Backlog {
        let history = self.history();
        // A higher id belongs to another database, or to one restored from an older backup.
        let is_known = (history.floor
            ..=history.kept.iter().map(|kept| kept.seq).max().unwrap_or(history.prefix))
            .contains(&id);
        if !is_known {
            return Backlog::Reload(history.prefix);
        }
        let mut signals: Vec<Signal> = history.kept.iter().filter(|kept| kept.seq > id).cloned().collect();
        signals.sort_unstable_by_key(|signal| signal.seq);
        Backlog::Signals(Batch { signals, id: history.prefix })
    }

    /// Returns the id of a stream that begins now.
    #[must_use]
    pub fn last_seq(&self) -> i64 {
        self.history().prefix
    }

    /// Sets the recent events and starts sending new ones.
    pub(crate) fn start(&self, before: Vec<Signal>, floor: i64, prefix: i64) {
        let mut history = self.history();
        let (was_replaced, last_subscriber_at) = (history.was_replaced, Some(Instant::now()));
        *history = History { kept: before.into(), floor, prefix, last_subscriber_at, was_replaced: false };
        if was_replaced {
            // Subscribers cannot resume in a log that was replaced.
            *history = History { floor: prefix, prefix, last_subscriber_at, ..History::default() };
            let _ = self.0.sender.send(Arc::new(Message::Reload(prefix)));
        }
        self.0.is_reading.send_replace(true);
    }

    /// Drops all events because the log was replaced. It is read again, and all subscribers must
    /// reload.
    pub(crate) fn invalidate(&self) {
        let mut history = self.history();
        *history = History {
            last_subscriber_at: history.last_subscriber_at,
            was_replaced: true,
            ..History::default()
        };
        self.0.is_reading.send_replace(false);
    }

    /// Sends events to all subscribers.
    pub(crate) fn publish(&self, signals: Vec<Signal>, prefix: i64) {
        let mut history = self.history();
        history.prefix = prefix;
        if signals.is_empty() {
            return;
        }
        history.kept.extend(signals.iter().cloned());
        while history.kept.len() > MAX_RETAINED_EVENTS
            && let Some(removed) = history.kept.pop_front()
        {
            history.floor = history.floor.max(removed.seq);
        }
        // No subscribers is not an error. Sent under the lock, so that `since` and the stream agree
        // on the order.
        let _ = self.0.sender.send(Arc::new(Message::Batch(Batch { signals, id: prefix })));
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.0.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use domain::Timestamp;

    pub fn signal(seq: i64) -> Signal {
        let (at, entity_id) = (Timestamp::from_millis(seq), uuid::Uuid::nil());
        let (entity, verb) = ("task".to_owned(), "schedule".to_owned());
        Signal { seq, at, entity, entity_id, verb, actor_id: None, to_state: None, version: None }
    }

    fn seqs(since: Backlog) -> Option<Vec<i64>> {
        match since {
            Backlog::Signals(batch) => Some(batch.signals.iter().map(|signal| signal.seq).collect()),
            Backlog::Reload(_) => None,
        }
    }

    #[test]
    fn a_reconnecting_subscriber_gets_missed_events_in_order() {
        let live = EventBus::default();
        live.start(vec![signal(3)], 2, 3);
        live.publish(vec![signal(4), signal(6)], 4);
        live.publish(vec![signal(5)], 6);
        assert_eq!(seqs(live.since(3)), Some(vec![4, 5, 6]));
        assert_eq!(seqs(live.since(6)), Some(vec![]));
        assert_eq!(seqs(live.since(1)), None);
        assert_eq!(seqs(live.since(99)), None);
    }

    #[test]
    fn an_id_that_is_too_old_requires_a_reload() {
        let live = EventBus::default();
        live.start(vec![], 0, 0);
        live.publish((1..=10_500).map(signal).collect(), 10_500);
        assert_eq!(live.since(499), Backlog::Reload(10_500));
        assert_eq!(seqs(live.since(500)).map(|all| all.len()), Some(10_000));
    }

    #[tokio::test]
    async fn subscribers_get_batches_with_the_id_to_resume_from() {
        let live = EventBus::default();
        live.start(vec![], 0, 0);
        let mut receiver = live.subscribe().await;
        live.publish(vec![signal(1), signal(3)], 1);
        let Message::Batch(batch) = (*receiver.recv().await.unwrap()).clone() else {
            panic!("nothing is void")
        };
        assert_eq!((batch.signals.len(), batch.id), (2, 1));
    }

    #[tokio::test]
    async fn subscribers_must_reload_when_the_log_was_replaced() {
        let live = EventBus::default();
        live.start(vec![signal(3)], 2, 3);
        let mut receiver = live.subscribe().await;
        live.invalidate();
        assert!(!live.is_reading() && !live.stop_if_idle());
        live.start(vec![signal(2)], 0, 2);
        assert_eq!(*receiver.recv().await.unwrap(), Message::Reload(2));
        assert_eq!((live.since(3), seqs(live.since(2))), (Backlog::Reload(2), Some(vec![])));
    }

    #[tokio::test]
    async fn the_first_subscriber_waits_until_the_log_is_read() {
        let live = EventBus::default();
        assert!(live.stop_if_idle());
        let comes = live.subscribe();
        let reads = async {
            live.subscriber_added().await;
            assert!(!live.stop_if_idle());
            live.start(vec![signal(3)], 2, 3);
        };
        let (receiver, ()) = tokio::join!(comes, reads);
        assert_eq!(live.last_seq(), 3);
        drop(receiver);
        // A subscriber that returns within a minute finds all events.
        assert!(!live.stop_if_idle());
        assert_eq!(seqs(live.since(2)), Some(vec![3]));
    }
}
