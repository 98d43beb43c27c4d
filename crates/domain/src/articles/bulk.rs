//! One change of many articles.

use crate::{
    AccountId, ArticleId, TaskId,
    article::ArticleQuery,
    bulk_change::{BulkOutcome, BulkRefusal},
};
use serde::{Deserialize, Serialize};

/// Maximum number of articles in one change.
pub const MAX_BULK_ARTICLES: usize = 1_000;
/// The words of the changes.
pub const CHANGES: [&str; 5] = ["assign", "add_tag", "remove_tag", "submit", "approve"];
/// What an article lacks whose next task cannot be changed, in `NoSuch`.
pub const NO_TASK: &str = "scheduled task";

/// Which articles are changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArticleSelection {
    /// These.
    Articles(Vec<ArticleId>),
    /// All that match. Order, day, cursor and limit are ignored.
    Matching(Box<ArticleQuery>),
}

/// The tasks that a change of articles is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NextTasks {
    /// The next scheduled task of each article.
    pub tasks: Vec<TaskId>,
    /// The articles that have none. The ids are those of articles.
    pub without: Vec<BulkRefusal>,
}

/// What happens to each article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArticleChange {
    /// Another account owns it and its open tasks.
    Assign {
        /// The account.
        to: NewOwner,
    },
    /// Its text gets a tag.
    AddTag {
        /// Name of the tag.
        tag: String,
    },
    /// Its text loses a tag.
    RemoveTag {
        /// Name of the tag.
        tag: String,
    },
    /// Its current text is submitted for review, which asks every reviewer.
    Submit,
    /// Its submitted text is approved. Cannot be undone.
    Approve {
        /// What the preview said: if a text has changed since, nothing is approved. `None`: it is not
        /// compared.
        seen: Option<String>,
    },
}

/// The account that gets articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NewOwner {
    /// By its id.
    Account(AccountId),
    /// By its name, without regard to the case of ASCII letters; `me`: the actor.
    Named(String),
}

/// What a change of many articles did, or would do. The ids of what it refuses are those of articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticlesOutcome {
    /// The outcome. Articles that are already as wanted count as matched only.
    pub outcome: BulkOutcome,
    /// Names the texts that an approval is about, for [`ArticleChange::Approve`].
    pub seen: Option<String>,
}
