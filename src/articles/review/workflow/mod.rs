//! Review of articles before they are published: submitted by authors, decided by reviewers, by a
//! deadline, or by a person with a link. Each change is one compare-and-set with its task and event.

pub mod api;
mod body;
mod change;
mod check;
pub mod check_api;
mod comments;
pub mod comments_api;
mod decide;
mod follow;
pub mod links;
mod read;
mod settings;
mod submit;
mod superseded_tasks;

pub use super::content::content_hash;
pub use decide::{approve, may_approve};
pub use follow::{follow_articles, follow_new, follow_schedules, followed};
pub use read::of_article;
pub use submit::submit;

use super::links_check;
use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    AccountId, Actor, ArticleId, DomainError, Version,
    review::{
        ReviewedText, Reviews,
        comment::{NewComment, ReviewComment},
        workflow::{
            ChangedReviewSettings, LinkedReview, Review, ReviewLink, ReviewSettings, Reviewer, WaitingChoice,
            checklist::{CheckedLinks, TextCheck},
        },
    },
};
use uuid::Uuid;

/// The service of reviews.
#[derive(Clone)]
pub struct ReviewService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl ReviewService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Reviews for ReviewService {
    async fn settings(&self, _actor: &Actor) -> Result<ReviewSettings, DomainError> {
        settings::find(&self.parts).await
    }
    async fn waiting_count(&self) -> Result<u64, DomainError> {
        settings::waiting::count(&self.parts).await
    }
    async fn change_settings(
        &self,
        actor: &Actor,
        settings: ReviewSettings,
        waiting: WaitingChoice,
        seen: Option<Version>,
    ) -> Result<ChangedReviewSettings, DomainError> {
        settings::change(&self.parts, actor, (settings, waiting), seen).await
    }
    async fn find(&self, actor: &Actor, article: ArticleId) -> Result<Option<Review>, DomainError> {
        read::find(&self.parts, actor, article).await
    }
    async fn list(&self, actor: &Actor) -> Result<Vec<Review>, DomainError> {
        read::list(&self.parts, actor).await
    }
    async fn count(&self, actor: &Actor) -> Result<u64, DomainError> {
        read::count(&self.parts, actor).await
    }
    async fn text(&self, actor: &Actor, article: ArticleId) -> Result<ReviewedText, DomainError> {
        read::text(&self.parts, actor, article).await
    }
    async fn check(&self, actor: &Actor, article: ArticleId) -> Result<TextCheck, DomainError> {
        check::check(&self.parts, actor, article).await
    }
    async fn check_links(&self, actor: &Actor, article: ArticleId) -> Result<CheckedLinks, DomainError> {
        links_check::check(&self.parts, actor, article).await
    }
    async fn reviewers(&self, _actor: &Actor) -> Result<Vec<Reviewer>, DomainError> {
        submit::reviewers(&self.parts).await
    }
    async fn submit(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
        reviewers: Option<Vec<AccountId>>,
    ) -> Result<Review, DomainError> {
        submit::submit(&self.parts, actor, article, (seen_revision, reviewers)).await?;
        read::existing(&self.parts, actor, article).await
    }
    async fn approve(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen: (i32, String),
    ) -> Result<Review, DomainError> {
        decide::approve(&self.parts, actor, article, (seen.0, &seen.1)).await?;
        read::existing(&self.parts, actor, article).await
    }
    async fn undo_approval(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
    ) -> Result<Review, DomainError> {
        decide::undo_approval(&self.parts, actor, article, seen_revision).await?;
        read::existing(&self.parts, actor, article).await
    }
    async fn send_back(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
        reason: String,
    ) -> Result<Review, DomainError> {
        decide::send_back(&self.parts, actor, article, (seen_revision, &reason)).await?;
        read::existing(&self.parts, actor, article).await
    }
    async fn comments(&self, actor: &Actor, article: ArticleId) -> Result<Vec<ReviewComment>, DomainError> {
        comments::of_article(&self.parts, actor, article).await
    }
    async fn comment(
        &self,
        actor: &Actor,
        article: ArticleId,
        new: NewComment,
    ) -> Result<ReviewComment, DomainError> {
        comments::add(&self.parts, actor, article, new).await
    }
    async fn resolve_comment(
        &self,
        actor: &Actor,
        comment: Uuid,
        is_resolved: bool,
    ) -> Result<ReviewComment, DomainError> {
        comments::resolve(&self.parts, actor, comment, is_resolved).await
    }
    async fn create_link(
        &self,
        actor: &Actor,
        article: ArticleId,
        name: String,
    ) -> Result<ReviewLink, DomainError> {
        links::create(&self.parts, actor, article, &name).await
    }
    async fn link(&self, secret: &str) -> Result<LinkedReview, DomainError> {
        links::show(&self.parts, secret).await
    }
    async fn decide_by_link(&self, secret: &str, send_back: Option<String>) -> Result<(), DomainError> {
        links::decide(&self.parts, secret, send_back.as_deref()).await
    }
}
