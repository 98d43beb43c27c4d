//! Engine status and controls: heartbeat, report, limits, pause, and release of held deliveries.

pub mod api;
pub mod backups;
mod delivery_hold;
pub mod limits;
mod report;
mod stats_cache;
mod throughput_cache;

use super::services::internal_error;
use crate::{
    app_state::AppState,
    zone::{self, Zone},
};
use async_trait::async_trait;
use backups::Backups;
use domain::{
    Actor, DomainError, Kind, Timestamp, Version, When,
    engine::{
        ActivePause, DeliveryHold, EngineReport, EngineStatus, NodeReport,
        backups::{BackupRun, BackupsReport, SystemReport},
        queue::QueueReport,
    },
    health::Severity,
    kind::{KindEdit, KindLimit},
    services::Engine,
};
use stats_cache::StatsCache;
use std::sync::{Arc, atomic::Ordering::Relaxed};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    pause::{self, Pause},
    restore, task_list,
};
use uuid::Uuid;

/// The engine service.
#[derive(Clone)]
pub struct EngineService {
    /// Shared state of the process.
    pub parts: AppState,
    stats: Arc<StatsCache>,
    backups: Backups,
}

impl EngineService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState, backups: Backups) -> Self {
        Self { parts, stats: Arc::default(), backups }
    }

    fn heartbeat_now(&self) -> EngineStatus {
        let (engine, now) = (&self.parts.engine, self.parts.clock.now());
        let (issues, pause) = (engine.health_issues(now), engine.pause());
        EngineStatus {
            now,
            heartbeat_at: engine
                .last_round_at(::engine::LoopName::Consumer)
                .unwrap_or_else(|| engine.started_at()),
            heartbeat_offset: 0,
            paused_since: pause.map(|pause| zone::moment(pause.since, Zone::UTC, Zone::UTC)),
            paused_until: pause
                .and_then(|pause| pause.until)
                .map(|at| zone::moment(at, Zone::UTC, Zone::UTC)),
            paused_by: pause.map(|pause| pause.by),
            failing_channels: engine.failing_channels(),
            stopped_channels: engine.stopped_channels(),
            are_deliveries_held: engine.deliveries_held.load(Relaxed),
            is_healthy: engine.is_healthy(&issues, now),
            attention: engine.attention(),
            attention_watched: 0,
            issue: issues.iter().find(|issue| issue.severity != Severity::Notice).map(|issue| issue.kind),
        }
    }

    async fn release_hold(&self, actor: &Actor) -> Result<bool, StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        let was_held = restore::release_delivery_hold(tx.conn()).await?;
        if was_held {
            let event = NewEvent::simple(now, Some(actor.account), "engine", Uuid::nil(), "confirm_restore");
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
            self.parts.deliveries_added.notify_one();
        }
        self.parts.engine.deliveries_held.store(false, Relaxed);
        Ok(was_held)
    }

    async fn begin_pause(&self, actor: &Actor, ends_at: Option<Timestamp>) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        let event = |account, verb| NewEvent::simple(now, account, "engine", Uuid::nil(), verb);
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        // One that the engine has not ended yet.
        let has_ended = pause::end_expired(tx.conn(), now).await?;
        if pause::begin(tx.conn(), actor.account, now, ends_at).await? {
            let resume = has_ended.then(|| event(None, "resume"));
            let events: Vec<_> = resume.into_iter().chain([event(Some(actor.account), "pause")]).collect();
            event::append(tx.conn(), &events).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
            let pause = ActivePause { since: now, by: actor.account, until: ends_at };
            self.parts.engine.set_pause(Some(pause), now);
        } else {
            let known = pause::find(tx.conn(), now).await?;
            self.parts.engine.set_pause(known.as_ref().map(Pause::active), now);
        }
        Ok(())
    }

    async fn end_pause(&self, actor: &Actor) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        if pause::end(tx.conn()).await? {
            let event = NewEvent::simple(now, Some(actor.account), "engine", Uuid::nil(), "resume");
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
        }
        self.parts.engine.set_pause(None, now);
        Ok(())
    }
}

#[async_trait]
impl Engine for EngineService {
    async fn status(&self) -> EngineStatus {
        self.heartbeat_now()
    }

    async fn report(&self, actor: &Actor) -> Result<EngineReport, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        let report = report::all(&self.parts, &self.stats, self.heartbeat_now(), &actor.zone).await;
        Ok(EngineReport { backups: self.backups.report().await.ok(), ..report })
    }

    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        report::nodes(&self.parts).await.map_err(internal_error)
    }

    async fn kind_limits(&self, actor: &Actor) -> Result<Vec<KindLimit>, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        limits::read(&self.parts).await.map_err(internal_error)
    }

    async fn set_kind_limit(
        &self,
        actor: &Actor,
        kind: Kind,
        edit: KindEdit,
        seen: Version,
    ) -> Result<KindLimit, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        limits::change(&self.parts, actor, kind, &edit, seen).await
    }

    async fn queue(&self, actor: &Actor) -> Result<QueueReport, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        limits::report(&self.parts).await.map_err(internal_error)
    }

    async fn delivery_hold(&self, actor: &Actor) -> Result<Option<DeliveryHold>, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        let read = async {
            let mut lease = self.parts.store.read(PoolRole::Web).await?;
            let site_zone =
                task_list::site_time_zone(lease.conn()).await?.map_or(Zone::UTC, |name| Zone::stored(&name));
            delivery_hold::read(lease.conn(), Zone::stored(&actor.zone), site_zone).await
        };
        read.await.map_err(internal_error)
    }

    async fn release_hold(&self, actor: &Actor) -> Result<bool, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        self.release_hold(actor).await.map_err(internal_error)
    }

    async fn pause(&self, actor: &Actor, until: Option<When>) -> Result<EngineStatus, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        let ends_at = until.as_ref().map(zone::resolve).transpose()?;
        let now = self.parts.clock.now();
        if let Some(at) = ends_at.filter(|at| *at <= now) {
            return Err(DomainError::past(at));
        }
        self.begin_pause(actor, ends_at).await.map_err(internal_error)?;
        Ok(self.heartbeat_now())
    }

    async fn resume(&self, actor: &Actor) -> Result<EngineStatus, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        self.end_pause(actor).await.map_err(internal_error)?;
        Ok(self.heartbeat_now())
    }

    async fn backups(&self, actor: &Actor) -> Result<BackupsReport, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        self.backups.report().await.map_err(internal_error)
    }

    async fn back_up_now(&self, actor: &Actor) -> Result<BackupRun, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        if self.parts.node.role.runs_engine() {
            return self.backups.write_now().await.map_err(internal_error);
        }
        // A backup in the folder of this node would not be verified, listed or thinned out with the others.
        self.backups.request().await.map_err(internal_error)?.ok_or(DomainError::NoBackupNode)
    }

    async fn system(&self, actor: &Actor) -> Result<SystemReport, DomainError> {
        if !actor.is_admin() {
            return Err(DomainError::NotAllowed);
        }
        report::system(&self.parts, &self.backups).await.map_err(internal_error)
    }
}
