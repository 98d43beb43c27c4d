//! Dispatcher: sends due deliveries from the outbox, each channel with its own retry policy.
//!
//! A round is one transaction: it records finished attempts and claims due deliveries. No
//! transaction is open while messages are sent. A process that dies leaves claims with a lease; any
//! node that finds an expired lease records the outcome of that attempt as unknown.

mod capacity;
mod channel_route;
mod claims;
mod mail_limits;
pub mod policy;
mod post_plan;
pub mod unfinished_changes;

use crate::{
    Context, Loop, LoopName,
    sender::{OutboundMessage, SendResult, Sender},
};
use async_trait::async_trait;
use capacity::{free_slots, next_due};
use channel_route::NO_DESK_SERVER;
use claims::Job;
use domain::{
    Clock, DeliveryId, Timestamp,
    channel::Endpoint,
    delivery::Outcome,
    message::MessageOptions,
    notice::{ATTEMPT_FIELD, ATTEMPT_HEADER},
};
use futures::future::join_all;
use policy::{RetryPolicy, decide, decide_notice, options_of};
use post_plan::PostPlan;
use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    Conn, PoolRole, StoreError,
    dispatch::{self, AttemptResult, ClaimedDelivery},
    failpoint, post,
};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, field::Empty};
use uuid::Uuid;

/// Maximum time between a claim and the start of its attempt, milliseconds.
const MAX_START_DELAY_MS: i64 = 20_000;
/// Polling interval for deliveries written by other nodes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Delay before a retry when another node had locked a channel, milliseconds. It holds the lock for
/// one transaction.
const LOCKED_RETRY_MS: i64 = 20;
/// The dispatcher loop.
pub struct Dispatcher {
    context: Context,
    runner: Arc<AttemptRunner>,
    plan: PostPlan,
}

/// Dependencies of an attempt.
struct AttemptRunner {
    clock: Arc<dyn Clock>,
    sender: Arc<dyn Sender>,
    /// Returns a random number from 0 to 1.
    random: fn() -> f64,
}

impl Dispatcher {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        let sender = Arc::clone(&context.sender);
        Self::with_sender(context, sender, rand::random)
    }

    /// Creates the loop with another sender and another source of random numbers (for jitter).
    #[must_use]
    pub fn with_sender(context: Context, sender: Arc<dyn Sender>, random: fn() -> f64) -> Self {
        let runner = Arc::new(AttemptRunner { clock: Arc::clone(&context.clock), sender, random });
        Self { context, runner, plan: PostPlan::default() }
    }

    fn is_blocked(&self) -> bool {
        self.context.engine.is_paused() || self.context.engine.are_clocks_apart()
    }

    /// Records finished attempts (`ended`) and claims due deliveries in one transaction. Attempts
    /// of channels that another node has locked stay in `ended`. Returns the claims and the time of
    /// the next round.
    async fn round(
        &self,
        now: Timestamp,
        ended: &mut Vec<AttemptResult>,
        may_claim: bool,
    ) -> Result<(Vec<Job>, Option<Timestamp>), StoreError> {
        let mut lease = self.context.store.read(PoolRole::Dispatcher).await?;
        let queues = dispatch::channel_queues(lease.conn()).await?;
        let expired = self.expired(lease.conn(), now).await?;
        let steps = match may_claim && self.plan.is_due(&queues, now) {
            true => post::due_steps(lease.conn(), now).await?,
            false => Vec::new(),
        };
        drop(lease);
        let with_free_slots =
            queues.iter().filter(|queue| may_claim && free_slots(queue, now) > 0).map(|queue| queue.id);
        let with_results = ended.iter().map(|one| one.channel.0);
        let with_expired = expired.iter().map(|one| one.claimed.channel_id);
        let with_steps = steps.iter().map(|step| step.channel_id);
        let wanted: BTreeSet<Uuid> =
            with_free_slots.chain(with_results).chain(with_expired).chain(with_steps).collect();
        if wanted.is_empty() {
            return Ok((Vec::new(), next_due(&queues, now)));
        }
        failpoint::hit("dispatch.read").await?;
        let mut tx = self.context.store.begin(PoolRole::Dispatcher).await?;
        let locked = dispatch::lock_channels(tx.conn(), &wanted).await?;
        failpoint::hit("dispatch.begun").await?;
        let (mut all, later): (Vec<AttemptResult>, Vec<AttemptResult>) =
            ended.iter().cloned().partition(|one| locked.contains(&one.channel.0));
        let mut expired = self.expired(tx.conn(), now).await?;
        let is_known = |claimed: &ClaimedDelivery| {
            all.iter().any(|one| one.id.0 == claimed.id && one.epoch == claimed.epoch)
        };
        expired.retain(|one| locked.contains(&one.claimed.channel_id) && !is_known(&one.claimed));
        all.extend(self.end_expired(expired, now));
        if !all.is_empty() {
            dispatch::record(tx.conn(), &all, now).await?;
            failpoint::hit("dispatch.recorded").await?;
        }
        if !steps.is_empty() {
            post::enqueue_steps(&mut tx, &locked, now).await?;
        }
        let mut queues = dispatch::channel_queues(tx.conn()).await?;
        let jobs = match may_claim {
            true => self.claim(&mut tx, &mut queues, &locked, now).await?,
            false => Vec::new(),
        };
        if !all.is_empty() {
            failpoint::hit("dispatch.written").await?;
        }
        tx.commit().await?;
        if !all.is_empty() {
            failpoint::hit("dispatch.ended").await?;
        }
        if !jobs.is_empty() {
            failpoint::hit("dispatch.claimed").await?;
        }
        self.record_outcomes(&all);
        *ended = later;
        // Deliveries still due after this round wait for a free slot, that is for the end of an
        // attempt on any node.
        let next = next_due(&queues, now);
        let soon = (locked.len() < wanted.len()).then(|| now.plus(LOCKED_RETRY_MS));
        Ok((jobs, soon.into_iter().chain(next).min()))
    }

    /// Returns attempts whose outcome will not be reported; none while this node cannot know that.
    async fn expired(
        &self,
        conn: Conn<'_>,
        now: Timestamp,
    ) -> Result<Vec<dispatch::ExpiredLease>, StoreError> {
        match self.context.engine.server_health.own_heartbeats.may_judge_others(Instant::now()) {
            true => dispatch::expired_leases(conn, now).await,
            false => Ok(Vec::new()),
        }
    }

    /// Ends attempts whose lease expired: their outcome is unknown.
    fn end_expired(&self, expired: Vec<dispatch::ExpiredLease>, now: Timestamp) -> Vec<AttemptResult> {
        let end = |one: dispatch::ExpiredLease| {
            let policy =
                RetryPolicy::stored(one.retry_schedule.as_deref(), one.on_unknown_outcome.as_deref())
                    .with_purpose(&one.claimed.purpose);
            let answer = SendResult::without_response(
                Outcome::Unknown,
                "the node that sent it stopped before it recorded the outcome",
            );
            let ended = match options_of(&one.claimed).and_then(|options| options.notice) {
                Some(terms) => decide_notice(&one.claimed, &terms, answer, now),
                None => decide(&one.claimed, &policy, answer, now, (self.runner.random)()),
            };
            AttemptResult { is_left: true, ..ended }
        };
        expired.into_iter().map(end).collect()
    }

    fn record_outcomes(&self, ended: &[AttemptResult]) {
        for one in ended {
            metrics::counter!("presstime_delivery_attempts_total", "outcome" => one.outcome.as_str())
                .increment(1);
        }
        if !ended.is_empty() {
            self.context.committed.notify_waiters();
        }
    }

    fn send(&self, jobs: Vec<Job>, sends: &mut JoinSet<AttemptResult>) {
        for job in jobs {
            sends.spawn(Arc::clone(&self.runner).send(job));
        }
    }

    /// Runs a round and records its result. `None`: the database is unavailable.
    async fn try_round(
        &self,
        ended: &mut Vec<AttemptResult>,
        may_claim: bool,
    ) -> Option<(Vec<Job>, Option<Timestamp>)> {
        let now = self.context.clock.now();
        match self.round(now, ended, may_claim && !self.is_blocked()).await {
            Ok(done) => {
                self.context.engine.record_round(LoopName::Dispatcher, now);
                Some(done)
            }
            Err(error) => {
                tracing::warn!("deliveries were not dispatched and will be retried: {error:?}");
                self.context.engine.record_error(LoopName::Dispatcher, now, &error);
                None
            }
        }
    }
}

impl AttemptRunner {
    /// Makes one attempt, unless the guard time has passed.
    async fn send(self: Arc<Self>, job: Job) -> AttemptResult {
        failpoint::yield_point().await;
        let at = self.clock.now();
        let terms = job.options.as_ref().and_then(|options| options.notice.clone());
        let answer = match (job.route, job.secrets) {
            _ if at.since(job.claimed_at) > MAX_START_DELAY_MS => SendResult::without_response(
                Outcome::NotSent,
                "it was delayed for too long before it was sent",
            ),
            (Some(Endpoint::Mail(route)), _) if route.uses_desk_server() => {
                SendResult::without_response(Outcome::Unreachable, NO_DESK_SERVER)
            }
            (None, _) => SendResult::without_response(
                Outcome::Blocked,
                "the channel's settings cannot be read; save them again",
            ),
            (_, None) => SendResult::without_response(
                Outcome::Blocked,
                "the channel's secret cannot be opened; replace it",
            ),
            (Some(route), Some(secrets)) => {
                let id = DeliveryId(job.claimed.id);
                let (body, options) = numbered(&job.claimed, job.options);
                let span =
                    tracing::info_span!("deliver", otel.kind = "client", delivery = %id, outcome = Empty);
                let outbound = OutboundMessage {
                    id,
                    attempt: job.claimed.epoch,
                    route,
                    body,
                    options,
                    secrets,
                    at,
                    known: job.known,
                    origin: job.origin,
                    post: job.post,
                };
                // At this failpoint and the next one only a crash or a delay has an effect.
                _ = failpoint::hit("dispatch.sending").await;
                let answer = self.sender.send(&outbound).instrument(span.clone()).await;
                span.record("outcome", answer.outcome.as_str());
                _ = failpoint::hit("dispatch.sent").await;
                answer
            }
        };
        failpoint::yield_point().await;
        let at = self.clock.now();
        match terms {
            Some(terms) => decide_notice(&job.claimed, &terms, answer, at),
            None => decide(&job.claimed, &job.policy, answer, at, (self.random)()),
        }
    }
}

/// Returns body and options of the attempt: those of a notice with the number of the attempt.
fn numbered(claimed: &ClaimedDelivery, options: Option<MessageOptions>) -> (String, Option<MessageOptions>) {
    match options {
        Some(mut options) if options.notice.is_some() => {
            let number = claimed.attempts.to_string();
            let body = claimed.body.replace(ATTEMPT_FIELD, &number);
            options.headers.retain(|name, _| !name.eq_ignore_ascii_case(ATTEMPT_HEADER));
            options.headers.insert(ATTEMPT_HEADER.to_owned(), number);
            (body, Some(options))
        }
        other => (claimed.body.clone(), other),
    }
}

#[async_trait]
impl Loop for Dispatcher {
    fn name(&self) -> LoopName {
        LoopName::Dispatcher
    }

    async fn tick(&self, _now: Timestamp) {
        let mut ended = Vec::new();
        if let Some((jobs, _)) = self.try_round(&mut ended, true).await {
            ended = join_all(jobs.into_iter().map(|job| Arc::clone(&self.runner).send(job))).await;
        }
        if !ended.is_empty() {
            self.try_round(&mut ended, false).await;
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let (mut sends, mut ended) = (JoinSet::new(), Vec::new());
        loop {
            let done = self.try_round(&mut ended, !stop.is_cancelled()).await;
            let is_away = done.is_none();
            let (jobs, next) = done.unwrap_or_default();
            self.send(jobs, &mut sends);
            if stop.is_cancelled() && sends.is_empty() && (ended.is_empty() || is_away) {
                return;
            }
            let soon = next
                .map(|at| Duration::from_millis(at.since(self.context.clock.now()).max(1).unsigned_abs()));
            tokio::select! {
                biased;
                Some(done) = sends.join_next() => {
                    ended.extend(done.ok());
                    while let Some(done) = sends.try_join_next() {
                        ended.extend(done.ok());
                    }
                }
                () = stop.cancelled(), if !stop.is_cancelled() => {}
                () = self.context.deliveries_added.notified(), if !is_away => {}
                () = tokio::time::sleep(soon.map_or(POLL_INTERVAL, |soon| soon.min(POLL_INTERVAL))) => {}
            }
        }
    }
}
