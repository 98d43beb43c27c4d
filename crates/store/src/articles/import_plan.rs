//! What an import does with an article: publish a draft with a past date, or create tasks.

use domain::{AccountId, ArticleId, Timestamp};

/// Account and time of an import.
#[derive(Debug, Clone, Copy)]
pub struct ImportAuthor {
    /// Owner of new articles and author of the revisions.
    pub account: AccountId,
    /// Current time.
    pub now: Timestamp,
}

/// A draft to publish with a past date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftToPublish {
    /// Id of the article.
    pub id: ArticleId,
    /// Publication time.
    pub at: Timestamp,
    /// Last change; `None`: never.
    pub updated_at: Option<Timestamp>,
}

/// The tasks that an import creates for an article. They are recorded to separate them from tasks that
/// users create or change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedTasks {
    /// Id of the article.
    pub id: ArticleId,
    /// When it is published; `None`: this import creates no such task.
    pub due_at: Option<Timestamp>,
    /// When it is unpublished; `None`: this import creates no such task.
    pub expires_at: Option<Timestamp>,
}
