//! All loops together, on real databases and with both hint stores.

use super::hooks::HOOKS;
use crate::{app_state::AppState, kinds::TaskKinds};
use async_trait::async_trait;
use domain::{
    AccountId, ArticleId, Clock, Hint, Kind, KindClass, Priority, RevisionId, TaskId, Timestamp, Version,
    clock::{ManualClock, SystemClock},
};
use engine::{
    event_bus::{Batch, Message},
    *,
};
use queue::{DEFAULT_BUCKETS, HintScope, Hints, InProcessHints, RedisHints, bucket_of};

use std::{
    collections::BTreeSet,
    sync::Arc,
    sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed},
    time::Duration,
};
use store::{
    Options, PoolRole, Store, StoreError, Tx,
    event::{self, NewEvent},
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
    import::{self, ImportAuthor, ImportedText},
    report,
    task::{self, NewTaskRow},
};
use tokio::{sync::broadcast::Receiver, time::timeout};
use tokio_util::sync::CancellationToken;

/// An engine without a web server, and the handles that keep its servers running.
struct Bench {
    loops: Loops,
    recorder: Arc<BatchRecorder>,
    url: String,
    _folder: tempfile::TempDir,
    _servers: (Option<Arc<test_support::Postgres>>, Option<Arc<test_support::Redis>>),
}

impl Bench {
    async fn embedded(clock: Arc<dyn Clock>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("desk.db").display());
        let hints = Arc::new(InProcessHints::new(DEFAULT_BUCKETS, Arc::clone(&clock)));
        Self::over(url, hints, clock, folder, (None, None)).await
    }

    async fn servers(clock: Arc<dyn Clock>) -> Self {
        let (postgres, redis) = (test_support::postgres().await, test_support::redis().await);
        let hints = RedisHints::new(&redis.url(), &TaskId::generate().to_string(), DEFAULT_BUCKETS).unwrap();
        let (url, folder) = (postgres.create_database(), tempfile::tempdir().unwrap());
        Self::over(url, Arc::new(hints), clock, folder, (Some(postgres), Some(redis))).await
    }

    async fn over(
        url: String,
        hints: Arc<dyn Hints>,
        clock: Arc<dyn Clock>,
        folder: tempfile::TempDir,
        servers: (Option<Arc<test_support::Postgres>>, Option<Arc<test_support::Redis>>),
    ) -> Self {
        let store = Store::open(&Options::new(url.clone())).await.unwrap();
        store.migrate().await.unwrap();
        let recorder = Arc::new(BatchRecorder::default());
        let mut parts = AppState::new(store, hints, clock, "test", &HOOKS);
        parts.execution.handler = recorder.clone();
        Self { loops: Loops::new(&parts), recorder, url, _folder: folder, _servers: servers }
    }

    fn parts(&self) -> &Context {
        &self.loops.context
    }

    /// Schedules publications at these times as another process would: this process is not
    /// notified.
    async fn schedule(&self, moments: &[Timestamp]) {
        self.schedule_in(&moments.iter().map(|at| (*at, Priority::Normal)).collect::<Vec<_>>()).await;
    }

    /// The same, each with its own priority.
    async fn schedule_in(&self, moments: &[(Timestamp, Priority)]) -> Vec<TaskId> {
        let other = Store::open(&Options::new(self.url.clone())).await.unwrap();
        let (person, now) = (AccountId::generate(), self.parts().clock.now());
        let texts: Vec<ImportedText> = moments.iter().map(|_| text()).collect();
        let due = texts.iter().zip(moments);
        let tasks: Vec<NewTaskRow> = due
            .map(|(text, (at, lane))| NewTaskRow { priority: *lane, ..publish(text, *at, person) })
            .collect();
        let mut tx = other.begin(PoolRole::Web).await.unwrap();
        import::create(tx.conn(), &texts, ImportAuthor { account: person, now }).await.unwrap();
        let events: Vec<NewEvent> = tasks.iter().map(|task| scheduled(task, now)).collect();
        task::insert(tx.conn(), &tasks, now, &events).await.unwrap();
        tx.commit().await.unwrap();
        other.close().await;
        tasks.into_iter().map(|task| task.id).collect()
    }

    /// Returns the executed tasks in the order of the event log.
    async fn executed(&self) -> Vec<TaskId> {
        let mut lease = self.parts().store.read(PoolRole::Engine).await.unwrap();
        let log = event::since(lease.conn(), 0, 1_000, SystemClock.now()).await.unwrap();
        log.into_iter().filter(|event| event.verb == "execute").map(|event| TaskId(event.entity_id)).collect()
    }

    async fn lag(&self) -> domain::engine::Lateness {
        let mut lease = self.parts().store.read(PoolRole::Engine).await.unwrap();
        report::lateness(lease.conn(), Timestamp::from_millis(0)).await.unwrap()
    }

    async fn future(&self) -> u64 {
        self.parts().hints.depth().await.unwrap().future
    }
}

fn text() -> ImportedText {
    let (id, revision_id) = (ArticleId::generate(), RevisionId::generate());
    ImportedText {
        id,
        revision_id,
        number: 1,
        slug: id.to_string(),
        former_slugs: Vec::new(),
        dated_at: None,
        title: "A title".to_owned(),
        body: "A text.".to_owned(),
        details: domain::articles::details::ArticleDetails::default(),
        words: 2,
        path: id.to_string(),
        hash: String::new(),
        published_at: None,
        updated_at: None,
        rendering: None,
    }
}

fn publish(text: &ImportedText, due_at: Timestamp, owner: AccountId) -> NewTaskRow {
    let id = TaskId::generate();
    NewTaskRow {
        id,
        kind: Kind::ArticlePublish.as_str(),
        grace_ms: domain::kind::DEFAULT_GRACE_MS,
        unique_key: None,
        priority: Priority::Normal,
        bucket: bucket_of(id, DEFAULT_BUCKETS),
        target_id: text.id.0,
        revision_id: Some(text.revision_id.0),
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner,
    }
}

fn scheduled(task: &NewTaskRow, at: Timestamp) -> NewEvent {
    NewEvent {
        at,
        actor: None,
        entity: "task",
        entity_id: task.id.0,
        verb: "schedule",
        from_state: None,
        to_state: Some("scheduled"),
        version: Some(1),
        detail: "{}".to_owned(),
    }
}

fn noon() -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000)
}

#[tokio::test]
async fn the_feeder_loads_the_window_incrementally() {
    let clock = Arc::new(ManualClock::at(noon()));
    for bench in [Bench::embedded(clock.clone()).await, Bench::servers(clock.clone()).await] {
        let minutes = |count: i64| noon().plus(count * 60_000);
        bench.schedule(&[minutes(1), minutes(4), minutes(7)]).await;
        bench.loops.feeder.tick(noon()).await;
        assert_eq!(bench.future().await, 2);
        bench.loops.feeder.tick(minutes(3)).await;
        assert_eq!(bench.future().await, 3);
        assert_eq!(bench.parts().engine.hint_counters.snapshot().loaded, 3);
        assert_eq!(bench.parts().engine.loaded_until(), Some(minutes(8)));
    }
}

#[tokio::test]
async fn a_wiped_hint_store_is_reloaded() {
    let clock = Arc::new(ManualClock::at(noon()));
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("desk.db").display());
    let hints = Arc::new(InProcessHints::new(DEFAULT_BUCKETS, clock.clone()));
    let bench = Bench::over(url, hints.clone(), clock, folder, (None, None)).await;
    bench.schedule(&[noon().plus(60_000)]).await;
    bench.loops.feeder.tick(noon()).await;
    hints.wipe();
    assert_eq!(bench.future().await, 0);
    bench.loops.mover.tick(noon()).await;
    bench.loops.feeder.tick(noon()).await;
    assert_eq!(bench.future().await, 1);
}

/// Receives the next batch of events.
async fn next_batch(receiver: &mut Receiver<Arc<Message>>, limit: Duration) -> Batch {
    match &*timeout(limit, receiver.recv()).await.unwrap().unwrap() {
        Message::Batch(batch) => batch.clone(),
        Message::Reload(_) => panic!("the log was not replaced"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_another_process_are_received_and_its_tasks_get_hints() {
    for bench in [Bench::embedded(Arc::new(SystemClock)).await, Bench::servers(Arc::new(SystemClock)).await] {
        // The log is followed from here on; earlier events are not sent.
        bench.loops.event_tailer.tick(SystemClock.now()).await;
        let workers = bench.loops.start();
        let mut receiver = bench.parts().events.bus.subscribe().await;
        bench.schedule(&[SystemClock.now().plus(300_000)]).await;
        let batch = next_batch(&mut receiver, Duration::from_secs(5)).await;
        assert_eq!(batch.signals.last().unwrap().verb, "schedule");
        assert_eq!(batch.id, bench.parts().events.bus.last_seq());
        if !bench.parts().hints.is_shared() {
            assert_eq!(bench.future().await, 1);
        }
        assert!(workers.stop(Duration::from_secs(5)).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_of_another_process_get_hints_without_subscribers() {
    let bench = Bench::embedded(Arc::new(SystemClock)).await;
    let stop = CancellationToken::new();
    let hears = async {
        // The first one may be written before the log is first read. Then the feeder would load it,
        // which does not run here.
        for minutes in (1..6).rev() {
            bench.schedule(&[SystemClock.now().plus(minutes * 60_000)]).await;
            if timeout(Duration::from_secs(5), bench.parts().hints.head_changed()).await.is_ok() {
                break;
            }
        }
        stop.cancel();
    };
    tokio::join!(bench.loops.event_tailer.run(stop.clone()), hears);
    assert_eq!(bench.future().await, 1);
    assert!(!bench.parts().events.bus.is_reading());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_are_executed_at_their_due_time_and_never_early() {
    for bench in [Bench::embedded(Arc::new(SystemClock)).await, Bench::servers(Arc::new(SystemClock)).await] {
        let (begin, step) = (SystemClock.now().plus(2_500), 20);
        let moments: Vec<Timestamp> = (0..150).map(|place| begin.plus(place * step)).collect();
        bench.schedule(&moments).await;
        let workers = bench.loops.start();
        let mut receiver = bench.parts().events.bus.subscribe().await;
        let (mut executed, limit) = (0, Duration::from_secs(30));
        while executed < moments.len() {
            let batch = next_batch(&mut receiver, limit).await;
            executed +=
                batch.signals.iter().filter(|signal| signal.to_state.as_deref() == Some("executed")).count();
        }
        assert!(workers.stop(Duration::from_secs(5)).await);
        let (lag, counts) = (bench.lag().await, bench.parts().engine.hint_counters.snapshot());
        println!("{}: {lag:?} {counts:?}", bench.parts().hints.health().await.name);
        assert_eq!((lag.count, lag.early), (150, 0));
        // Far above what an idle machine shows. This only excludes polling once a second;
        // benchmarks measure the latency.
        assert!(lag.p50 <= 250, "{lag:?}");
    }
}

#[tokio::test]
async fn high_priority_runs_before_tasks_that_were_due_earlier() {
    for bench in [Bench::embedded(Arc::new(SystemClock)).await, Bench::servers(Arc::new(SystemClock)).await] {
        let now = SystemClock.now();
        let (early, late) = (now.plus(-3_000), now.plus(-1_000));
        let lanes = [
            (early, Priority::Low),
            (early, Priority::Normal),
            (late, Priority::High),
            (early, Priority::Normal),
        ];
        let [low, one, high, other] = bench.schedule_in(&lanes).await[..] else { unreachable!() };
        bench.loops.feeder.tick(now).await;
        bench.loops.mover.tick(now).await;
        bench.loops.consumer.tick(now).await;
        let executed = bench.executed().await;
        assert_eq!((executed[0], executed[3]), (high, low));
        assert!(executed[1..3].contains(&one) && executed[1..3].contains(&other));
    }
}

/// A clock that advances with every read.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

#[tokio::test]
async fn a_burst_is_moved_in_chunks_with_high_priority_in_between() {
    let clock = Arc::new(Ticking(AtomicI64::new(noon().millis())));
    let bench = Bench::embedded(clock.clone()).await;
    let hint = |priority, due_at| {
        let task = TaskId::generate();
        let (class, bucket) = (KindClass::Content, bucket_of(task, DEFAULT_BUCKETS));
        Hint { task, version: Version::FIRST, due_at, priority, class, bucket }
    };
    let burst = (0..6_000).map(|_| hint(Priority::Normal, noon()));
    let urgent = (1..100).map(|millis| hint(Priority::High, noon().plus(millis)));
    let all: Vec<Hint> = burst.chain(urgent).collect();
    let (hints, stop) = (&bench.parts().hints, CancellationToken::new());
    hints.add(&all).await.unwrap();
    let taken = async {
        let mut taken = Vec::new();
        while taken.len() < all.len() {
            let wait = Duration::from_secs(1);
            taken.extend(hints.pop(HintScope::All, all.len(), clock.as_ref(), wait).await.unwrap());
        }
        stop.cancel();
        taken
    };
    let (taken, ()) = tokio::join!(taken, bench.loops.mover.run(stop.clone()));
    let moments = |lane| -> BTreeSet<Timestamp> {
        taken.iter().filter(|hint| hint.priority == lane).map(|hint| hint.moved_at).collect()
    };
    let (burst, urgent) = (moments(Priority::Normal), moments(Priority::High));
    // One call for the first batch, and then one for at most 250 hints of each bucket.
    assert!(burst.len() > 3, "{burst:?}");
    // High priority is polled more than once per pass over all buckets.
    let interleaved = urgent.range(..*burst.last().unwrap()).count();
    assert!(interleaved > 10, "{interleaved} of {urgent:?} between {burst:?}");
}

/// The product's task handler, which records its largest batch. It has no canary, so that hints can
/// be counted.
#[derive(Default)]
struct BatchRecorder(AtomicUsize);

#[async_trait]
impl TaskHandler for BatchRecorder {
    fn kinds(&self) -> &'static [&'static str] {
        Kind::NAMES
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        self.0.fetch_max(tasks.len(), Relaxed);
        TaskKinds.apply(tx, kind, tasks, at, after).await
    }
}

#[tokio::test]
async fn a_concurrency_limit_bounds_the_batch_size() {
    let clock = Arc::new(ManualClock::at(noon()));
    for bench in [Bench::embedded(clock.clone()).await, Bench::servers(Arc::new(SystemClock)).await] {
        bench.parts().engine.set_limits(vec![store::execute::Limit {
            kind: Kind::ArticlePublish.as_str(),
            max_concurrency: Some(3),
            rate: None,
        }]);
        bench.schedule(&[bench.parts().clock.now().plus(-5_000); 20]).await;
        let mut rounds = 0;
        while bench.lag().await.count < 20 {
            bench.loops.sweeper.tick(bench.parts().clock.now().plus(1)).await;
            rounds += 1;
            assert!(rounds < 20, "all tasks must be executed within 20 rounds");
        }
        assert_eq!(bench.recorder.0.load(Relaxed), 3);
    }
}
