//! The roster: shows each second that this node lives, and finds out which others do. No leader: every node looks.

use super::{Loop, Name, wrong};
use crate::{desk::engine::limits, parts::Parts, presence};
use async_trait::async_trait;
use domain::Timestamp;
use queue::Guest;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};
use store::{
    StoreError, Who, hands, kind_limit,
    node::{self, Beat, Beaten},
    place, point,
};
use tokio_util::sync::CancellationToken;

/// How often it beats.
const EACH_SECOND: Duration = Duration::from_secs(1);
/// It rests at least so long: a slow database is not asked without end.
const REST: Duration = Duration::from_millis(250);
/// A beat that fails after so long has not failed by chance.
const LONG: Duration = Duration::from_secs(2);
/// A consumer that showed life so long ago works; it makes a round a second, milliseconds.
const WORKS_MS: i64 = 2_500;

/// The roster. What it writes each second also shows whether the database takes anything.
pub struct Roster {
    parts: Parts,
    has_failed: AtomicBool,
}

impl Roster {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts, has_failed: AtomicBool::new(false) }
    }

    /// Shows that this node lives; who else does.
    async fn beat(&self, now: Timestamp) -> Result<Beaten, StoreError> {
        let (parts, role) = (&self.parts, self.parts.role);
        let has_worked = || parts.pulse.beat_at(Name::Consumer).is_some_and(|at| now.since(at) < WORKS_MS);
        let beat = Beat {
            id: parts.node_id.0,
            name: &parts.node,
            role,
            version: env!("CARGO_PKG_VERSION"),
            works: role.works().then(has_worked),
            looked: parts.pulse.sheet.looked_at().map(|at| parts.clock.now().since(at)),
            timeline: parts.pulse.timeline(),
        };
        let began = Instant::now();
        let told = node::beat(&parts.store, beat, parts.clock.as_ref()).await;
        parts.pulse.servers.database.note(told.is_ok().then(|| began.elapsed()));
        let told = told?;
        point::pass("roster.beaten").await?;
        // A clock that is set while everything runs must not lead the loops astray for long.
        parts.pulse.set_offset_ms(told.offset_ms);
        for name in &told.lost {
            tracing::warn!("the node {name} has fallen silent; the others do its work");
        }
        if told.is_back || !told.lost.is_empty() {
            parts.committed.notify_waiters();
        }
        if told.is_back {
            parts.hands.forget().await;
        }
        // A node without an engine hears here how the engine does; by its own clock, as it reads it.
        if let Some(worked_at) = told.worked_at.filter(|_| !role.works()) {
            parts.pulse.hear(Name::Consumer, parts.clock.now().plus(worked_at.since(told.now).min(0)));
        }
        Ok(told)
    }

    /// What a beat told is attended to: hands, the dead, suspects, limits, and who else is in this Redis.
    async fn attend(&self, told: &Beaten) -> Result<(), StoreError> {
        let parts = &self.parts;
        // What was laid down, and what others emptied.
        for place in parts.hands.places() {
            if let Some(note) = parts.hands.note(parts.node_id, place).await {
                note.write(&parts.store).await?;
            }
        }
        let strikes = hands::strike_the_dead(&parts.store, told.now, parts.clock.now()).await?;
        if strikes > 0 {
            tracing::warn!("{strikes} tasks were in the hands of a node that died, and wait still");
            parts.committed.notify_waiters();
        }
        let mut lease = parts.store.read(Who::Engine).await?;
        parts.hands.suspect(hands::suspects(lease.conn()).await?);
        parts.pulse.set_limits(limits::known(&kind_limit::all(lease.conn()).await?));
        drop(lease);
        self.meet(told).await
    }

    /// Tells how a round went.
    fn show(&self, now: Timestamp, began: Instant, done: Result<(), StoreError>) {
        match done {
            Ok(()) => {
                self.has_failed.store(false, Relaxed);
                self.parts.pulse.reach_database(now);
                self.parts.pulse.beat(Name::Roster, now);
            }
            Err(error) => {
                tracing::debug!("the other nodes do not hear of this one: {error:?}");
                // Once may be chance, unless it was waited for.
                if self.has_failed.swap(true, Relaxed) || began.elapsed() >= LONG {
                    self.parts.pulse.set_database(error.weather());
                }
                self.parts.pulse.trouble(Name::Roster, now, wrong(&error));
            }
        }
    }

    /// Finds out whether the nodes of this desk, and they alone, use the same Redis.
    async fn meet(&self, told: &Beaten) -> Result<(), StoreError> {
        let Parts { store, hints, pulse, clock, node_id, .. } = &self.parts;
        if !hints.is_shared() {
            return Ok(());
        }
        let desk = place::desk(store).await?;
        let own = Guest { desk, node: node_id.0 };
        let met = presence::meet(hints.as_ref(), own, &told.living, told.now).await;
        pulse.servers.apart.note(met.apart, clock.now());
        pulse.servers.hints.note(met.round_trip);
        if met.era.is_some_and(|era| pulse.servers.wipe.note(era, clock.now())) {
            tracing::warn!("Redis was wiped, or restarted without its data: the hints are loaded again");
            metrics::counter!("presstime_hints_wiped_total").increment(1);
        }
        Ok(())
    }

    /// Says that this node stops of its own will. Best effort: the others find out by themselves.
    pub async fn leave(&self) {
        if let Err(error) =
            node::leave(&self.parts.store, self.parts.node_id.0, self.parts.clock.as_ref()).await
        {
            tracing::debug!("the other nodes were not told of the end: {error}");
        }
    }
}

#[async_trait]
impl Loop for Roster {
    fn name(&self) -> Name {
        Name::Roster
    }

    async fn tick(&self, now: Timestamp) {
        let began = Instant::now();
        let done = match self.beat(now).await {
            Ok(told) => self.attend(&told).await,
            Err(error) => Err(error),
        };
        self.show(now, began, done);
    }

    async fn run(&self, stop: CancellationToken) {
        let mut told = None;
        while !stop.is_cancelled() {
            // Others take a node for lost that lets them wait: what a beat takes is not added to the second, and what the last one told is
            // attended to while it is on its way.
            let (began, now, before) = (Instant::now(), self.parts.clock.now(), told.take());
            let attend = async {
                match &before {
                    Some(told) => self.attend(told).await,
                    None => Ok(()),
                }
            };
            let (beaten, attended) = futures::join!(self.beat(now), attend);
            let done = beaten.and_then(|beaten| {
                told = Some(beaten);
                attended
            });
            self.show(now, began, done);
            let next = (began + EACH_SECOND).max(Instant::now() + REST);
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep_until(next.into()) => {}
            }
        }
    }
}
