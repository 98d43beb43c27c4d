//! The simulated cluster of one seed: a database, a faulty hint store, and nodes whose loops run
//! step by step.
//!
//! One future runs at a time, from one gap to the next. The random generator decides what happens
//! in between.

use crate::simulation::{
    database::Database,
    fake_receiver::FakeReceiver,
    faulty_hints::FaultyHints,
    model::{Effect, Model},
    rng::Rng,
    users::learn_failed,
};
use async_trait::async_trait;
use domain::{Clock as _, NodeId, TaskId, Timestamp, clock::ManualClock};
use engine::{Context, EngineState, Execution, Loop, Loops, NodeIdentity, dispatcher::Dispatcher};
use presstime::{app_state::AppState, kinds::TaskKinds};
use queue::Hints;
use std::{
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    task::Poll,
};
use store::{
    Conn, StoreError, Tx,
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
    mutant::{gap, was_gap},
};
use uuid::Uuid;

/// Monday morning.
pub const BEGIN: Timestamp = Timestamp::from_millis(1_803_888_000_000);
pub const NODES: usize = 3;
/// Feeder, mover, consumer, sweeper, dispatcher.
pub const LOOPS: usize = 5;
pub const DISPATCHER: usize = LOOPS - 1;

/// State that all parts of one simulated cluster share.
pub struct Shared {
    pub rng: Rng,
    pub clock: ManualClock,
    trace: AtomicU64,
    are_faults_over: AtomicBool,
    is_verbose: bool,
    is_crashing: AtomicBool,
    /// Whether the observer has recorded effects that were not checked yet.
    has_effects: AtomicBool,
}

impl Shared {
    /// Whether no more faults and crashes happen.
    pub fn are_faults_over(&self) -> bool {
        self.are_faults_over.load(Relaxed)
    }

    /// Adds a value to the trace's hash.
    pub fn trace(&self, word: impl Into<i64>) {
        let mixed = (self.trace.load(Relaxed) ^ word.into() as u64).wrapping_mul(0x0100_0000_01B3);
        self.trace.store(mixed ^ (mixed >> 29), Relaxed);
    }

    /// Prints a step if one seed is repeated.
    pub fn print_step(&self, what: impl FnOnce() -> String) {
        if self.is_verbose {
            println!("{:6} ms  {}", self.now().since(BEGIN), what());
        }
    }

    pub fn hash(&self) -> u64 {
        self.trace.load(Relaxed)
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Crashes the process here with a probability of 6 %.
    async fn maybe_crash(&self) {
        if !self.are_faults_over() && self.rng.chance(6) {
            self.is_crashing.store(true, Relaxed);
            gap().await;
        }
    }
}

/// The clock of the nodes.
struct NodeClock(Arc<Shared>);

impl domain::Clock for NodeClock {
    fn now(&self) -> Timestamp {
        self.0.now()
    }
}

/// The real effects. Records each one in a table in the same transaction.
struct Observer(Arc<Shared>);

#[async_trait]
impl TaskHandler for Observer {
    fn kinds(&self) -> &'static [&'static str] {
        TaskKinds.kinds()
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        self.0.maybe_crash().await;
        self.0.has_effects.store(true, Relaxed);
        let verdicts = TaskKinds.apply(tx, kind, tasks, at, after).await?;
        let done = tasks.iter().zip(&verdicts).filter(|(_, verdict)| !matches!(verdict, Verdict::Dead(_)));
        for (task, _) in done {
            let Conn::Sqlite(c) = tx.conn() else { unreachable!("the simulation runs on SQLite") };
            sqlx::query("insert into observation (task, version, article, revision) values ($1, $2, $3, $4)")
                .bind(task.id.0)
                .bind(task.version.0)
                .bind(task.target_id)
                .bind(task.revision_id.map(|id| id.0))
                .execute(c)
                .await?;
        }
        self.0.maybe_crash().await;
        Ok(verdicts)
    }
}

type Work = Pin<Box<dyn Future<Output = ()>>>;

/// One process.
struct Node {
    loops: Loops,
    work: [Option<Work>; LOOPS],
}

/// The simulated cluster of one seed.
pub struct Cluster<'b> {
    pub shared: Arc<Shared>,
    pub database: &'b Database,
    pub hints: Arc<FaultyHints>,
    pub model: Model,
    pub receiver: Arc<FakeReceiver>,
    /// The process that serves the users.
    pub app_state: AppState,
    nodes: Vec<Node>,
    seen: i64,
    pub has_deliveries: bool,
}

impl<'b> Cluster<'b> {
    /// Creates a cluster and resets the database.
    pub async fn new(database: &'b Database, seed: u64, is_verbose: bool) -> Self {
        let shared = Arc::new(Shared {
            rng: Rng::new(seed),
            clock: ManualClock::at(BEGIN),
            trace: AtomicU64::new(0xCBF2_9CE4_8422_2325),
            are_faults_over: AtomicBool::new(false),
            is_verbose,
            is_crashing: AtomicBool::new(false),
            has_effects: AtomicBool::new(false),
        });
        let has_deliveries = shared.rng.chance(15);
        database.reset(has_deliveries).await;
        let hints = Arc::new(FaultyHints::new(&shared));
        let app_state = app_state(database, &shared, &hints, "users", NODES);
        let receiver = Arc::new(FakeReceiver::new(&shared, &database.store));
        let nodes = (0..NODES).map(|number| node(database, &shared, &hints, &receiver, number)).collect();
        Self {
            shared,
            database,
            hints,
            model: Model::default(),
            receiver,
            app_state,
            nodes,
            seen: 0,
            has_deliveries,
        }
    }

    /// Runs one loop of one node to its next gap. Starts a round if none is running.
    pub async fn step(&mut self, number: usize, index: usize) -> Result<(), String> {
        let node = &mut self.nodes[number];
        let work = match node.work[index].take() {
            Some(work) => work,
            None => begin(node, index, self.shared.now()),
        };
        let (work, is_done) = drive(work).await;
        let is_dead = self.shared.is_crashing.swap(false, Relaxed);
        self.shared.trace((number * 64 + index * 4 + usize::from(is_done) * 2 + usize::from(is_dead)) as i64);
        self.shared.print_step(|| {
            let name = ["feeder", "mover", "consumer", "sweeper", "dispatcher"][index];
            let end = ["stops at a gap", "ends", "crashes"][if is_dead { 2 } else { usize::from(is_done) }];
            format!("n{number} {name} {end}")
        });
        if is_dead {
            drop(work);
            self.kill(number);
        } else if !is_done {
            self.nodes[number].work[index] = Some(work);
        }
        if index == DISPATCHER {
            self.receiver.observe(self.database).await;
        }
        self.observe().await
    }

    /// Crashes a node and restarts it.
    pub fn kill(&mut self, number: usize) {
        self.nodes[number] = node(self.database, &self.shared, &self.hints, &self.receiver, number);
    }

    /// Checks what the observer recorded against the model.
    pub async fn observe(&mut self) -> Result<(), String> {
        if !self.shared.has_effects.swap(false, Relaxed) {
            return self.receiver.verdict();
        }
        let now = self.shared.now();
        learn_failed(self).await;
        for (seq, effect) in self.database.observations(self.seen).await {
            self.seen = seq;
            let index = self.model.tasks.iter().position(|task| task.id == effect.task);
            self.shared.trace(index.map_or(-1, |index| index as i64) * 100 + i64::from(effect.version));
            self.shared.trace(now.since(BEGIN));
            self.shared.print_step(|| format!("{effect:?}"));
            self.model.effect(&effect, now)?;
        }
        self.receiver.verdict()
    }

    /// Ends all faults and finishes the rounds that have begun.
    pub async fn end_faults(&mut self) -> Result<(), String> {
        self.shared.are_faults_over.store(true, Relaxed);
        self.hints.restore();
        for number in 0..NODES {
            for index in 0..LOOPS {
                while self.nodes[number].work[index].is_some() {
                    self.step(number, index).await?;
                }
            }
        }
        Ok(())
    }

    /// Runs one whole round of one loop.
    pub async fn round(&mut self, number: usize, index: usize) -> Result<(), String> {
        self.step(number, index).await?;
        while self.nodes[number].work[index].is_some() {
            self.step(number, index).await?;
        }
        Ok(())
    }
}

fn app_state(
    database: &Database,
    shared: &Arc<Shared>,
    hints: &Arc<FaultyHints>,
    name: &str,
    number: usize,
) -> AppState {
    let clock = Arc::new(NodeClock(Arc::clone(shared)));
    let hints = Arc::clone(hints) as Arc<dyn Hints>;
    let effects = Arc::new(Observer(Arc::clone(shared)));
    let context = Context {
        hints,
        execution: Execution { handler: effects, ..database.app_state.context.execution.clone() },
        clock,
        node: NodeIdentity {
            name: name.into(),
            id: NodeId(Uuid::from_u128(0xE000 + number as u128)),
            ..database.app_state.context.node.clone()
        },
        committed: Arc::default(),
        deliveries_added: Arc::default(),
        engine: Arc::new(EngineState::new(shared.now())),
        ..database.app_state.context.clone()
    };
    AppState {
        context,
        senders: Arc::clone(&database.app_state.senders),
        media: database.app_state.media.clone(),
        imports: database.app_state.imports.clone(),
        hooks: database.app_state.hooks,
        links_asked: Arc::default(),
    }
}

fn node(
    database: &Database,
    shared: &Arc<Shared>,
    hints: &Arc<FaultyHints>,
    receiver: &Arc<FakeReceiver>,
    number: usize,
) -> Node {
    let app_state = app_state(database, shared, hints, &format!("n{number}"), number);
    // A constant instead of random jitter: the simulation does not test the retry delays of
    // messages.
    let dispatcher =
        Dispatcher::with_sender(app_state.context.by_cautious_clock(), Arc::clone(receiver) as _, || 0.5);
    let loops = Loops { dispatcher: Arc::new(dispatcher), ..Loops::new(&app_state) };
    Node { loops, work: Default::default() }
}

fn begin(node: &Node, index: usize, now: Timestamp) -> Work {
    let one: Arc<dyn Loop> = match index {
        0 => Arc::clone(&node.loops.feeder) as _,
        1 => Arc::clone(&node.loops.mover) as _,
        2 => Arc::clone(&node.loops.consumer) as _,
        3 => Arc::clone(&node.loops.sweeper) as _,
        _ => Arc::clone(&node.loops.dispatcher) as _,
    };
    Box::pin(async move { one.tick(now).await })
}

/// Runs a future to its end or its next gap. Returns whether it ended.
async fn drive(mut work: Work) -> (Work, bool) {
    let is_done = poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending if was_gap() => Poll::Ready(false),
        Poll::Pending => Poll::Pending,
    })
    .await;
    (work, is_done)
}

/// Converts a row of the observer's table.
pub fn effect(
    (seq, task, version, article, revision): (i64, Uuid, i32, Uuid, Option<Uuid>),
) -> (i64, Effect) {
    (seq, Effect { task: TaskId(task), version, article, revision })
}
