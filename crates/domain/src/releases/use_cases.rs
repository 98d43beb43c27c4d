//! The service of releases.

use super::{NewRelease, Release, ReleaseEdit, ReleaseRow};
use crate::{Actor, DomainError, ReleaseId, Version, When, task::TaskRow};
use async_trait::async_trait;

/// Releases of articles. Every account may read all; owners and admins may change.
#[async_trait]
pub trait Releases: Send + Sync {
    /// The newest releases, at most [`super::MAX_LISTED_RELEASES`].
    async fn list(&self, actor: &Actor) -> Result<Vec<ReleaseRow>, DomainError>;
    /// A release, with what keeps its articles from being published now.
    async fn find(&self, actor: &Actor, id: ReleaseId) -> Result<Release, DomainError>;
    /// Creates a release owned by the actor, who must be allowed to change its articles. An article
    /// is in one release at a time, until that one is published.
    async fn create(&self, actor: &Actor, new: NewRelease) -> Result<Release, DomainError>;
    /// Changes a release that is neither scheduled nor published. `Changed` if it has another version.
    async fn edit(&self, actor: &Actor, id: ReleaseId, edit: ReleaseEdit) -> Result<Release, DomainError>;
    /// Deletes a release that is not scheduled; its articles stay as they are.
    async fn delete(&self, actor: &Actor, id: ReleaseId, seen: Option<Version>) -> Result<(), DomainError>;
    /// Schedules the release. Refused while an article can certainly not be published then.
    async fn schedule(&self, actor: &Actor, id: ReleaseId, when: When) -> Result<TaskRow, DomainError>;
    /// Publishes the release now: by the task, which is executed shortly after. Refused while an article
    /// is blocked.
    async fn publish_now(&self, actor: &Actor, id: ReleaseId) -> Result<TaskRow, DomainError>;
    /// Reverts a published release: everything is public again as before. By a task, which is executed
    /// shortly after. Refused if what is public of one of its articles changed since.
    async fn revert(&self, actor: &Actor, id: ReleaseId) -> Result<TaskRow, DomainError>;
}
