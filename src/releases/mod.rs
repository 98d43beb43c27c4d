//! Releases: articles that become public, or are unpublished, in one transaction at one moment, all or
//! none. The task of a release does it; the articles get executed tasks of their own.

pub mod api;
pub mod body;
mod change;
mod check;
mod effect;
mod held;
pub mod kinds;
mod pin;
mod read;

use crate::{
    app_state::AppState,
    tasks::{publish_now, schedule},
};
use async_trait::async_trait;
use domain::{
    Actor, DomainError, Kind, ReleaseId, Version, When,
    releases::{
        NewRelease, PUBLISH_KIND, REVERT_KIND, Release, ReleaseEdit, ReleaseProblem, ReleaseRow,
        use_cases::Releases,
    },
    task::{NewTask, TaskRow},
};

/// What the targets are.
const RELEASE: &str = "release";

/// The service of releases.
#[derive(Clone)]
pub struct ReleaseService {
    parts: AppState,
}

impl ReleaseService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Releases for ReleaseService {
    async fn list(&self, actor: &Actor) -> Result<Vec<ReleaseRow>, DomainError> {
        read::list(&self.parts, actor).await
    }
    async fn find(&self, actor: &Actor, id: ReleaseId) -> Result<Release, DomainError> {
        read::find(&self.parts, actor, id).await
    }
    async fn create(&self, actor: &Actor, new: NewRelease) -> Result<Release, DomainError> {
        change::create(&self.parts, actor, new).await
    }
    async fn edit(&self, actor: &Actor, id: ReleaseId, edit: ReleaseEdit) -> Result<Release, DomainError> {
        change::edit(&self.parts, actor, id, edit).await
    }
    async fn delete(&self, actor: &Actor, id: ReleaseId, seen: Option<Version>) -> Result<(), DomainError> {
        change::delete(&self.parts, actor, id, seen).await
    }
    async fn schedule(&self, actor: &Actor, id: ReleaseId, when: When) -> Result<TaskRow, DomainError> {
        let new = NewTask {
            kind: Kind::register(PUBLISH_KIND),
            target_id: id.0,
            when,
            priority: None,
            revision: None,
        };
        match schedule::one(&self.parts, actor, new).await {
            Err(DomainError::AlreadyScheduled { .. }) => Err(ReleaseProblem::Scheduled.into()),
            other => other,
        }
    }
    async fn publish_now(&self, actor: &Actor, id: ReleaseId) -> Result<TaskRow, DomainError> {
        read::require_ready(&self.parts, actor, id).await?;
        publish_now::run_now(&self.parts, actor, (id.0, Kind::register(PUBLISH_KIND)), None).await
    }
    async fn revert(&self, actor: &Actor, id: ReleaseId) -> Result<TaskRow, DomainError> {
        publish_now::run_now(&self.parts, actor, (id.0, Kind::register(REVERT_KIND)), None).await
    }
}
