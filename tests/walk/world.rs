//! One seed's world: a database, a lying hint store, nodes whose loops are driven step by step.
//!
//! Of all futures one runs at a time, from gap to gap: whatever happens between two gaps of a node, chance decides.

use crate::{
    base::Base,
    dice::Dice,
    lies::Lies,
    model::{Effect, Model},
    people::learn_what_was_held,
    post::Post,
};
use async_trait::async_trait;
use domain::{Clock as _, NodeId, TaskId, Timestamp, clock::ManualClock};
use presstime::{
    kinds::Kinds,
    parts::Parts,
    worker::{Loop, Loops, Pulse, dispatcher::Dispatcher},
};
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
    execute::{Aftermath, Effects, Taken, Verdict},
    mutant::{gap, was_gap},
};
use uuid::Uuid;

/// Monday morning.
pub const BEGIN: Timestamp = Timestamp::from_millis(1_803_888_000_000);
pub const NODES: usize = 3;
/// Feeder, mover, consumer, sweeper, dispatcher.
pub const LOOPS: usize = 5;
pub const DISPATCHER: usize = LOOPS - 1;

/// What everything in one world shares.
pub struct Shared {
    pub dice: Dice,
    pub clock: ManualClock,
    trace: AtomicU64,
    is_calm: AtomicBool,
    is_loud: bool,
    is_doomed: AtomicBool,
    /// Whether the witness wrote since somebody looked.
    has_news: AtomicBool,
}

impl Shared {
    /// Whether the lying and dying is over.
    pub fn is_calm(&self) -> bool {
        self.is_calm.load(Relaxed)
    }

    /// Writes a word into the trace.
    pub fn trace(&self, word: impl Into<i64>) {
        let mixed = (self.trace.load(Relaxed) ^ word.into() as u64).wrapping_mul(0x0100_0000_01B3);
        self.trace.store(mixed ^ (mixed >> 29), Relaxed);
    }

    /// Prints a step of a seed that is repeated.
    pub fn tell(&self, what: impl FnOnce() -> String) {
        if self.is_loud {
            println!("{:6} ms  {}", self.now().since(BEGIN), what());
        }
    }

    pub fn hash(&self) -> u64 {
        self.trace.load(Relaxed)
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The process dies here, now and then.
    async fn may_die(&self) {
        if !self.is_calm() && self.dice.chance(6) {
            self.is_doomed.store(true, Relaxed);
            gap().await;
        }
    }
}

/// The clock as nodes see it.
struct Watch(Arc<Shared>);

impl domain::Clock for Watch {
    fn now(&self) -> Timestamp {
        self.0.now()
    }
}

/// The real effects, with a witness who writes down what becomes true together with them.
struct Witness(Arc<Shared>);

#[async_trait]
impl Effects for Witness {
    fn kinds(&self) -> &'static [&'static str] {
        Kinds.kinds()
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[Taken],
        at: Timestamp,
        after: &mut Aftermath,
    ) -> Result<Vec<Verdict>, StoreError> {
        self.0.may_die().await;
        self.0.has_news.store(true, Relaxed);
        let verdicts = Kinds.apply(tx, kind, tasks, at, after).await?;
        let done = tasks.iter().zip(&verdicts).filter(|(_, verdict)| !matches!(verdict, Verdict::Dead(_)));
        for (task, _) in done {
            let Conn::Sqlite(c) = tx.conn() else { unreachable!("the worlds stand on SQLite") };
            sqlx::query("insert into witness (task, version, article, revision) values ($1, $2, $3, $4)")
                .bind(task.id.0)
                .bind(task.version.0)
                .bind(task.target_id)
                .bind(task.revision_id.map(|id| id.0))
                .execute(c)
                .await?;
        }
        self.0.may_die().await;
        Ok(verdicts)
    }
}

type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A process.
struct Node {
    loops: Loops,
    work: [Option<Work>; LOOPS],
}

/// One seed's world.
pub struct World<'b> {
    pub shared: Arc<Shared>,
    pub base: &'b Base,
    pub lies: Arc<Lies>,
    pub model: Model,
    pub post: Arc<Post>,
    /// The people's side of the desk.
    pub parts: Parts,
    nodes: Vec<Node>,
    seen: i64,
    pub has_post: bool,
}

impl<'b> World<'b> {
    /// A fresh world on a database that is wiped for it.
    pub async fn new(base: &'b Base, seed: u64, is_loud: bool) -> Self {
        let shared = Arc::new(Shared {
            dice: Dice::new(seed),
            clock: ManualClock::at(BEGIN),
            trace: AtomicU64::new(0xCBF2_9CE4_8422_2325),
            is_calm: AtomicBool::new(false),
            is_loud,
            is_doomed: AtomicBool::new(false),
            has_news: AtomicBool::new(false),
        });
        let has_post = shared.dice.chance(15);
        base.wipe(has_post).await;
        let lies = Arc::new(Lies::new(&shared));
        let parts = parts(base, &shared, &lies, "people", NODES);
        let post = Arc::new(Post::new(&shared, &base.store));
        let nodes = (0..NODES).map(|number| node(base, &shared, &lies, &post, number)).collect();
        Self { shared, base, lies, model: Model::default(), post, parts, nodes, seen: 0, has_post }
    }

    /// Lets one loop of one node go on to its next gap; begins a round if it rested.
    pub async fn step(&mut self, number: usize, place: usize) -> Result<(), String> {
        let node = &mut self.nodes[number];
        let work = match node.work[place].take() {
            Some(work) => work,
            None => begin(node, place, self.shared.now()),
        };
        let (work, is_done) = drive(work).await;
        let is_dead = self.shared.is_doomed.swap(false, Relaxed);
        self.shared.trace((number * 64 + place * 4 + usize::from(is_done) * 2 + usize::from(is_dead)) as i64);
        self.shared.tell(|| {
            let name = ["feeder", "mover", "consumer", "sweeper", "dispatcher"][place];
            let end = ["rests at a gap", "ends", "dies"][if is_dead { 2 } else { usize::from(is_done) }];
            format!("n{number} {name} {end}")
        });
        if is_dead {
            drop(work);
            self.kill(number);
        } else if !is_done {
            self.nodes[number].work[place] = Some(work);
        }
        if place == DISPATCHER {
            self.post.look(self.base).await;
        }
        self.look().await
    }

    /// A node dies where it stands and is started again.
    pub fn kill(&mut self, number: usize) {
        self.nodes[number] = node(self.base, &self.shared, &self.lies, &self.post, number);
    }

    /// Holds what the witness wrote against the model.
    pub async fn look(&mut self) -> Result<(), String> {
        if !self.shared.has_news.swap(false, Relaxed) {
            return self.post.verdict();
        }
        let now = self.shared.now();
        learn_what_was_held(self).await;
        for (seq, effect) in self.base.witness(self.seen).await {
            self.seen = seq;
            let place = self.model.tasks.iter().position(|task| task.id == effect.task);
            self.shared.trace(place.map_or(-1, |place| place as i64) * 100 + i64::from(effect.version));
            self.shared.trace(now.since(BEGIN));
            self.shared.tell(|| format!("{effect:?}"));
            self.model.effect(&effect, now)?;
        }
        self.post.verdict()
    }

    /// From here on nothing lies and nothing dies; what was under way ends.
    pub async fn calm(&mut self) -> Result<(), String> {
        self.shared.is_calm.store(true, Relaxed);
        self.lies.come_back();
        for number in 0..NODES {
            for place in 0..LOOPS {
                while self.nodes[number].work[place].is_some() {
                    self.step(number, place).await?;
                }
            }
        }
        Ok(())
    }

    /// One whole round of one loop.
    pub async fn round(&mut self, number: usize, place: usize) -> Result<(), String> {
        self.step(number, place).await?;
        while self.nodes[number].work[place].is_some() {
            self.step(number, place).await?;
        }
        Ok(())
    }
}

fn parts(base: &Base, shared: &Arc<Shared>, lies: &Arc<Lies>, name: &str, number: usize) -> Parts {
    let clock = Arc::new(Watch(Arc::clone(shared)));
    let hints = Arc::clone(lies) as Arc<dyn Hints>;
    let effects = Arc::new(Witness(Arc::clone(shared)));
    Parts {
        hints,
        effects,
        clock,
        node: name.into(),
        node_id: NodeId(Uuid::from_u128(0xE000 + number as u128)),
        committed: Arc::default(),
        posted: Arc::default(),
        pulse: Arc::new(Pulse::new(shared.now())),
        ..base.parts.clone()
    }
}

fn node(base: &Base, shared: &Arc<Shared>, lies: &Arc<Lies>, post: &Arc<Post>, number: usize) -> Node {
    let parts = parts(base, shared, lies, &format!("n{number}"), number);
    // Chance is the world's, and the waits of messages are not what it is about.
    let dispatcher = Dispatcher::through(parts.by_cautious_clock(), Arc::clone(post) as _, || 0.5);
    let loops = Loops { dispatcher: Arc::new(dispatcher), ..Loops::new(&parts) };
    Node { loops, work: Default::default() }
}

fn begin(node: &Node, place: usize, now: Timestamp) -> Work {
    let one: Arc<dyn Loop> = match place {
        0 => Arc::clone(&node.loops.feeder) as _,
        1 => Arc::clone(&node.loops.mover) as _,
        2 => Arc::clone(&node.loops.consumer) as _,
        3 => Arc::clone(&node.loops.sweeper) as _,
        _ => Arc::clone(&node.loops.dispatcher) as _,
    };
    Box::pin(async move { one.tick(now).await })
}

/// Runs it to its end or its next gap; says whether it ended.
async fn drive(mut work: Work) -> (Work, bool) {
    let is_done = poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending if was_gap() => Poll::Ready(false),
        Poll::Pending => Poll::Pending,
    })
    .await;
    (work, is_done)
}

/// A row of the witness.
pub fn effect(
    (seq, task, version, article, revision): (i64, Uuid, i32, Uuid, Option<Uuid>),
) -> (i64, Effect) {
    (seq, Effect { task: TaskId(task), version, article, revision })
}
