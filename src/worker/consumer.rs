//! Consumer: takes hints from the publish lists and executes the tasks in SQL, which alone decides.

use super::{Loop, Name, executor::Executor, wrong};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::{Lane, Timestamp};
use futures::future::join_all;
use queue::QueueError;
use std::time::Duration;
use store::{Store, execute::Claim, point};
use tokio_util::sync::CancellationToken;

/// How long it waits for a hint before it shows that it lives.
const WAIT: Duration = Duration::from_secs(1);
/// Most tasks in the first batch after a rest: the first of a burst must not wait for five hundred others.
const FIRST: usize = 16;
/// Batches at once on PostgreSQL, each of these lanes: while one waits for the disk or for us, the server works on another. What is
/// urgent and comes into a crowd finds one that is free.
const SERVER: [&[Lane]; 5] = [Lane::ALL, Lane::ALL, Lane::ALL, Lane::ALL, &[Lane::High]];
/// And on SQLite, which has one writer: while it works on one, the other is made ready.
const FILE: [&[Lane]; 2] = [Lane::ALL; 2];
/// How long it rests when it may not work, or cannot.
const REST: Duration = Duration::from_millis(200);

/// The consumer.
pub struct Consumer {
    parts: Parts,
    executor: Executor,
}

impl Consumer {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { executor: Executor::new(parts.clone()), parts }
    }

    async fn take(&self, lanes: &[Lane], most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let hints = self.parts.hints.take(lanes, most, self.parts.clock.as_ref(), wait).await?;
        Ok(hints.into_iter().map(Claim::from).collect())
    }

    /// Executes, lane by lane: what is urgent does not wait for hundreds of others to be done with it. False: the database is
    /// away.
    async fn consume(&self, claims: &[Claim]) -> bool {
        if claims.is_empty() {
            return self.consume_lane(claims).await;
        }
        let mut left = claims;
        for lane in claims.chunk_by(|one, next| one.lane == next.lane) {
            left = &left[lane.len()..];
            if !self.consume_lane(lane).await {
                self.executor.give_back(left).await;
                return false;
            }
        }
        true
    }

    /// Executes and shows that it lives. False: the database is away.
    async fn consume_lane(&self, claims: &[Claim]) -> bool {
        let done = self.executor.execute(Name::Consumer, claims).await;
        let now = self.parts.clock.now();
        match &done {
            Ok(_) => self.parts.pulse.beat(Name::Consumer, now),
            Err(error) => {
                tracing::warn!("tasks were not executed: {error:?}");
                self.parts.pulse.trouble(Name::Consumer, now, wrong(error));
            }
        }
        done.is_ok()
    }

    /// One round that waits for at most `most` hints of these lanes, and how many the next one may take. False: better rest
    /// before the next one.
    async fn round(&self, lanes: &[Lane], most: &mut usize, stop: &CancellationToken) -> bool {
        if self.executor.is_held() {
            self.parts.pulse.beat(Name::Consumer, self.parts.clock.now());
            return false;
        }
        let take = self.take(lanes, *most, WAIT);
        tokio::pin!(take);
        let taken = tokio::select! {
            biased;
            taken = &mut take => taken,
            () = stop.cancelled() => match self.parts.hints.is_shared() {
                // An answer may be on its way: dropped here, its hints would be missed by all nodes for a second.
                true => take.await,
                false => return true,
            },
        };
        match taken {
            Ok(claims) => {
                if point::pass_with(&claims, "consumer.popped").await.is_err() {
                    return false;
                }
                *most = if claims.len() < *most { self.first() } else { self.parts.at_once.min(*most * 4) };
                let is_done = self.consume(&claims).await;
                // As if the database were away; the hints are used up.
                is_done && point::pass_with(&claims, "consumer.done").await.is_ok()
            }
            // The sweeper carries everything meanwhile; the mover and the engine page say that the hints are away.
            Err(_) => {
                self.parts.pulse.beat(Name::Consumer, self.parts.clock.now());
                false
            }
        }
    }

    fn first(&self) -> usize {
        self.parts.at_once.min(FIRST)
    }

    async fn work(&self, lanes: &[Lane], stop: &CancellationToken) {
        let mut most = self.first();
        while !stop.is_cancelled() {
            if !self.round(lanes, &mut most, stop).await {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(REST) => {}
                }
            }
        }
    }
}

#[async_trait]
impl Loop for Consumer {
    fn name(&self) -> Name {
        Name::Consumer
    }

    async fn tick(&self, now: Timestamp) {
        if self.executor.is_held() {
            self.parts.pulse.beat(Name::Consumer, now);
            return;
        }
        while let Ok(claims) = self.take(Lane::ALL, self.parts.at_once, Duration::ZERO).await {
            if !self.consume(&claims).await || claims.is_empty() {
                return;
            }
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let batches: &[&[Lane]] =
            if matches!(self.parts.store, Store::Sqlite { .. }) { &FILE } else { &SERVER };
        self.executor.rehearse(batches.len()).await;
        join_all(batches.iter().map(|lanes| self.work(lanes, &stop))).await;
    }
}
