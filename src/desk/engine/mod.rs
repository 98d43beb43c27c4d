//! The machine room: whether the engine lives, all it knows of itself, and the switch.

mod counts;
mod held;
pub mod limits;
mod minutes;
mod report;

use super::broken;
use crate::{parts::Parts, zone::Zone};
use async_trait::async_trait;
use counts::Latest;
use domain::{
    Actor, Kind, Refusal, Version,
    desk::Engine,
    engine::{EngineReport, Heartbeat, Held, NodeReport},
    kind::KindLimit,
};
use std::sync::{Arc, atomic::Ordering::Relaxed};
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    pause, restore, task_list,
};
use uuid::Uuid;

/// What people can do with the engine.
#[derive(Clone)]
pub struct EngineDesk {
    /// What it is built from.
    pub parts: Parts,
    counts: Arc<Latest>,
}

impl EngineDesk {
    /// The desk of the engine over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts, counts: Arc::default() }
    }

    fn pulse(&self) -> Heartbeat {
        let (pulse, now) = (&self.parts.pulse, self.parts.clock.now());
        Heartbeat {
            now,
            beat_at: pulse.beat_at(crate::worker::Name::Consumer).unwrap_or_else(|| pulse.started_at()),
            is_paused: pulse.is_paused(),
            is_healthy: pulse.is_healthy(now),
            attention: pulse.attention(),
            weather: pulse.weather(now),
        }
    }

    async fn let_go(&self, actor: &Actor) -> Result<bool, StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(Who::People).await?;
        let was_held = restore::confirm(tx.conn()).await?;
        if was_held {
            let event = NewEvent::plain(now, Some(actor.person), "engine", Uuid::nil(), "confirm_restore");
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
            self.parts.posted.notify_one();
        }
        self.parts.pulse.held.store(false, Relaxed);
        Ok(was_held)
    }

    async fn switch(&self, actor: &Actor, is_paused: bool) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        let verb = if is_paused { "pause" } else { "resume" };
        let mut tx = self.parts.store.begin(Who::People).await?;
        if pause::set(tx.conn(), is_paused).await? {
            let event = NewEvent::plain(now, Some(actor.person), "engine", Uuid::nil(), verb);
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
        }
        self.parts.pulse.set_paused(is_paused, now);
        Ok(())
    }
}

#[async_trait]
impl Engine for EngineDesk {
    async fn heartbeat(&self) -> Heartbeat {
        self.pulse()
    }

    async fn report(&self, actor: &Actor) -> Result<EngineReport, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        Ok(report::all(&self.parts, &self.counts, self.pulse(), &actor.zone).await)
    }

    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        report::nodes(&self.parts).await.map_err(broken)
    }

    async fn limits(&self, actor: &Actor) -> Result<Vec<KindLimit>, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        limits::read(&self.parts).await.map_err(broken)
    }

    async fn limit(
        &self,
        actor: &Actor,
        kind: Kind,
        at_once: Option<u16>,
        seen: Version,
    ) -> Result<KindLimit, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        limits::change(&self.parts, actor, kind, limits::checked(at_once)?, seen).await
    }

    async fn held(&self, actor: &Actor) -> Result<Option<Held>, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        let read = async {
            let mut lease = self.parts.store.read(Who::People).await?;
            let desk =
                task_list::desk_zone(lease.conn()).await?.map_or(Zone::UTC, |name| Zone::stored(&name));
            held::read(lease.conn(), Zone::stored(&actor.zone), desk).await
        };
        read.await.map_err(broken)
    }

    async fn confirm_restore(&self, actor: &Actor) -> Result<bool, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        self.let_go(actor).await.map_err(broken)
    }

    async fn pause(&self, actor: &Actor, is_paused: bool) -> Result<Heartbeat, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        self.switch(actor, is_paused).await.map_err(broken)?;
        Ok(self.pulse())
    }
}
