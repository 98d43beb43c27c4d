//! Imports of uploaded exports, for admins: check, import in the background, undo.

mod actions;
pub mod api;
mod archive;
mod body;
pub mod form;
pub mod importer;
mod job;
mod markdown;
mod present;
mod receive;
mod running;
pub mod sweep;
pub mod theirs;
mod undo;

pub use receive::MAX_BODY_BYTES;

use crate::imports::importer::Importer;
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, ChannelId, DomainError, ImportId, PostId, Version,
    article::Article,
    imports::{Import, NewImport, TextThere, use_cases::Imports},
};
use running::RunningJobs;
use tokio_util::task::TaskTracker;

/// The service of imports.
#[derive(Clone)]
pub struct ImportService {
    importer: Importer,
    jobs: TaskTracker,
    running: RunningJobs,
}

impl ImportService {
    /// Creates the service.
    #[must_use]
    pub fn new(importer: Importer) -> Self {
        Self { importer, jobs: TaskTracker::new(), running: RunningJobs::default() }
    }

    /// Waits until no check and no import runs in this process.
    pub async fn idle(&self) {
        self.jobs.close();
        self.jobs.wait().await;
        self.jobs.reopen();
    }
}

#[async_trait]
impl Imports for ImportService {
    async fn list(&self, actor: &Actor) -> Result<Vec<Import>, DomainError> {
        actions::list(&self.importer.parts, actor).await
    }
    async fn find(&self, actor: &Actor, id: ImportId) -> Result<Import, DomainError> {
        actions::find(&self.importer.parts, actor, id).await
    }
    async fn check(&self, actor: &Actor, new: NewImport) -> Result<Import, DomainError> {
        actions::check(self, actor, new).await
    }
    async fn run(&self, actor: &Actor, id: ImportId, seen: Option<Version>) -> Result<Import, DomainError> {
        actions::run(self, actor, id, seen).await
    }
    async fn stop(&self, actor: &Actor, id: ImportId) -> Result<Import, DomainError> {
        actions::stop(self, actor, id).await
    }
    async fn discard(&self, actor: &Actor, id: ImportId) -> Result<(), DomainError> {
        actions::discard(self, actor, id).await
    }
    async fn undo(&self, actor: &Actor, id: ImportId, is_unpublishing: bool) -> Result<Import, DomainError> {
        undo::undo(&self.importer.parts, actor, id, is_unpublishing).await
    }
    async fn text_there(
        &self,
        actor: &Actor,
        article: ArticleId,
        channel: ChannelId,
    ) -> Result<TextThere, DomainError> {
        theirs::show(&self.importer.parts, actor, article, channel).await
    }
    async fn take_theirs(
        &self,
        actor: &Actor,
        post: PostId,
        seen: (Version, &str),
    ) -> Result<Article, DomainError> {
        theirs::take(&self.importer.parts, actor, post, seen).await
    }
}
