//! The service of imports.

use super::{Import, NewImport, TextThere};
use crate::{Actor, ArticleId, ChannelId, DomainError, ImportId, PostId, Version, article::Article};
use async_trait::async_trait;

/// Imports of uploaded exports. Admins only.
#[async_trait]
pub trait Imports: Send + Sync {
    /// The newest imports.
    async fn list(&self, actor: &Actor) -> Result<Vec<Import>, DomainError>;
    /// An import.
    async fn find(&self, actor: &Actor, id: ImportId) -> Result<Import, DomainError>;
    /// Stores an import whose file was uploaded, and checks it. The check ends in the background. The
    /// file is removed if the import is refused.
    async fn check(&self, actor: &Actor, new: NewImport) -> Result<Import, DomainError>;
    /// Starts the import; it ends in the background. `Changed` if `seen` is not its version.
    async fn run(&self, actor: &Actor, id: ImportId, seen: Option<Version>) -> Result<Import, DomainError>;
    /// Stops a running import within a second. What is imported stays; it can go on or be undone.
    async fn stop(&self, actor: &Actor, id: ImportId) -> Result<Import, DomainError>;
    /// Removes an import that is not running, and its file. Its articles stay. A check is cancelled.
    async fn discard(&self, actor: &Actor, id: ImportId) -> Result<(), DomainError>;
    /// Moves the articles that the import created to the trash and cancels their tasks. Articles that
    /// were changed since stay; those that are public too, unless `is_unpublishing`.
    async fn undo(&self, actor: &Actor, id: ImportId, is_unpublishing: bool) -> Result<Import, DomainError>;
    /// Asks a site for the text that it has of an article now.
    async fn text_there(
        &self,
        actor: &Actor,
        article: ArticleId,
        channel: ChannelId,
    ) -> Result<TextThere, DomainError>;
    /// Makes the text that a site has of an article a new revision of it. `Changed` if the post has another version, or
    /// the text there another hash, than the actor has seen.
    async fn take_theirs(
        &self,
        actor: &Actor,
        post: PostId,
        seen: (Version, &str),
    ) -> Result<Article, DomainError>;
}
