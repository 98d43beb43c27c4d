//! Service for articles.

use crate::{
    Actor, ArticleId, DomainError, Page,
    article::{
        Article, ArticleCounts, ArticleEdit, ArticleQuery, ArticleRow, DiffLine, NewArticle, Preview,
        Revision, RevisionRow,
    },
    articles::{
        bulk::{ArticleChange, ArticleSelection, ArticlesOutcome, NextTasks},
        details::{Tag, TagEdit},
        plan::{TableImport, TableReport},
    },
};
use async_trait::async_trait;

/// Articles and their revisions. Every account may read all; owners and admins may change.
#[async_trait]
pub trait Articles: Send + Sync {
    /// One page of the list, most recently changed first.
    async fn list(&self, actor: &Actor, query: ArticleQuery) -> Result<Page<ArticleRow>, DomainError>;
    /// The next tasks of the selected articles, for a change of many, and the articles without one. Of
    /// those that match without a filter, only scheduled ones are meant. `Invalid` (`filter`) if more than
    /// [`crate::input_limits::MAX_BULK_ITEMS`] match.
    async fn next_tasks(&self, actor: &Actor, selection: ArticleSelection) -> Result<NextTasks, DomainError>;
    /// Changes many articles, each that can be changed. `is_dry_run`: says what would be changed.
    /// `Invalid` if more than [`crate::articles::bulk::MAX_BULK_ARTICLES`] are selected.
    async fn change_many(
        &self,
        actor: &Actor,
        selection: ArticleSelection,
        change: ArticleChange,
        is_dry_run: bool,
    ) -> Result<ArticlesOutcome, DomainError>;
    /// Number of articles for each filter. `is_mine`: only those of the actor.
    async fn counts(&self, actor: &Actor, is_mine: bool) -> Result<ArticleCounts, DomainError>;
    /// Number of articles for each filter that the search or the tag of a query leaves; `None`: they are too
    /// many to count.
    async fn search_counts(
        &self,
        actor: &Actor,
        query: ArticleQuery,
    ) -> Result<Option<ArticleCounts>, DomainError>;
    /// One article with its text.
    async fn find(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError>;
    /// Creates a draft owned by the actor.
    async fn create(&self, actor: &Actor, new: NewArticle) -> Result<Article, DomainError>;
    /// Saves a new revision; `TextConflict` if another one was saved since the edit began.
    async fn save(&self, actor: &Actor, id: ArticleId, edit: ArticleEdit) -> Result<Article, DomainError>;
    /// Changes the slug; the previous one redirects. `Taken` if another article has it.
    async fn rename(&self, actor: &Actor, id: ArticleId, slug: String) -> Result<Article, DomainError>;
    /// All revisions, newest first.
    async fn revisions(&self, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, DomainError>;
    /// One revision with its text.
    async fn revision(&self, actor: &Actor, id: ArticleId, number: i32) -> Result<Revision, DomainError>;
    /// Line diff between two revisions, with three lines of context.
    async fn diff(
        &self,
        actor: &Actor,
        id: ArticleId,
        from: i32,
        to: i32,
    ) -> Result<Vec<DiffLine>, DomainError>;
    /// Saves the text of an old revision as a new one.
    async fn restore(
        &self,
        actor: &Actor,
        id: ArticleId,
        number: i32,
        seen_revision: i32,
    ) -> Result<Article, DomainError>;
    /// Moves an article to the trash, from which it can be restored for
    /// [`crate::input_limits::TRASH_RETENTION_MS`]. `InTheWay` while it is public or has scheduled
    /// tasks; `TextConflict` if `seen_revision` is not current. Does nothing if it is already in
    /// the trash.
    async fn delete(
        &self,
        actor: &Actor,
        id: ArticleId,
        seen_revision: Option<i32>,
    ) -> Result<(), DomainError>;
    /// Restores an article from the trash. Does nothing if it is not there.
    async fn undelete(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError>;
    /// The tags of the desk by name, at most [`crate::articles::details::MAX_LISTED_TAGS`].
    async fn tags(&self, actor: &Actor) -> Result<Vec<Tag>, DomainError>;
    /// Renames a tag in all revisions. Admins only. `Taken` if another tag has the name, unless they
    /// are merged.
    async fn rename_tag(&self, actor: &Actor, edit: TagEdit) -> Result<Tag, DomainError>;
    /// Imports a table of articles with their times in one transaction, or says what an import would do.
    async fn import_table(&self, actor: &Actor, import: TableImport) -> Result<TableReport, DomainError>;
    /// Renders Markdown as on the public site.
    async fn preview(&self, actor: &Actor, markdown: &str) -> Result<Preview, DomainError>;
}
