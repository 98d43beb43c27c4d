//! Dispatcher: sends what waits in the outbox, each channel by its own manner.
//!
//! A round is one transaction: what ended is recorded, what is due is claimed. Between rounds nothing holds the database. A
//! process that dies leaves claims with a lease; whoever sees it over says that the answer was lost.

pub mod policy;

use super::{Loop, Name, wrong};
use crate::{
    channels::{self, Answer, Letter, Outlet},
    parts::Parts,
};
use async_trait::async_trait;
use domain::{
    ChannelId, Clock, DeliveryId, Timestamp,
    channel::Route,
    delivery::{Outcome, Recipient},
};
use futures::future::join_all;
use policy::{Manner, judge};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use store::{
    StoreError, Tx, Who,
    dispatch::{self, Claimed, Ended, Lane, Terms},
    point,
};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, field::Empty};
use uuid::Uuid;

/// How long after its claim an attempt may begin, milliseconds.
const GUARD_MS: i64 = 20_000;
/// How long a claim holds: the guard, an attempt, and time to record it, milliseconds.
const LEASE_MS: i64 = 60_000;
/// How often it looks without being rung: for what other nodes wrote.
const LOOK: Duration = Duration::from_secs(1);
/// So soon it looks again where it was another node's turn, milliseconds: such a turn is one transaction.
const TURN_MS: i64 = 20;
/// So many failures in a row, and a channel is tried with one message at a time.
const DOUBTFUL: i32 = 5;

/// The dispatcher.
pub struct Dispatcher {
    parts: Parts,
    sender: Arc<Sender>,
}

/// What each attempt needs.
struct Sender {
    clock: Arc<dyn Clock>,
    outlet: Arc<dyn Outlet>,
    /// From 0 to 1, each time anew.
    chance: fn() -> f64,
}

/// A claimed delivery, and all that is needed to send it.
struct Job {
    claimed: Claimed,
    manner: Manner,
    route: Option<Route>,
    secrets: Option<Vec<Vec<u8>>>,
    claimed_at: Timestamp,
    known: Vec<Recipient>,
}

impl Dispatcher {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let outlet = Arc::clone(&parts.ways) as _;
        Self::through(parts, outlet, rand::random)
    }

    /// The same where letters leave through this outlet, and that chance spreads the waits.
    #[must_use]
    pub fn through(parts: Parts, outlet: Arc<dyn Outlet>, chance: fn() -> f64) -> Self {
        let sender = Arc::new(Sender { clock: Arc::clone(&parts.clock), outlet, chance });
        Self { parts, sender }
    }

    fn is_held(&self) -> bool {
        self.parts.pulse.is_paused() || self.parts.pulse.is_off_time()
    }

    /// Records `ended` and claims what is due, in one transaction. What is left of
    /// `ended` is of channels at which it is another node's turn. The moment: when something will be due that could be sent, if nothing
    /// else happens.
    async fn round(
        &self,
        now: Timestamp,
        ended: &mut Vec<Ended>,
        may_claim: bool,
    ) -> Result<(Vec<Job>, Option<Timestamp>), StoreError> {
        let mut lease = self.parts.store.read(Who::Dispatch).await?;
        let lanes = dispatch::lanes(lease.conn()).await?;
        let lost = dispatch::lost(lease.conn(), now).await?;
        drop(lease);
        let with_room = lanes.iter().filter(|lane| may_claim && room(lane, now) > 0).map(|lane| lane.id);
        let with_news = ended.iter().map(|one| one.channel.0);
        let with_losses = lost.iter().map(|one| one.claimed.channel_id);
        let wanted: BTreeSet<Uuid> = with_room.chain(with_news).chain(with_losses).collect();
        if wanted.is_empty() {
            return Ok((Vec::new(), next(&lanes, now)));
        }
        point::pass("dispatch.read").await?;
        let mut tx = self.parts.store.begin(Who::Dispatch).await?;
        let turns = dispatch::turns(tx.conn(), &wanted).await?;
        point::pass("dispatch.begun").await?;
        let (mut all, later): (Vec<Ended>, Vec<Ended>) =
            ended.iter().cloned().partition(|one| turns.contains(&one.channel.0));
        let mut lost = dispatch::lost(tx.conn(), now).await?;
        lost.retain(|one| turns.contains(&one.claimed.channel_id));
        all.extend(self.give_up(lost, now));
        if !all.is_empty() {
            dispatch::record(tx.conn(), &all, now).await?;
            point::pass("dispatch.recorded").await?;
        }
        let mut lanes = dispatch::lanes(tx.conn()).await?;
        let jobs = match may_claim {
            true => self.claim(&mut tx, &mut lanes, &turns, now).await?,
            false => Vec::new(),
        };
        if !all.is_empty() {
            point::pass("dispatch.written").await?;
        }
        tx.commit().await?;
        if !all.is_empty() {
            point::pass("dispatch.ended").await?;
        }
        if !jobs.is_empty() {
            point::pass("dispatch.claimed").await?;
        }
        self.tell(&all);
        *ended = later;
        // What is still due after this round waits for room: the next end of an attempt, here or elsewhere.
        let next = next(&lanes, now);
        let soon = (turns.len() < wanted.len()).then(|| now.plus(TURN_MS));
        Ok((jobs, soon.into_iter().chain(next).min()))
    }

    /// Claims what is due of the channels at which it is this node's turn, with what is known of its recipients.
    async fn claim(
        &self,
        tx: &mut Tx,
        lanes: &mut [Lane],
        turns: &BTreeSet<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Job>, StoreError> {
        let owner = self.parts.node_id.0.simple().to_string();
        let terms = Terms { node: &owner, now, lease_until: now.plus(LEASE_MS) };
        let mut jobs = Vec::new();
        for lane in lanes.iter_mut().filter(|lane| turns.contains(&lane.id)) {
            let room = room(lane, now);
            if room <= 0 {
                continue;
            }
            let claimed = dispatch::claim(tx.conn(), ChannelId(lane.id), room, terms).await?;
            lane.sending += i64::try_from(claimed.len()).unwrap_or(i64::MAX);
            let tried: Vec<Uuid> = claimed.iter().filter(|one| one.epoch > 1).map(|one| one.id).collect();
            let mut known = dispatch::recipients::known(tx.conn(), &tried).await?;
            jobs.extend(claimed.into_iter().map(|claimed| {
                let known = known.remove(&claimed.id).unwrap_or_default();
                Job { known, ..self.job(lane, claimed, now) }
            }));
        }
        Ok(jobs)
    }

    /// Attempts nobody has reported: their answers are lost.
    fn give_up(&self, lost: Vec<dispatch::Lost>, now: Timestamp) -> Vec<Ended> {
        let judge_one = |one: dispatch::Lost| {
            let manner = Manner::stored(one.ladder.as_deref(), one.on_ambiguous.as_deref());
            let answer = Answer::none(
                Outcome::Unknown,
                "whoever sent it was stopped before it could say how it ended",
            );
            let ended = judge(&one.claimed, &manner, answer, now, (self.sender.chance)());
            Ended { is_left: true, ..ended }
        };
        lost.into_iter().map(judge_one).collect()
    }

    fn tell(&self, ended: &[Ended]) {
        for one in ended {
            metrics::counter!("presstime_delivery_attempts_total", "outcome" => one.outcome.as_str())
                .increment(1);
        }
        if !ended.is_empty() {
            self.parts.committed.notify_waiters();
        }
    }

    fn job(&self, lane: &Lane, claimed: Claimed, now: Timestamp) -> Job {
        let place = channels::place(ChannelId(lane.id));
        let former =
            lane.former_secret.as_ref().filter(|_| lane.former_until.is_some_and(|at| at > now.millis()));
        let sealed = lane.secret.iter().chain(former);
        Job {
            claimed,
            manner: Manner::stored(Some(&lane.ladder), Some(&lane.on_ambiguous)),
            route: serde_json::from_str(&lane.route).ok(),
            secrets: sealed.map(|sealed| self.parts.ways.vault.open(&place, sealed)).collect(),
            claimed_at: now,
            known: Vec::new(),
        }
    }

    fn send(&self, jobs: Vec<Job>, sends: &mut JoinSet<Ended>) {
        for job in jobs {
            sends.spawn(Arc::clone(&self.sender).send(job));
        }
    }

    /// A round, and its troubles told. `None`: the database is away.
    async fn try_round(
        &self,
        ended: &mut Vec<Ended>,
        may_claim: bool,
    ) -> Option<(Vec<Job>, Option<Timestamp>)> {
        let now = self.parts.clock.now();
        match self.round(now, ended, may_claim && !self.is_held()).await {
            Ok(done) => {
                self.parts.pulse.beat(Name::Dispatcher, now);
                Some(done)
            }
            Err(error) => {
                tracing::warn!("deliveries were not dispatched: {error:?}");
                self.parts.pulse.trouble(Name::Dispatcher, now, wrong(&error));
                None
            }
        }
    }
}

impl Sender {
    /// One attempt: never later than the guard allows.
    async fn send(self: Arc<Self>, job: Job) -> Ended {
        point::between().await;
        let at = self.clock.now();
        let answer = match (job.route, job.secrets) {
            _ if at.since(job.claimed_at) > GUARD_MS => {
                Answer::none(Outcome::NotSent, "it was held up before it was sent")
            }
            (None, _) => {
                Answer::none(Outcome::Blocked, "the channel's settings cannot be read; save them again")
            }
            (_, None) => Answer::none(Outcome::Blocked, "the channel's secret cannot be opened; replace it"),
            (Some(route), Some(secrets)) => {
                let id = DeliveryId(job.claimed.id);
                let span =
                    tracing::info_span!("deliver", otel.kind = "client", delivery = %id, outcome = Empty);
                let letter = Letter {
                    id,
                    attempt: job.claimed.epoch,
                    route,
                    body: job.claimed.body.clone(),
                    secrets,
                    at,
                    known: job.known,
                };
                // Only dying or standing still has a meaning here, and after it.
                _ = point::pass("dispatch.sending").await;
                let answer = self.outlet.send(&letter).instrument(span.clone()).await;
                span.record("outcome", answer.outcome.as_str());
                _ = point::pass("dispatch.sent").await;
                answer
            }
        };
        point::between().await;
        judge(&job.claimed, &job.manner, answer, self.clock.now(), (self.chance)())
    }
}

/// How many messages may be sent now.
fn room(lane: &Lane, now: Timestamp) -> i64 {
    let is_due = lane.next_at.is_some_and(|at| at <= now.millis());
    if !is_due || lane.rests_until.is_some_and(|at| at > now.millis()) {
        return 0;
    }
    let most = if lane.failures >= DOUBTFUL { 1 } else { i64::from(lane.concurrency) };
    (most - lane.sending).max(0)
}

/// When the first of the lanes will have something to send.
fn next(lanes: &[Lane], now: Timestamp) -> Option<Timestamp> {
    let ready = |lane: &Lane| Some(lane.next_at?.max(lane.rests_until.unwrap_or(i64::MIN)));
    lanes.iter().filter_map(ready).filter(|at| *at > now.millis()).min().map(Timestamp::from_millis)
}

#[async_trait]
impl Loop for Dispatcher {
    fn name(&self) -> Name {
        Name::Dispatcher
    }

    async fn tick(&self, _now: Timestamp) {
        let mut ended = Vec::new();
        if let Some((jobs, _)) = self.try_round(&mut ended, true).await {
            ended = join_all(jobs.into_iter().map(|job| Arc::clone(&self.sender).send(job))).await;
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
            let soon =
                next.map(|at| Duration::from_millis(at.since(self.parts.clock.now()).max(1).unsigned_abs()));
            tokio::select! {
                biased;
                Some(done) = sends.join_next() => {
                    ended.extend(done.ok());
                    while let Some(done) = sends.try_join_next() {
                        ended.extend(done.ok());
                    }
                }
                () = stop.cancelled(), if !stop.is_cancelled() => {}
                () = self.parts.posted.notified(), if !is_away => {}
                () = tokio::time::sleep(soon.map_or(LOOK, |soon| soon.min(LOOK))) => {}
            }
        }
    }
}
