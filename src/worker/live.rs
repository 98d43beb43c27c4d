//! The live stream inside this process: what happened, to all who listen, with a memory for those who were away.

use domain::event::Signal;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::{Notify, broadcast, watch};

/// Signals kept for those who come back.
const KEPT: usize = 10_000;
/// Batches a slow listener may be behind.
const BEHIND: usize = 1_024;
/// So long after the last listener nobody reads the log for listeners: who comes from page to page finds it awake.
const NAP: Duration = Duration::from_secs(60);

/// What happened since the batch before.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// In the order in which they became visible. One may come with a lower number than an earlier one, never twice.
    pub signals: Vec<Signal>,
    /// The id to give this batch in a stream: who comes back with it misses nothing (but may hear something again).
    pub id: i64,
}

/// What somebody who comes back missed.
#[derive(Debug, Clone, PartialEq)]
pub enum Since {
    /// These, in the order of the log; the batch may be empty.
    Signals(Batch),
    /// It was too long ago: read everything again. The stream goes on from this id.
    Reload(i64),
}

/// What listeners are told.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// What happened.
    Batch(Batch),
    /// The log is not what it was: read everything again. The stream goes on from this id.
    Reload(i64),
}

/// The live stream. Cheap to clone; all clones are the same stream.
#[derive(Clone)]
pub struct Live(Arc<Shared>);

struct Shared {
    memory: Mutex<Memory>,
    listeners: broadcast::Sender<Arc<News>>,
    /// Whether the log is being read. Changed under the lock of the memory.
    awake: watch::Sender<bool>,
    wanted: Notify,
}

#[derive(Default)]
struct Memory {
    kept: VecDeque<Signal>,
    /// Everything after this number is kept.
    floor: i64,
    /// The last number before which nothing is missing.
    prefix: i64,
    /// When somebody listened last.
    heard_at: Option<Instant>,
    /// Whether what was told before is not the log any more.
    is_void: bool,
}

impl Default for Live {
    fn default() -> Self {
        let (listeners, _) = broadcast::channel(BEHIND);
        let (awake, _) = watch::channel(false);
        Self(Arc::new(Shared { memory: Mutex::default(), listeners, awake, wanted: Notify::new() }))
    }
}

impl Live {
    /// What happens from now on. A listener who is too slow gets `Lagged`: he asks [`Live::since`] again. Waits until the log is
    /// read, if nobody listened before: while the database is away, as long as that.
    pub async fn subscribe(&self) -> broadcast::Receiver<Arc<News>> {
        let (ear, mut awake) = {
            let _memory = self.memory();
            (self.0.listeners.subscribe(), self.0.awake.subscribe())
        };
        self.0.wanted.notify_one();
        // Its sender lives as long as `self`.
        let _ = awake.wait_for(|is_awake| *is_awake).await;
        ear
    }

    /// Returns when somebody wants to listen.
    pub(super) async fn wanted(&self) {
        self.0.wanted.notified().await;
    }

    /// Whether the log is read for whoever listens.
    pub(super) fn is_awake(&self) -> bool {
        *self.0.awake.borrow()
    }

    /// Whether nobody has listened for a while: then everything is forgotten, and nothing more need be told until [`Live::begin`].
    pub(super) fn dozes(&self) -> bool {
        let mut memory = self.memory();
        if self.0.listeners.receiver_count() > 0 {
            memory.heard_at = Some(Instant::now());
            return false;
        }
        let dozes = memory.heard_at.is_none_or(|heard_at| heard_at.elapsed() >= NAP);
        if dozes {
            *memory = Memory::default();
            self.0.awake.send_replace(false);
        }
        dozes
    }

    /// What happened after that id. Subscribe first, then ask: nothing falls between, though some may come twice.
    #[must_use]
    pub fn since(&self, id: i64) -> Since {
        let memory = self.memory();
        // A higher id than ours: another database, or one restored from an older copy.
        let is_known = (memory.floor
            ..=memory.kept.iter().map(|kept| kept.seq).max().unwrap_or(memory.prefix))
            .contains(&id);
        if !is_known {
            return Since::Reload(memory.prefix);
        }
        let mut signals: Vec<Signal> = memory.kept.iter().filter(|kept| kept.seq > id).cloned().collect();
        signals.sort_unstable_by_key(|signal| signal.seq);
        Since::Signals(Batch { signals, id: memory.prefix })
    }

    /// The id of a stream that begins now.
    #[must_use]
    pub fn last_seq(&self) -> i64 {
        self.memory().prefix
    }

    /// What was there before; from here on it is told what happens.
    pub(super) fn begin(&self, before: Vec<Signal>, floor: i64, prefix: i64) {
        let mut memory = self.memory();
        let (is_void, heard_at) = (memory.is_void, Some(Instant::now()));
        *memory = Memory { kept: before.into(), floor, prefix, heard_at, is_void: false };
        if is_void {
            // Nobody comes back to what is not there any more.
            *memory = Memory { floor: prefix, prefix, heard_at, ..Memory::default() };
            let _ = self.0.listeners.send(Arc::new(News::Reload(prefix)));
        }
        self.0.awake.send_replace(true);
    }

    /// The log is not what it was: it is read anew, and whoever listens reads everything again.
    pub(super) fn forget(&self) {
        let mut memory = self.memory();
        *memory = Memory { heard_at: memory.heard_at, is_void: true, ..Memory::default() };
        self.0.awake.send_replace(false);
    }

    /// Tells all listeners.
    pub(super) fn tell(&self, signals: Vec<Signal>, prefix: i64) {
        let mut memory = self.memory();
        memory.prefix = prefix;
        if signals.is_empty() {
            return;
        }
        memory.kept.extend(signals.iter().cloned());
        while memory.kept.len() > KEPT
            && let Some(gone) = memory.kept.pop_front()
        {
            memory.floor = memory.floor.max(gone.seq);
        }
        // Nobody listening is no error. Sent under the lock, so that `since` and the stream agree on the order.
        let _ = self.0.listeners.send(Arc::new(News::Batch(Batch { signals, id: prefix })));
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use domain::Timestamp;

    pub fn signal(seq: i64) -> Signal {
        let (at, entity_id) = (Timestamp::from_millis(seq), uuid::Uuid::nil());
        let (entity, verb) = ("task".to_owned(), "schedule".to_owned());
        Signal { seq, at, entity, entity_id, verb, actor_id: None, to_state: None, version: None }
    }

    fn seqs(since: Since) -> Option<Vec<i64>> {
        match since {
            Since::Signals(batch) => Some(batch.signals.iter().map(|signal| signal.seq).collect()),
            Since::Reload(_) => None,
        }
    }

    #[test]
    fn who_comes_back_hears_what_was_missed_in_order() {
        let live = Live::default();
        live.begin(vec![signal(3)], 2, 3);
        live.tell(vec![signal(4), signal(6)], 4);
        live.tell(vec![signal(5)], 6);
        assert_eq!(seqs(live.since(3)), Some(vec![4, 5, 6]));
        assert_eq!(seqs(live.since(6)), Some(vec![]));
        assert_eq!(seqs(live.since(1)), None);
        assert_eq!(seqs(live.since(99)), None);
    }

    #[test]
    fn too_long_ago_means_reload() {
        let live = Live::default();
        live.begin(vec![], 0, 0);
        live.tell((1..=10_500).map(signal).collect(), 10_500);
        assert_eq!(live.since(499), Since::Reload(10_500));
        assert_eq!(seqs(live.since(500)).map(|all| all.len()), Some(10_000));
    }

    #[tokio::test]
    async fn listeners_hear_batches_with_the_safe_id() {
        let live = Live::default();
        live.begin(vec![], 0, 0);
        let mut ear = live.subscribe().await;
        live.tell(vec![signal(1), signal(3)], 1);
        let News::Batch(batch) = (*ear.recv().await.unwrap()).clone() else { panic!("nothing is void") };
        assert_eq!((batch.signals.len(), batch.id), (2, 1));
    }

    #[tokio::test]
    async fn whoever_listens_reads_everything_again_once_the_log_is_another() {
        let live = Live::default();
        live.begin(vec![signal(3)], 2, 3);
        let mut ear = live.subscribe().await;
        live.forget();
        assert!(!live.is_awake() && !live.dozes());
        live.begin(vec![signal(2)], 0, 2);
        assert_eq!(*ear.recv().await.unwrap(), News::Reload(2));
        assert_eq!((live.since(3), seqs(live.since(2))), (Since::Reload(2), Some(vec![])));
    }

    #[tokio::test]
    async fn who_comes_while_nobody_listens_waits_until_the_log_is_read() {
        let live = Live::default();
        assert!(live.dozes());
        let comes = live.subscribe();
        let reads = async {
            live.wanted().await;
            assert!(!live.dozes());
            live.begin(vec![signal(3)], 2, 3);
        };
        let (ear, ()) = tokio::join!(comes, reads);
        assert_eq!(live.last_seq(), 3);
        drop(ear);
        // Whoever comes back within a minute finds everything.
        assert!(!live.dozes());
        assert_eq!(seqs(live.since(2)), Some(vec![3]));
    }
}
