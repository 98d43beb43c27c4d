//! Why an action of a review is refused.

use crate::{
    LocalizedTime,
    values::review::{CheckItem, ReviewState},
};
use serde::{Deserialize, Serialize};

/// Why an action of a review is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewProblem {
    /// The workflow is "none".
    #[error("this desk has no review; an admin can change that in the settings")]
    NoWorkflow,
    /// The article was not submitted.
    #[error("this article was not submitted for review")]
    NotSubmitted,
    /// The review is decided already.
    #[error("this review is {state} already; nothing was changed")]
    Closed {
        /// Its state.
        state: ReviewState,
    },
    /// Another revision is under review than the one that was seen.
    #[error("revision {revision} is under review now; look at that one")]
    Stale {
        /// Number of the revision under review.
        revision: i32,
    },
    /// It is an own article.
    #[error("this is your own article; another reviewer must approve it")]
    Own,
    /// The same reviewer gave the first approval.
    #[error("you approved this text already; another reviewer must approve it too")]
    First,
    /// It is assigned to another reviewer.
    #[error("this review is assigned to {to}")]
    Assigned {
        /// Name of that reviewer.
        to: String,
    },
    /// The text contains blocked words.
    #[error("the text contains what may not be published: {terms}; change the text or the word list")]
    Blocked {
        /// The terms, separated by commas.
        terms: String,
    },
    /// A meeting, a reminder or a message contains words that the desk does not allow.
    #[error(
        "this desk does not allow these words: {terms}; change the text, or ask an admin to change the word list"
    )]
    Words {
        /// The terms, separated by commas.
        terms: String,
    },
    /// The word lists have changed, and there are new hits.
    #[error("the word lists have changed and there are new hits; look at them, then approve again")]
    NewHits,
    /// The text is not approved.
    #[error("this text is not approved yet; {}", stays_planned(planned.as_ref()))]
    NotApproved {
        /// When its task is due, which stays as it is; `None`: it is not scheduled, or it is one of several.
        planned: Option<LocalizedTime>,
    },
    /// The text lacks what the desk requires.
    #[error("before it is scheduled, the text needs: {}", names(items))]
    Checklist {
        /// What it lacks.
        items: Vec<CheckItem>,
    },
    /// The escalation needs a reviewer who is not disabled.
    #[error("escalate_to must be a reviewer or an admin who is not disabled")]
    NoReviewer,
}

fn stays_planned(planned: Option<&LocalizedTime>) -> String {
    match planned {
        Some(due) => format!("it stays planned for {}", due.at),
        None => "a reviewer must approve it before it is published".to_owned(),
    }
}

/// The words of some items, separated by commas.
fn names(items: &[CheckItem]) -> String {
    items.iter().map(|item| item.as_str()).collect::<Vec<_>>().join(", ")
}

impl ReviewProblem {
    /// The code in API errors.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoWorkflow => "no_workflow",
            Self::NotSubmitted => "not_submitted",
            Self::Closed { .. } => "review_closed",
            Self::Stale { .. } => "stale_revision",
            Self::Own => "own_article",
            Self::First => "approved_by_you",
            Self::Assigned { .. } => "assigned",
            Self::Blocked { .. } => "blocked_words",
            Self::Words { .. } => "words",
            Self::NewHits => "new_hits",
            Self::NotApproved { .. } => "not_approved",
            Self::Checklist { .. } => "checklist",
            Self::NoReviewer => "no_reviewer",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Own | Self::First | Self::Assigned { .. } => 403,
            Self::NoReviewer | Self::Checklist { .. } | Self::Words { .. } => 422,
            _ => 409,
        }
    }
}
