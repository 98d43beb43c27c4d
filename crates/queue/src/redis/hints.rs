//! Hint store in Redis or Valkey, shared by all nodes. Its size is bounded by the feeder's window.

use crate::{
    Buckets, FutureSet, Health, HintScope, HintServer, MAX_BUCKETS, Member, Membership, Promoted,
    PublishList, QueueDepth, QueueError, codec, health,
    keys::{Keys, group_by_key},
    order::Rank,
    redis::{
        breaker::Breaker,
        cluster_pop,
        connection::Connection,
        decrement::DecrementOnDrop,
        depth::{self, RankCounts},
        endpoint::Endpoint,
        lazy_connection::LazyConnection,
        membership,
        piggyback::Piggyback,
        pubsub::{Signal, Subscription},
        scripts::{self, Promotion},
    },
};
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, TaskId, Timestamp};
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

/// Maximum number of hints in one command: a longer one would block other clients of the server.
const MAX_HINTS_PER_COMMAND: usize = 1_000;
/// Maximum number of commands in one pipeline of [`RedisHints::add`].
const MAX_COMMANDS_PER_PIPELINE: usize = 10;
/// First due time of a bucket for which it is not known.
const UNKNOWN_DUE_TIME: i64 = i64::MAX;

/// Future sets and publish lists in Redis. Connects on first use.
pub struct RedisHints {
    keys: Keys,
    buckets: AtomicU16,
    polled: AtomicU16,
    /// Connection of the mover and the consumer: only short commands are sent here.
    fast: LazyConnection,
    /// Connection for all other commands.
    bulk: LazyConnection,
    subscription: Subscription,
    /// Sender id of this process in pub/sub messages.
    sender_id: String,
    /// Last known first due time of each bucket.
    first_due_times: Vec<AtomicI64>,
    /// Number of running promote calls: their results may be older than hints that were just added.
    promoting: AtomicU32,
    head_changed: Notify,
    due: Notify,
    /// Signals hints of [`HintScope::Urgent`] only.
    urgent: Notify,
    /// Signals high-priority hints only.
    high: Notify,
    piggyback: Piggyback,
    /// Number of the next pop: another bucket comes first, so that none starves.
    next_round: AtomicUsize,
}

impl RedisHints {
    /// Uses the server at `url`, with keys under `prefix` (`pt`, unless several installations share
    /// a server). `QueueError::InvalidAddress`: the address is invalid. Does not connect.
    pub fn new(url: &str, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        Self::build(url, None, prefix, buckets)
    }

    /// Like `new`, but trusts these CA certificates (PEM) instead of the public ones. For
    /// `rediss://…`.
    pub fn with_ca(url: &str, authorities: &str, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        Self::build(url, Some(authorities), prefix, buckets)
    }

    fn build(url: &str, authorities: Option<&str>, prefix: &str, buckets: u16) -> Result<Self, QueueError> {
        let endpoint = Arc::new(Endpoint::parse(url, authorities)?);
        let (keys, breaker) = (Keys::with_prefix(prefix), Arc::new(Breaker::default()));
        let buckets = buckets.clamp(1, MAX_BUCKETS);
        Ok(Self {
            subscription: Subscription::new(Arc::clone(&endpoint), &keys),
            fast: LazyConnection::new(Arc::clone(&endpoint), Arc::clone(&breaker)),
            bulk: LazyConnection::new(endpoint, breaker),
            keys,
            sender_id: TaskId::generate().to_string(),
            first_due_times: (0..MAX_BUCKETS).map(|_| AtomicI64::new(UNKNOWN_DUE_TIME)).collect(),
            promoting: AtomicU32::new(0),
            head_changed: Notify::new(),
            due: Notify::new(),
            urgent: Notify::new(),
            high: Notify::new(),
            piggyback: Piggyback::default(),
            next_round: AtomicUsize::new(0),
            buckets: AtomicU16::new(buckets),
            polled: AtomicU16::new(buckets),
        })
    }

    /// Sends one pipeline for each bucket, all at once: over one connection that is one round trip.
    async fn send<T: FromRedisValue>(&self, pipelines: &[Pipeline]) -> Result<Vec<T>, QueueError> {
        let connection = self.bulk.get().await?;
        let responses = pipelines.iter().map(|pipeline| {
            let mut connection = connection.clone();
            async move { pipeline.query_async(&mut connection).await }
        });
        self.bulk.record(try_join_all(responses).await)
    }

    async fn publish(&self, channel: String) -> Result<(), QueueError> {
        let mut connection = self.bulk.get().await?;
        let published =
            redis::cmd("PUBLISH").arg(channel).arg(&self.sender_id).exec_async(&mut connection).await;
        self.bulk.record(published)
    }

    /// Builds one pipeline for each bucket.
    fn pipelines_by_bucket(&self, build: impl Fn(&mut Pipeline, u16)) -> Vec<Pipeline> {
        let pipeline_of = |bucket| {
            let mut pipeline = pipe();
            build(&mut pipeline, bucket);
            pipeline
        };
        (0..self.polled_buckets()).map(pipeline_of).collect()
    }

    /// Whether one of the hints is, or may be, the first of its bucket now. Records the new first
    /// due times.
    fn became_head(&self, hints: &[Hint]) -> bool {
        let mut became = self.promoting.load(SeqCst) > 0;
        for hint in hints {
            let due = hint.due_at.millis();
            if let Some(head) = self.first_due_times.get(usize::from(hint.bucket)) {
                became |= due < head.fetch_min(due, SeqCst);
            }
        }
        became
    }

    /// Returns the publish lists of a scope in the order of the ranks; each `round` starts with another
    /// bucket.
    fn publish_lists(&self, scope: HintScope, round: usize) -> Vec<(u16, Rank)> {
        let buckets = usize::from(self.polled_buckets());
        let bucket_at = |at: usize| u16::try_from(round.wrapping_add(at) % buckets).unwrap_or(0);
        scope.ranks().flat_map(|rank| (0..buckets).map(move |at| (bucket_at(at), rank))).collect()
    }

    fn notify_all(&self) {
        for notify in [&self.due, &self.urgent, &self.high] {
            notify.notify_one();
        }
    }

    /// `None`: the lists are empty. Invalid entries are dropped.
    async fn pop_from_server(
        &self,
        scope: HintScope,
        limit: usize,
        clock: &dyn Clock,
    ) -> Result<Option<Vec<DueHint>>, QueueError> {
        let round = self.next_round.fetch_add(1, SeqCst);
        let lists = self.publish_lists(scope, round);
        let names: Vec<String> =
            lists.iter().map(|(bucket, rank)| self.keys.publish(*bucket, *rank)).collect();
        let popped = match self.fast.get().await? {
            Connection::Single(mut server) => scripts::pop(&mut server, &names, scope, (limit, round)).await,
            Connection::Cluster(cluster) => {
                cluster_pop::pop_from_cluster(&cluster, &names, scope, (limit, round)).await
            }
        };
        let popped = self.fast.record(popped)?;
        if popped.is_empty() {
            return Ok(None);
        }
        let (popped_at, mut hints) = (clock.now(), Vec::<DueHint>::new());
        for (index, raw) in popped {
            if let Some((bucket, rank)) = lists.get(index.wrapping_sub(1)) {
                hints.extend(codec::decode_all(raw, *bucket, *rank, popped_at));
            }
        }
        // The script pops what is kept for other classes first.
        hints.sort_by_key(|hint| (hint.priority, hint.class));
        Ok(Some(hints))
    }
}

#[async_trait]
impl FutureSet for RedisHints {
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError> {
        for part in hints.chunks(MAX_HINTS_PER_COMMAND * MAX_COMMANDS_PER_PIPELINE) {
            let mut pipelines = BTreeMap::<u16, Pipeline>::new();
            for ((bucket, rank), of_one_key) in group_by_key(part) {
                let pipeline = pipelines.entry(bucket).or_default();
                for chunk in of_one_key.chunks(MAX_HINTS_PER_COMMAND) {
                    let pairs: Vec<(i64, String)> =
                        chunk.iter().map(|hint| (hint.due_at.millis(), codec::encode_future(hint))).collect();
                    pipeline.zadd_multiple(self.keys.future(bucket, rank), &pairs).ignore();
                }
            }
            self.send::<()>(&Vec::from_iter(pipelines.into_values())).await?;
        }
        if self.became_head(hints) {
            self.head_changed.notify_one();
            self.publish(self.keys.head_channel()).await?;
        }
        Ok(())
    }

    async fn promote(
        &self,
        bucket: u16,
        scope: HintScope,
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError> {
        let mut connection = self.fast.get().await?;
        self.promoting.fetch_add(1, SeqCst);
        let _guard = DecrementOnDrop(&self.promoting);
        let wanted = self.piggyback.wanted();
        let what = Promotion { bucket, scope, now, limit: limit.min(1_000), wanted };
        let response = scripts::promote(&mut connection, &self.keys, what).await;
        let (moved, next_due, loaded_until, high_left, content_left, popped) = self.fast.record(response)?;
        if let Some(head) = self.first_due_times.get(usize::from(bucket)) {
            head.store(if next_due < 0 { UNKNOWN_DUE_TIME } else { next_due }, SeqCst);
        }
        for (raw, rank) in popped.into_iter().zip(Rank::all()) {
            self.piggyback.push(codec::decode_all(raw, bucket, rank, now));
        }
        if moved > 0 {
            self.due.notify_one();
        }
        if high_left + content_left > 0 {
            self.urgent.notify_one();
        }
        if high_left > 0 {
            self.high.notify_one();
        }
        let timestamp = |millis: i64| (millis >= 0).then(|| Timestamp::from_millis(millis));
        Ok(Promoted { moved, next_due: timestamp(next_due), loaded_until: timestamp(loaded_until) })
    }

    async fn loaded_until(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        let pipelines = self.pipelines_by_bucket(|pipeline, bucket| {
            pipeline.get(self.keys.loaded_until(bucket));
        });
        let marks: Vec<(Option<i64>,)> = self.send(&pipelines).await?;
        Ok(marks.into_iter().map(|(mark,)| mark.map(Timestamp::from_millis)).collect())
    }

    async fn mark_loaded(&self, until: Timestamp) -> Result<(), QueueError> {
        let pipelines = self.pipelines_by_bucket(|pipeline, bucket| {
            pipeline.set(self.keys.loaded_until(bucket), until.millis()).ignore();
        });
        self.send::<()>(&pipelines).await.map(drop)
    }

    async fn head_changed(&self) {
        loop {
            tokio::select! {
                () = self.head_changed.notified() => return,
                signal = self.subscription.next(&self.sender_id) => {
                    // Signals for the consumers arrive here too: the mover of every process waits
                    // in this function.
                    if signal != Signal::Head {
                        self.notify_all();
                    }
                    if signal != Signal::Due {
                        return;
                    }
                }
            }
        }
    }
}

#[async_trait]
impl PublishList for RedisHints {
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        for part in hints.chunks(MAX_HINTS_PER_COMMAND * MAX_COMMANDS_PER_PIPELINE) {
            let mut pipelines = BTreeMap::<u16, Pipeline>::new();
            for ((bucket, rank), of_one_key) in group_by_key(part) {
                let pipeline = pipelines.entry(bucket).or_default();
                for chunk in of_one_key.chunks(MAX_HINTS_PER_COMMAND) {
                    let texts: Vec<String> = chunk.iter().map(|hint| codec::encode_due(hint, now)).collect();
                    pipeline.rpush(self.keys.publish(bucket, rank), &texts).ignore();
                }
            }
            self.send::<()>(&Vec::from_iter(pipelines.into_values())).await?;
        }
        self.publish(self.keys.due_channel()).await?;
        for notify in [&self.due, &self.urgent, &self.high] {
            notify.notify_waiters();
        }
        Ok(())
    }

    async fn pop(
        &self,
        scope: HintScope,
        limit: usize,
        now: &dyn Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        let pops_all = scope == HintScope::All;
        let notify = match scope {
            HintScope::All => &self.due,
            HintScope::Urgent => &self.urgent,
            HintScope::High => &self.high,
        };
        let until = Instant::now() + wait;
        loop {
            // Registers before checking the lists, so that a signal in between is not lost.
            let notified = notify.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let mut popped = if pops_all { self.piggyback.pop(limit, now) } else { Vec::new() };
            if popped.is_empty() {
                popped = match self.pop_from_server(scope, limit, now).await? {
                    // Only invalid entries: valid hints may follow.
                    Some(hints) if hints.is_empty() => continue,
                    some => some.unwrap_or_default(),
                };
            }
            // More hints may be left: wakes one more consumer, which wakes the next one if needed.
            if popped.len() >= limit {
                notify.notify_one();
            }
            let _guard = (pops_all && popped.is_empty()).then(|| self.piggyback.register_waiter());
            if !popped.is_empty() || tokio::time::timeout_at(until.into(), notified).await.is_err() {
                return Ok(popped);
            }
        }
    }
}

impl Buckets for RedisHints {
    fn buckets(&self) -> u16 {
        self.buckets.load(SeqCst)
    }

    fn polled_buckets(&self) -> u16 {
        self.polled.load(SeqCst)
    }

    fn resize(&self, buckets: u16, polled: u16) {
        let buckets = buckets.clamp(1, MAX_BUCKETS);
        self.buckets.store(buckets, SeqCst);
        self.polled.store(polled.clamp(buckets, MAX_BUCKETS), SeqCst);
    }
}

#[async_trait]
impl HintServer for RedisHints {
    async fn depth(&self) -> Result<QueueDepth, QueueError> {
        let pipelines =
            self.pipelines_by_bucket(|pipeline, bucket| depth::count(pipeline, &self.keys, bucket));
        Ok(depth::sum(&self.send::<Vec<RankCounts>>(&pipelines).await?))
    }

    async fn announce(&self, member: Member, now: Timestamp) -> Result<Membership, QueueError> {
        membership::announce(&self.bulk, &self.keys, member, now).await
    }

    async fn members(&self, now: Timestamp) -> Result<Vec<Member>, QueueError> {
        membership::list(&self.bulk, &self.keys.members(), now).await
    }

    async fn health(&self) -> Health {
        let started = Instant::now();
        let infos: Result<Vec<String>, QueueError> = match self.bulk.get().await {
            Ok(mut connection) => self.bulk.record(connection.infos().await),
            Err(error) => Err(error),
        };
        let ping = started.elapsed();
        match infos {
            Ok(infos) => health::summarize(&infos, ping),
            Err(error) => Health {
                name: "Redis".to_owned(),
                persistence: String::new(),
                issue: Some((&error).into()),
                ping,
                memory: None,
            },
        }
    }

    fn is_shared(&self) -> bool {
        true
    }
}
