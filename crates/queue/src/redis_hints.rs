//! Hints in Redis or Valkey: shared by all nodes, bounded by the window.

use crate::{
    Guest, Health, Hints, MOST_BUCKETS, Promoted, QueueError, Shown, Waiting,
    breaker::Breaker,
    guests,
    handed::Handed,
    health,
    keys::Keys,
    link::Link,
    member::{self, Raw},
    news::{News, Word},
    place::Place,
    scripts, take,
    wire::Wire,
};
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, Lane, TaskId, Timestamp};
use futures::future::try_join_all;
use redis::{FromRedisValue, Pipeline, pipe};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// Most hints in one command: a longer one would hold up everybody else at the server.
const CHUNK: usize = 1_000;
/// Most commands in one round trip of [`RedisHints::add`].
const PIPELINE: usize = 10;
/// The head of a bucket nothing is known of.
const UNKNOWN: i64 = i64::MAX;

/// Future sets and publish lists in Redis. Made without connecting.
pub struct RedisHints {
    keys: Keys,
    buckets: AtomicU16,
    served: AtomicU16,
    /// For the mover and the consumer: nothing long goes here.
    hot: Link,
    /// For everybody else.
    bulk: Link,
    news: News,
    /// Marks what this process says to the others.
    own: String,
    /// The head of each bucket as last seen.
    heads: Vec<AtomicI64>,
    /// Calls of promote under way: what they answer may be older than what was just added.
    promoting: AtomicU32,
    head_changed: Notify,
    due: Notify,
    /// Rung for the high lane alone.
    urgent: Notify,
    handed: Handed,
    /// The bucket that is first in the next take, so that none starves.
    turn: AtomicUsize,
}

impl RedisHints {
    /// The hints at `url`, with keys under `prefix` (`pt`, unless several desks share a server).
    /// `QueueError::Address`: that is not an address. The server is not asked yet.
    pub fn new(url: &str, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        Self::of(url, None, prefix, buckets)
    }

    /// The same at `rediss://…`, where the servers are believed by these authorities (certificates, PEM) instead of the public ones.
    pub fn vouched_for(url: &str, authorities: &str, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        Self::of(url, Some(authorities), prefix, buckets)
    }

    fn of(url: &str, authorities: Option<&str>, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        let place = Arc::new(Place::read(url, authorities)?);
        let (keys, breaker) = (Keys::under(prefix), Arc::new(Breaker::default()));
        let buckets = buckets.clamp(1, MOST_BUCKETS);
        Ok(Self {
            news: News::new(Arc::clone(&place), &keys),
            hot: Link::new(Arc::clone(&place), Arc::clone(&breaker)),
            bulk: Link::new(place, breaker),
            keys,
            own: TaskId::fresh().to_string(),
            heads: (0..MOST_BUCKETS).map(|_| AtomicI64::new(UNKNOWN)).collect(),
            promoting: AtomicU32::new(0),
            head_changed: Notify::new(),
            due: Notify::new(),
            urgent: Notify::new(),
            handed: Handed::default(),
            turn: AtomicUsize::new(0),
            buckets: AtomicU16::new(buckets),
            served: AtomicU16::new(buckets),
        })
    }

    /// Sends one pipeline a bucket, all at once: over one connection that is one round trip.
    async fn send<T: FromRedisValue>(&self, of_buckets: &[Pipeline]) -> Result<Vec<T>, QueueError> {
        let wire = self.bulk.connection().await?;
        let asked = of_buckets.iter().map(|pipeline| {
            let mut wire = wire.clone();
            async move { pipeline.query_async(&mut wire).await }
        });
        self.bulk.settle(try_join_all(asked).await)
    }

    async fn say(&self, channel: String) -> Result<(), QueueError> {
        let mut wire = self.bulk.connection().await?;
        let said = redis::cmd("PUBLISH").arg(channel).arg(&self.own).exec_async(&mut wire).await;
        self.bulk.settle(said)
    }

    /// One pipeline for each bucket.
    fn ask_each(&self, ask: impl Fn(&mut Pipeline, u16)) -> Vec<Pipeline> {
        let of = |bucket| {
            let mut pipeline = pipe();
            ask(&mut pipeline, bucket);
            pipeline
        };
        (0..self.served()).map(of).collect()
    }

    /// Whether one of the hints is the head of its bucket now, or may be; remembers the new heads.
    fn became_head(&self, hints: &[Hint]) -> bool {
        let mut became = self.promoting.load(SeqCst) > 0;
        for hint in hints {
            let due = hint.due_at.millis();
            if let Some(head) = self.heads.get(usize::from(hint.bucket)) {
                became |= due < head.fetch_min(due, SeqCst);
            }
        }
        became
    }

    /// The publish lists of these lanes, high ones first; within a lane another bucket is first each time.
    fn publish_lists(&self, lanes: &[Lane]) -> Vec<(u16, Lane)> {
        let (turn, buckets) = (self.turn.fetch_add(1, SeqCst), usize::from(self.served()));
        let place = |at: usize| u16::try_from((turn + at) % buckets).unwrap_or(0);
        lanes.iter().flat_map(|lane| (0..buckets).map(move |at| (place(at), *lane))).collect()
    }

    /// `None`: there is nothing. What was no hint is dropped.
    async fn pop(
        &self,
        lanes: &[Lane],
        limit: usize,
        clock: &dyn Clock,
    ) -> Result<Option<Vec<DueHint>>, QueueError> {
        let lists = self.publish_lists(lanes);
        let names: Vec<String> =
            lists.iter().map(|(bucket, lane)| self.keys.publish(*bucket, *lane)).collect();
        let taken = match self.hot.connection().await? {
            Wire::One(mut server) => scripts::take(&mut server, &names, limit).await,
            Wire::Many(cluster) => {
                take::from_cluster(&cluster, &names, names.len() / lanes.len().max(1), limit).await
            }
        };
        let taken = self.hot.settle(taken)?;
        let popped_at = clock.now();
        let read = |(place, raw): (usize, Vec<Raw>)| {
            let (bucket, lane) = lists.get(place.wrapping_sub(1)).copied().unwrap_or((0, Lane::Normal));
            read(raw, bucket, lane, popped_at)
        };
        Ok((!taken.is_empty()).then(|| taken.into_iter().flat_map(read).collect()))
    }
}

#[async_trait]
impl Hints for RedisHints {
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError> {
        for part in hints.chunks(CHUNK * PIPELINE) {
            let mut pipelines = BTreeMap::<u16, Pipeline>::new();
            for ((bucket, lane), of_key) in by_key(part) {
                let pipeline = pipelines.entry(bucket).or_default();
                for chunk in of_key.chunks(CHUNK) {
                    let pairs: Vec<(i64, String)> =
                        chunk.iter().map(|hint| (hint.due_at.millis(), member::waiting(hint))).collect();
                    pipeline.zadd_multiple(self.keys.future(bucket, lane), &pairs).ignore();
                }
            }
            self.send::<()>(&Vec::from_iter(pipelines.into_values())).await?;
        }
        if self.became_head(hints) {
            self.head_changed.notify_one();
            self.say(self.keys.head_channel()).await?;
        }
        Ok(())
    }

    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        for part in hints.chunks(CHUNK * PIPELINE) {
            let mut pipelines = BTreeMap::<u16, Pipeline>::new();
            for ((bucket, lane), of_key) in by_key(part) {
                let pipeline = pipelines.entry(bucket).or_default();
                for chunk in of_key.chunks(CHUNK) {
                    let texts: Vec<String> = chunk.iter().map(|hint| member::due(hint, now)).collect();
                    pipeline.rpush(self.keys.publish(bucket, lane), &texts).ignore();
                }
            }
            self.send::<()>(&Vec::from_iter(pipelines.into_values())).await?;
        }
        self.say(self.keys.due_channel()).await?;
        self.due.notify_waiters();
        self.urgent.notify_waiters();
        Ok(())
    }

    async fn promote(
        &self,
        bucket: u16,
        lanes: &[Lane],
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError> {
        let mut wire = self.hot.connection().await?;
        self.promoting.fetch_add(1, SeqCst);
        let _done = Leave(&self.promoting);
        let wanted = self.handed.wanted();
        let answer =
            scripts::promote(&mut wire, &self.keys, bucket, lanes, now, limit.min(1_000), wanted).await;
        let (moved, next_due, fed, left, high, normal, low) = self.hot.settle(answer)?;
        if let Some(head) = self.heads.get(usize::from(bucket)) {
            head.store(if next_due < 0 { UNKNOWN } else { next_due }, SeqCst);
        }
        for (raw, lane) in [high, normal, low].into_iter().zip(Lane::ALL) {
            self.handed.put(read(raw, bucket, *lane, now));
        }
        if moved > 0 {
            self.due.notify_one();
        }
        if left > 0 {
            self.urgent.notify_one();
        }
        let moment = |millis: i64| (millis >= 0).then(|| Timestamp::from_millis(millis));
        Ok(Promoted { moved, next_due: moment(next_due), fed_until: moment(fed) })
    }

    async fn take(
        &self,
        lanes: &[Lane],
        limit: usize,
        now: &dyn Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        let takes_all = lanes == Lane::ALL;
        let bell = if takes_all { &self.due } else { &self.urgent };
        let until = Instant::now() + wait;
        loop {
            // Listens before it looks: what comes in between is not slept through.
            let rung = bell.notified();
            tokio::pin!(rung);
            rung.as_mut().enable();
            let mut taken = if takes_all { self.handed.take(limit, now) } else { Vec::new() };
            if taken.is_empty() {
                taken = match self.pop(lanes, limit, now).await? {
                    // Only what is no hint: behind it may be some.
                    Some(hints) if hints.is_empty() => continue,
                    some => some.unwrap_or_default(),
                };
            }
            // There may be more: one after the other is woken, and none for nothing.
            if taken.len() >= limit {
                bell.notify_one();
            }
            let _waits = (takes_all && taken.is_empty()).then(|| self.handed.wait());
            if !taken.is_empty() || tokio::time::timeout_at(until.into(), rung).await.is_err() {
                return Ok(taken);
            }
        }
    }

    async fn fed(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        let asked = self.ask_each(|pipeline, bucket| {
            pipeline.get(self.keys.fed(bucket));
        });
        let marks: Vec<(Option<i64>,)> = self.send(&asked).await?;
        Ok(marks.into_iter().map(|(mark,)| mark.map(Timestamp::from_millis)).collect())
    }

    async fn mark_fed(&self, until: Timestamp) -> Result<(), QueueError> {
        let asked = self.ask_each(|pipeline, bucket| {
            pipeline.set(self.keys.fed(bucket), until.millis()).ignore();
        });
        self.send::<()>(&asked).await.map(drop)
    }

    async fn changed(&self) {
        loop {
            tokio::select! {
                () = self.head_changed.notified() => return,
                word = self.news.next(&self.own) => {
                    // Consumers listen through here, too: the mover of every process waits in this function.
                    if word != Word::Head {
                        self.due.notify_one();
                        self.urgent.notify_one();
                    }
                    if word != Word::Due {
                        return;
                    }
                }
            }
        }
    }

    async fn waiting(&self) -> Result<Waiting, QueueError> {
        let asked = self.ask_each(|pipeline, bucket| {
            for lane in Lane::ALL {
                pipeline.zcard(self.keys.future(bucket, *lane));
                pipeline.llen(self.keys.publish(bucket, *lane));
                pipeline.lindex(self.keys.publish(bucket, *lane), 0);
            }
        });
        let counts: Vec<[(u64, u64, Option<Raw>); 3]> =
            self.send::<Lanes>(&asked).await?.into_iter().map(in_threes).collect();
        let counts = counts.as_flattened();
        let moved_at = |raw: &Option<Raw>| Some(member::read_due(raw.as_deref()?)?.2);
        Ok(Waiting {
            future: counts.iter().map(|count| count.0).sum(),
            publish: counts.iter().map(|count| count.1).sum(),
            oldest_moved_at: counts.iter().filter_map(|count| moved_at(&count.2)).min(),
        })
    }

    async fn show(&self, guest: Guest, now: Timestamp) -> Result<Shown, QueueError> {
        guests::show(&self.bulk, &self.keys, guest, now).await
    }

    async fn seen(&self, now: Timestamp) -> Result<Vec<Guest>, QueueError> {
        guests::seen(&self.bulk, &self.keys.nodes(), now).await
    }

    async fn health(&self) -> Health {
        let began = Instant::now();
        let told: Result<Vec<String>, QueueError> = match self.bulk.connection().await {
            Ok(mut wire) => self.bulk.settle(wire.info().await),
            Err(error) => Err(error),
        };
        let ping = began.elapsed();
        match told {
            Ok(told) => health::read(&told, ping),
            Err(error) => Health {
                name: "Redis".to_owned(),
                keeps: String::new(),
                trouble: Some(error.fault()),
                ping,
                memory: None,
            },
        }
    }

    fn buckets(&self) -> u16 {
        self.buckets.load(SeqCst)
    }

    fn served(&self) -> u16 {
        self.served.load(SeqCst)
    }

    fn resize(&self, buckets: u16, served: u16) {
        let buckets = buckets.clamp(1, MOST_BUCKETS);
        self.buckets.store(buckets, SeqCst);
        self.served.store(served.clamp(buckets, MOST_BUCKETS), SeqCst);
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// Counts a call out, however it ends.
struct Leave<'a>(&'a AtomicU32);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// The hints on a publish list; what is none is dropped.
fn read(raw: Vec<Raw>, bucket: u16, lane: Lane, popped_at: Timestamp) -> impl Iterator<Item = DueHint> {
    raw.into_iter().filter_map(move |raw| {
        let (task, version, moved_at) = member::read_due(&raw)?;
        Some(DueHint { task, version, lane, bucket, hinted_at: None, moved_at, popped_at })
    })
}

fn by_key(hints: &[Hint]) -> BTreeMap<(u16, Lane), Vec<Hint>> {
    let mut of = BTreeMap::<_, Vec<Hint>>::new();
    for hint in hints {
        of.entry((hint.bucket, hint.lane)).or_default().push(*hint);
    }
    of
}

/// Future and publish counts and the head of the publish list, of each lane.
type Lanes = (u64, u64, Option<Raw>, u64, u64, Option<Raw>, u64, u64, Option<Raw>);

fn in_threes((a, b, c, d, e, f, g, h, i): Lanes) -> [(u64, u64, Option<Raw>); 3] {
    [(a, b, c), (d, e, f), (g, h, i)]
}
