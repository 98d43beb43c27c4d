//! Service for the engine.

use crate::{
    Actor, DomainError, Kind, Version, When,
    engine::{
        DeliveryHold, EngineReport, EngineStatus, NodeReport,
        backups::{BackupRun, BackupsReport, SystemReport},
        queue::QueueReport,
    },
    kind::{KindEdit, KindLimit},
};
use async_trait::async_trait;

/// Engine status and controls.
#[async_trait]
pub trait Engine: Send + Sync {
    /// Current status. Needs no actor, because the health check calls it. Never runs SQL in the
    /// request.
    async fn status(&self) -> EngineStatus;
    /// The full report. Admins only.
    async fn report(&self, actor: &Actor) -> Result<EngineReport, DomainError>;
    /// The nodes of this database, live ones first. Admins only.
    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, DomainError>;
    /// Concurrency limit of each kind, over all nodes. Admins only.
    async fn kind_limits(&self, actor: &Actor) -> Result<Vec<KindLimit>, DomainError>;
    /// Sets limit and grace of a kind; every node applies them within a second.
    /// `Changed` if `seen` is not its version. Admins only.
    async fn set_kind_limit(
        &self,
        actor: &Actor,
        kind: Kind,
        edit: KindEdit,
        seen: Version,
    ) -> Result<KindLimit, DomainError>;
    /// What is in force for the queue, and who changed it. Admins only.
    async fn queue(&self, actor: &Actor) -> Result<QueueReport, DomainError>;
    /// Whether deliveries are held, and why; at most 1,000 entries of each gap. Admins only.
    async fn delivery_hold(&self, actor: &Actor) -> Result<Option<DeliveryHold>, DomainError>;
    /// Releases held deliveries. False: none were held. Admins only.
    async fn release_hold(&self, actor: &Actor) -> Result<bool, DomainError>;
    /// Pauses the execution of all tasks until this time, or until an admin resumes it; survives a
    /// restart. A pause in effect is not changed. Admins only.
    async fn pause(&self, actor: &Actor, until: Option<When>) -> Result<EngineStatus, DomainError>;
    /// Resumes the execution of tasks. Admins only.
    async fn resume(&self, actor: &Actor) -> Result<EngineStatus, DomainError>;
    /// The backups and their settings. Admins only.
    async fn backups(&self, actor: &Actor) -> Result<BackupsReport, DomainError>;
    /// Writes a backup now and waits for it. If another node is writing one, returns that one,
    /// running. Admins only.
    async fn back_up_now(&self, actor: &Actor) -> Result<BackupRun, DomainError>;
    /// Versions, the last backup and its last verification. Admins only.
    async fn system(&self, actor: &Actor) -> Result<SystemReport, DomainError>;
}
