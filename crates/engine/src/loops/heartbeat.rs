//! Heartbeat: writes each second that this node is alive and detects dead nodes. There is no
//! leader: every node checks.

use crate::{Context, limits_of, redis_membership};
use crate::{Loop, LoopName};
use async_trait::async_trait;
use domain::{Timestamp, health::HealthIssue};
use queue::Member;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};
use store::{
    PoolRole, StoreError, db_identity, dead_nodes, failpoint, in_flight, kind_limit,
    node::{self, HeartbeatInput, HeartbeatResult},
};
use tokio_util::sync::CancellationToken;

/// Interval between heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Minimum delay between heartbeats, so that a slow database is not queried without pause.
const MIN_HEARTBEAT_DELAY: Duration = Duration::from_millis(250);
/// A heartbeat that fails after this time is reported at once; a faster failure only if it repeats.
const SLOW_FAILURE_AFTER: Duration = Duration::from_secs(2);
/// Maximum age of the consumer's last round while the engine counts as running, milliseconds. It
/// runs once a second.
const CONSUMER_ALIVE_MS: i64 = 2_500;

/// The heartbeat loop. Its write each second also shows whether the database accepts writes.
pub struct HeartbeatLoop {
    context: Context,
    has_failed: AtomicBool,
    /// Cancelled when a heartbeat reads that this node was asked to stop.
    drain: CancellationToken,
}

impl HeartbeatLoop {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { context, has_failed: AtomicBool::new(false), drain: CancellationToken::new() }
    }

    /// Completes when this node was asked to stop (`presstime drain`).
    pub async fn drain_requested(&self) {
        self.drain.cancelled().await;
    }

    /// Writes the heartbeat and returns the state of the other nodes.
    async fn write_heartbeat(&self, now: Timestamp) -> Result<HeartbeatResult, StoreError> {
        let (context, role) = (&self.context, self.context.node.role);
        let has_worked = || {
            context
                .engine
                .last_round_at(LoopName::Consumer)
                .is_some_and(|at| now.since(at) < CONSUMER_ALIVE_MS)
        };
        let beat = HeartbeatInput {
            id: context.node.id.0,
            name: &context.node.name,
            role,
            version: env!("CARGO_PKG_VERSION"),
            is_engine_alive: role.runs_engine().then(has_worked),
            overdue_checked_ago_ms: context
                .engine
                .audit
                .snapshot_at()
                .map(|at| context.clock.now().since(at)),
            timeline: context.engine.timeline(),
        };
        let began = Instant::now();
        let heartbeat = node::heartbeat(&context.store, beat, context.clock.as_ref()).await;
        context.engine.server_health.database.record(heartbeat.is_ok().then(|| began.elapsed()));
        let heartbeat = heartbeat?;
        context.engine.server_health.own_heartbeats.record(Instant::now());
        failpoint::hit("heartbeat.written").await?;
        // Measured each second: a clock that is changed while the process runs must not mislead the
        // loops for long.
        context.engine.set_offset_ms(heartbeat.offset_ms);
        for name in &heartbeat.lost {
            tracing::warn!("node {name} sends no heartbeat; the other nodes take over its work");
        }
        if heartbeat.is_back || !heartbeat.lost.is_empty() {
            context.committed.notify_waiters();
        }
        if heartbeat.is_back {
            context.execution.in_flight.force_rewrite().await;
        }
        if heartbeat.is_drain_requested {
            self.drain.cancel();
        }
        // A web node learns here when an engine last ran. The time is converted to this node's
        // clock.
        if let Some(seen_at) = heartbeat.engine_seen_at.filter(|_| !role.runs_engine()) {
            context.engine.set_last_round(
                LoopName::Consumer,
                context.clock.now().plus(seen_at.since(heartbeat.now).min(0)),
            );
        }
        Ok(heartbeat)
    }

    /// Processes the result of a heartbeat: slots in flight, dead nodes, quarantined tasks, limits,
    /// Redis membership.
    async fn process_heartbeat(&self, heartbeat: &HeartbeatResult) -> Result<(), StoreError> {
        let context = &self.context;
        // Slots that were freed here, or cleared by other nodes.
        for slot in context.execution.in_flight.slots() {
            if let Some(write) = context.execution.in_flight.pending_write(context.node.id, slot).await {
                write.write(&context.store).await?;
            }
        }
        let crashes = match context.engine.server_health.own_heartbeats.may_judge_others(Instant::now()) {
            true => {
                dead_nodes::record_crashes_of_dead_nodes(&context.store, heartbeat.now, context.clock.now())
                    .await?
            }
            false => 0,
        };
        if crashes > 0 {
            tracing::warn!(
                "{crashes} scheduled tasks were in flight at a node that died; they will be retried"
            );
            context.committed.notify_waiters();
        }
        let mut lease = context.store.read(PoolRole::Engine).await?;
        context.execution.in_flight.set_quarantined(in_flight::quarantined(lease.conn()).await?);
        context
            .engine
            .set_limits(limits_of(context.execution.handler.kinds(), &kind_limit::all(lease.conn()).await?));
        drop(lease);
        self.check_redis_membership(heartbeat).await
    }

    /// Records the result of a round.
    fn record_result(&self, now: Timestamp, began: Instant, done: Result<(), StoreError>) {
        match done {
            Ok(()) => {
                self.has_failed.store(false, Relaxed);
                self.context.engine.record_database_reachable(now);
                self.context.engine.record_round(LoopName::Heartbeat, now);
            }
            Err(error) => {
                tracing::debug!("the heartbeat was not written: {error:?}");
                let issue = HealthIssue::from(&error);
                // A single fast failure is not reported.
                if self.has_failed.swap(true, Relaxed) || began.elapsed() >= SLOW_FAILURE_AFTER {
                    self.context
                        .engine
                        .set_database_issue(Some(issue.clone()).filter(HealthIssue::is_blocking));
                }
                self.context.engine.record_error(LoopName::Heartbeat, now, issue);
            }
        }
    }

    /// Checks that all nodes of this database, and no others, use the same Redis.
    async fn check_redis_membership(&self, heartbeat: &HeartbeatResult) -> Result<(), StoreError> {
        let Context { store, hints, engine, clock, node, .. } = &self.context;
        if !hints.is_shared() {
            return Ok(());
        }
        let installation = db_identity::desk_id(store).await?;
        let own = Member { installation, node: node.id.0 };
        let check = redis_membership::announce(hints.as_ref(), own, &heartbeat.living, heartbeat.now).await;
        engine.server_health.redis_mismatch.record(check.mismatch, clock.now());
        engine.server_health.hints.record(check.round_trip);
        if check.data_id.is_some_and(|id| engine.server_health.redis_data_loss.record(id, clock.now())) {
            tracing::warn!(
                "Redis lost its data (wiped, or restarted without persistence); the hints are reloaded"
            );
            metrics::counter!("presstime_hints_wiped_total").increment(1);
        }
        Ok(())
    }

    /// Writes heartbeats while the other loops finish their work, until `ended` is cancelled. Without
    /// them other nodes would count this one as lost, and send again the messages that it is sending.
    pub async fn keep_alive(&self, ended: &CancellationToken) {
        while ended.run_until_cancelled(tokio::time::sleep(HEARTBEAT_INTERVAL)).await.is_some() {
            self.tick(self.context.clock.now()).await;
        }
    }

    /// Writes that this node stops regularly. Best effort: without it the other nodes detect the
    /// missing heartbeat.
    pub async fn leave(&self) {
        if let Err(error) =
            node::record_stop(&self.context.store, self.context.node.id.0, self.context.clock.as_ref()).await
        {
            tracing::debug!("the stop of this node was not recorded: {error}");
        }
    }
}

#[async_trait]
impl Loop for HeartbeatLoop {
    fn name(&self) -> LoopName {
        LoopName::Heartbeat
    }

    async fn tick(&self, now: Timestamp) {
        let began = Instant::now();
        let done = match self.write_heartbeat(now).await {
            Ok(heartbeat) => self.process_heartbeat(&heartbeat).await,
            Err(error) => Err(error),
        };
        self.record_result(now, began, done);
    }

    async fn run(&self, stop: CancellationToken) {
        let mut heartbeat = None;
        while !stop.is_cancelled() {
            // Other nodes consider a node dead whose heartbeat is late. So the interval includes
            // the time of the heartbeat, and the previous result is processed while the next
            // heartbeat runs.
            let (began, now, before) = (Instant::now(), self.context.clock.now(), heartbeat.take());
            let process_heartbeat = async {
                match &before {
                    Some(heartbeat) => self.process_heartbeat(heartbeat).await,
                    None => Ok(()),
                }
            };
            let (written, processed) = futures::join!(self.write_heartbeat(now), process_heartbeat);
            let done = written.and_then(|written| {
                heartbeat = Some(written);
                processed
            });
            self.record_result(now, began, done);
            let next = (began + HEARTBEAT_INTERVAL).max(Instant::now() + MIN_HEARTBEAT_DELAY);
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep_until(next.into()) => {}
            }
        }
    }
}
