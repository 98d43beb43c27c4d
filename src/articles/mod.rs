//! Articles: texts, revisions and slugs. Every user can read all articles; owners and admins can
//! change them.

pub mod api;
pub mod bulk;
mod check;
mod create;
mod details;
mod follow;
pub mod kinds;
pub mod plan;
mod read;
mod rename;
pub mod review;
mod revisions;
mod save;
mod trash;

use super::services::rendering;
use crate::{
    app_state::AppState,
    services::idempotency::answered_once,
    text::{html::escape, render, words},
};
use async_trait::async_trait;
use domain::{
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
    services::Articles,
};
use texts::refusal::sentence;

pub use save::{TakenPost, link_cards, save_taken};

pub use details::{authors, checked_fields as checked_details, tags_api};

/// Prefix of element ids in a preview, so that they do not collide with ids of the page.
const PREVIEW_ID_PREFIX: &str = "text-";

/// The article service.
#[derive(Clone)]
pub struct ArticleService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl ArticleService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Articles for ArticleService {
    async fn list(&self, actor: &Actor, query: ArticleQuery) -> Result<Page<ArticleRow>, DomainError> {
        read::list(self, actor, query).await
    }
    async fn next_tasks(&self, actor: &Actor, selection: ArticleSelection) -> Result<NextTasks, DomainError> {
        read::next_tasks(self, actor, selection).await
    }
    async fn change_many(
        &self,
        actor: &Actor,
        selection: ArticleSelection,
        change: ArticleChange,
        is_dry_run: bool,
    ) -> Result<ArticlesOutcome, DomainError> {
        let change = Box::pin(bulk::change(self, actor, selection, change, is_dry_run));
        answered_once(&self.parts.store, actor, self.parts.clock.now(), change).await
    }
    async fn search_counts(
        &self,
        actor: &Actor,
        query: ArticleQuery,
    ) -> Result<Option<ArticleCounts>, DomainError> {
        read::search_counts(self, actor, query).await
    }
    async fn counts(&self, actor: &Actor, is_mine: bool) -> Result<ArticleCounts, DomainError> {
        read::counts(self, actor, is_mine).await
    }
    async fn find(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError> {
        read::find(self, actor, id).await
    }
    async fn create(&self, actor: &Actor, new: NewArticle) -> Result<Article, DomainError> {
        create::create(self, actor, new).await
    }
    async fn save(&self, actor: &Actor, id: ArticleId, edit: ArticleEdit) -> Result<Article, DomainError> {
        save::save(self, actor, id, edit).await
    }
    async fn rename(&self, actor: &Actor, id: ArticleId, slug: String) -> Result<Article, DomainError> {
        rename::rename(self, actor, id, slug).await
    }
    async fn revisions(&self, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, DomainError> {
        revisions::list(self, actor, id).await
    }
    async fn revision(&self, actor: &Actor, id: ArticleId, number: i32) -> Result<Revision, DomainError> {
        revisions::find(self, actor, id, number).await
    }
    async fn diff(
        &self,
        actor: &Actor,
        id: ArticleId,
        from: i32,
        to: i32,
    ) -> Result<Vec<DiffLine>, DomainError> {
        revisions::compare(self, actor, id, from, to).await
    }
    async fn restore(
        &self,
        actor: &Actor,
        id: ArticleId,
        number: i32,
        seen_revision: i32,
    ) -> Result<Article, DomainError> {
        save::restore(self, actor, id, number, seen_revision).await
    }
    async fn delete(
        &self,
        actor: &Actor,
        id: ArticleId,
        seen_revision: Option<i32>,
    ) -> Result<(), DomainError> {
        trash::delete(self, actor, id, seen_revision).await
    }
    async fn undelete(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError> {
        trash::undelete(self, actor, id).await
    }
    async fn tags(&self, actor: &Actor) -> Result<Vec<Tag>, DomainError> {
        details::tags::list(self, actor).await
    }
    async fn rename_tag(&self, actor: &Actor, edit: TagEdit) -> Result<Tag, DomainError> {
        details::tags::rename(self, actor, edit).await
    }
    async fn import_table(&self, actor: &Actor, import: TableImport) -> Result<TableReport, DomainError> {
        plan::import(&self.parts, actor, import).await
    }
    async fn preview(&self, actor: &Actor, markdown: &str) -> Result<Preview, DomainError> {
        let body = check::body(markdown)?;
        let words = words::count(&body);
        let minutes = words::reading_minutes(words, render::script::language(&body).unwrap_or_default());
        let outcome = rendering::render_for_client(actor.into(), body).await?;
        let html = match rendering::resolved(&self.parts, actor.into(), outcome).await?.as_ref() {
            Ok(html) => {
                let html = link_cards::preview(&self.parts, html.as_str()).await?;
                render::prefix_ids(&html, PREVIEW_ID_PREFIX)
            }
            Err(limit) => {
                let refusal = DomainError::invalid("body", (*limit).into());
                format!("<p>{}</p>", escape(&sentence(actor.language, &refusal)))
            }
        };
        Ok(Preview { html, words, minutes })
    }
}
