//! The service of reviews.

use super::comment::{NewComment, ReviewComment};
use super::workflow::checklist::{CheckedItem, CheckedLinks, TextCheck};
use super::workflow::{
    ChangedReviewSettings, LinkedReview, Review, ReviewLink, ReviewSettings, ReviewedDetails, Reviewer,
    WaitingChoice,
};
use crate::{AccountId, Actor, ArticleId, DomainError, Version, base::diff_line::DiffLine};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A review with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewedText {
    /// The review.
    pub review: Review,
    /// The submitted Markdown.
    pub body: String,
    /// The submitted text as HTML, sanitised.
    pub html: String,
    /// What else of the revision readers see.
    pub details: ReviewedDetails,
    /// What the checklist finds in it.
    #[serde(default)]
    pub check: Vec<CheckedItem>,
    /// Number of the public revision.
    pub public: Option<i32>,
    /// Changes against the public revision; empty if there is none.
    pub diff: Vec<DiffLine>,
    /// Comments on all revisions of the article, by revision and paragraph.
    pub comments: Vec<ReviewComment>,
    /// Whether the user may comment.
    pub may_comment: bool,
}

/// Reviews of articles. Every account may read; owners submit, reviewers and admins decide.
#[async_trait]
pub trait Reviews: Send + Sync {
    /// The settings.
    async fn settings(&self, actor: &Actor) -> Result<ReviewSettings, DomainError>;
    /// Number of articles that wait for an approval.
    async fn waiting_count(&self) -> Result<u64, DomainError>;
    /// Changes the settings; for admins. `Changed` if `seen` is not the version; `None`: any.
    async fn change_settings(
        &self,
        actor: &Actor,
        settings: ReviewSettings,
        waiting: WaitingChoice,
        seen: Option<Version>,
    ) -> Result<ChangedReviewSettings, DomainError>;
    /// The review of an article; `None`: it was never submitted.
    async fn find(&self, actor: &Actor, article: ArticleId) -> Result<Option<Review>, DomainError>;
    /// The reviews that wait for a reviewer, earliest deadline first.
    async fn list(&self, actor: &Actor) -> Result<Vec<Review>, DomainError>;
    /// Number of reviews that the actor may decide.
    async fn count(&self, actor: &Actor) -> Result<u64, DomainError>;
    /// A review with its text.
    async fn text(&self, actor: &Actor, article: ArticleId) -> Result<ReviewedText, DomainError>;
    /// Checks the current text of an article against the checklist and the word lists.
    async fn check(&self, actor: &Actor, article: ArticleId) -> Result<TextCheck, DomainError>;
    /// Opens the links of the current text of an article; for those who may change it, and reviewers.
    async fn check_links(&self, actor: &Actor, article: ArticleId) -> Result<CheckedLinks, DomainError>;
    /// The accounts that may be asked for a review, by name.
    async fn reviewers(&self, actor: &Actor) -> Result<Vec<Reviewer>, DomainError>;
    /// Submits the current revision, and asks these reviewers; `None` or empty: any. If it is under
    /// review already, only who is asked changes; `None`: nothing does.
    async fn submit(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
        reviewers: Option<Vec<AccountId>>,
    ) -> Result<Review, DomainError>;
    /// Approves the revision that was seen, and publishes it if its time has come.
    async fn approve(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen: (i32, String),
    ) -> Result<Review, DomainError>;
    /// Undoes an approval within a minute, until the text is public; for the reviewer who gave it and
    /// admins. `CannotUndo` else.
    async fn undo_approval(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
    ) -> Result<Review, DomainError>;
    /// Sends the revision that was seen back.
    async fn send_back(
        &self,
        actor: &Actor,
        article: ArticleId,
        seen_revision: i32,
        reason: String,
    ) -> Result<Review, DomainError>;
    /// Comments of an article, by revision and paragraph; at most
    /// [`MAX_COMMENTS`](super::comment::MAX_COMMENTS).
    async fn comments(&self, actor: &Actor, article: ArticleId) -> Result<Vec<ReviewComment>, DomainError>;
    /// Comments on a paragraph; for the owner and reviewers.
    async fn comment(
        &self,
        actor: &Actor,
        article: ArticleId,
        new: NewComment,
    ) -> Result<ReviewComment, DomainError>;
    /// Resolves a comment or opens it again; for its author, the owner and reviewers. `Changed` if it
    /// is that already.
    async fn resolve_comment(
        &self,
        actor: &Actor,
        comment: Uuid,
        is_resolved: bool,
    ) -> Result<ReviewComment, DomainError>;
    /// Creates a link with which a person without an account decides once.
    async fn create_link(
        &self,
        actor: &Actor,
        article: ArticleId,
        name: String,
    ) -> Result<ReviewLink, DomainError>;
    /// What a link shows. Changes nothing.
    async fn link(&self, secret: &str) -> Result<LinkedReview, DomainError>;
    /// Decides with a link: approves, or sends back with the reason.
    async fn decide_by_link(&self, secret: &str, send_back: Option<String>) -> Result<(), DomainError>;
}
