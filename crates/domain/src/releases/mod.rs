//! Releases: articles that become public, or are unpublished, in one transaction at one moment.

mod decide;
pub mod use_cases;

pub use crate::error::problem::release::{ItemProblem, ReleaseProblem};
pub use decide::{ItemFacts, blocked_reason, is_as_left, problem_of, read_blocked_reason};

use crate::{
    AccountId, ArticleId, LocalizedTime, ReleaseId, State, Version,
    state::{ParseEnumError, string_enum},
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Word of the kind of the tasks that publish a release.
pub const PUBLISH_KIND: &str = "release.publish";
/// Word of the kind of the tasks that revert a published release.
pub const REVERT_KIND: &str = "release.revert";
/// Maximum number of characters of a name.
pub const MAX_RELEASE_NAME: usize = 200;
/// Maximum number of articles of a release.
pub const MAX_RELEASE_ITEMS: usize = 200;
/// Maximum number of listed releases.
pub const MAX_LISTED_RELEASES: u32 = 100;

string_enum! {
    /// What a release does with an article.
    ReleaseAction {
        /// The pinned revision becomes public.
        Publish = "publish",
        /// The article is unpublished.
        Unpublish = "unpublish",
    }
}

string_enum! {
    /// State of a release.
    ReleaseState {
        /// Being put together.
        Draft = "draft",
        /// Its task waits.
        Scheduled = "scheduled",
        /// Its task failed or was missed; nothing was changed.
        Failed = "failed",
        /// All its articles were published or unpublished.
        Published = "published",
        /// It was published, and everything is public again as before.
        Reverted = "reverted",
    }
}

impl ReleaseState {
    /// Derives the state. `task`: state of its scheduled task, or of the one that failed last.
    #[must_use]
    pub const fn of(is_published: bool, was_reverted: bool, task: Option<State>) -> Self {
        match (is_published, task) {
            (true, _) => Self::Published,
            (false, Some(State::Scheduled)) => Self::Scheduled,
            (false, Some(State::Failed | State::Missed)) => Self::Failed,
            (false, _) if was_reverted => Self::Reverted,
            (false, _) => Self::Draft,
        }
    }

    /// Whether name and articles may be changed.
    #[must_use]
    pub const fn may_edit(self) -> bool {
        matches!(self, Self::Draft | Self::Failed | Self::Reverted)
    }
}

string_enum! {
    /// Whether an article of a release can be published or unpublished with it.
    ItemState {
        /// It can.
        Ready = "ready",
        /// It cannot: nothing of the release would change.
        Blocked = "blocked",
        /// It was, with the release.
        Done = "done",
    }
}

/// An article to be put into a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewItem {
    /// The article.
    pub article: ArticleId,
    /// What the release does with it.
    pub action: ReleaseAction,
    /// Number of the revision that becomes public; `None`: the current one.
    pub revision: Option<i32>,
}

/// A release to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewRelease {
    /// Name, 1 to 200 characters.
    pub name: String,
    /// Its articles, in this order.
    pub items: Vec<NewItem>,
}

/// A change of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseEdit {
    /// New name; `None`: unchanged.
    pub name: Option<String>,
    /// All its articles from now on; `None`: unchanged.
    pub items: Option<Vec<NewItem>>,
    /// The version that the caller saw.
    pub seen: Version,
}

/// A release in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseRow {
    /// Id.
    pub id: ReleaseId,
    /// Name.
    pub name: String,
    /// Increases with every change; clients send it back with the next one.
    pub version: Version,
    /// State.
    pub state: ReleaseState,
    /// Owner.
    pub owner_id: AccountId,
    /// Name of the owner.
    pub owner: String,
    /// When it was created.
    pub created: LocalizedTime,
    /// When it was published; `None`: it is not.
    pub published: Option<LocalizedTime>,
    /// Number of its articles.
    pub count: u32,
    /// Its scheduled task, or the one that failed or was missed last.
    pub task: Option<TaskRow>,
    /// Whether the caller may change it.
    pub may_change: bool,
}

/// An article of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseItem {
    /// The article.
    pub article: ArticleId,
    /// Its title: of the pinned revision, if there is one. Empty: the article does not exist any more.
    pub title: String,
    /// What the release does with it.
    pub action: ReleaseAction,
    /// Number of the revision that becomes public.
    pub revision: Option<i32>,
    /// Whether the article has a newer revision than that.
    pub has_newer: bool,
    /// Whether it can be published or unpublished now.
    pub state: ItemState,
    /// Why not.
    pub problem: Option<ItemProblem>,
}

/// A release with its articles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// The list row.
    pub row: ReleaseRow,
    /// Its articles, in its order.
    pub items: Vec<ReleaseItem>,
}

/// The scheduled release that an article is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedRelease {
    /// Id of the release.
    pub id: ReleaseId,
    /// Its name.
    pub name: String,
    /// What it does with the article.
    pub action: ReleaseAction,
    /// When it is due.
    pub due: LocalizedTime,
}
