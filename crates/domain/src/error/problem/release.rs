//! Why an action on a release is refused.

use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Why an article cannot be published, unpublished or reverted with its release.
    ItemProblem {
        /// The article or the revision does not exist any more.
        Gone = "target_gone",
        /// The article is in the trash.
        InTrash = "in_trash",
        /// A newer revision is public.
        OlderText = "older_text",
        /// It is to be unpublished, and is not public.
        NotPublic = "not_public",
        /// The text lacks what the checklist of the desk requires.
        Checklist = "checklist",
        /// The revision is not approved.
        NotApproved = "not_approved",
        /// The text contains words that must not be published.
        WordsBlock = "words_block",
        /// The text contains words that a reviewer must approve.
        WordsApproval = "words_approval",
        /// What is public was changed since the release was published.
        ChangedSince = "changed_since",
        /// The article is in another release by now.
        InOtherRelease = "in_other_release",
    }
}

impl ItemProblem {
    /// Whether a reviewer or an admin may solve it until the release is due, so that it does not keep
    /// the release from being scheduled.
    #[must_use]
    pub const fn may_end_by_itself(self) -> bool {
        matches!(self, Self::NotApproved | Self::WordsBlock | Self::WordsApproval)
    }
}

/// Why an action on a release, or on an article of it, is refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseProblem {
    /// It has no articles.
    #[error("this release has no articles; add one first")]
    NoArticles,
    /// An article is blocked.
    #[error("“{title}” {}{}; nothing was changed", why(*.problem), and_others(*.others))]
    Blocked {
        /// Title of the first blocked article.
        title: String,
        /// Why.
        problem: ItemProblem,
        /// Number of further blocked articles.
        others: usize,
    },
    /// An article is in another release that is not published yet.
    #[error("“{title}” is already in the release “{release}”; remove it there first")]
    Taken {
        /// Title of the article.
        title: String,
        /// Name of that release.
        release: String,
    },
    /// It is scheduled.
    #[error("this release is scheduled; cancel its task first")]
    Scheduled,
    /// It is published.
    #[error("this release is published; revert it, or create another one")]
    Published,
    /// It is not published.
    #[error("this release is not published; there is nothing to revert")]
    NotPublished,
    /// The article is in a scheduled release, and cannot be deleted.
    #[error("this article is in the scheduled release “{release}”; remove it there, then delete it")]
    InScheduled {
        /// Name of the release.
        release: String,
    },
}

impl ReleaseProblem {
    /// The code in API errors.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoArticles => "no_articles",
            Self::Blocked { .. } => "release_blocked",
            Self::Taken { .. } => "in_other_release",
            Self::Scheduled => "release_scheduled",
            Self::Published => "release_published",
            Self::NotPublished => "release_not_published",
            Self::InScheduled { .. } => "in_scheduled_release",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        409
    }
}

fn why(problem: ItemProblem) -> &'static str {
    match problem {
        ItemProblem::Gone => "does not exist any more",
        ItemProblem::InTrash => "is in the trash",
        ItemProblem::OlderText => "is public with a newer revision",
        ItemProblem::NotPublic => "is not public",
        ItemProblem::Checklist => "lacks what the checklist requires",
        ItemProblem::NotApproved => "is not approved",
        ItemProblem::WordsBlock => "contains words that must not be published",
        ItemProblem::WordsApproval => "contains words that a reviewer must approve",
        ItemProblem::ChangedSince => "was changed since the release was published",
        ItemProblem::InOtherRelease => "is in another release by now",
    }
}

fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and one other is blocked".to_owned(),
        count => format!(", and {count} others are blocked"),
    }
}
