//! Review of articles before they are published: settings, states, and pure decisions.

pub mod checklist;
pub mod comment;
mod deadline;
mod link;
mod waiting;

pub use deadline::{Deadline, DeadlineCount, DeadlineDecision, MAX_DEADLINE_MINUTES};
pub use link::{LinkedReview, ReviewLink, ReviewedDetails};
pub use waiting::{ChangedReviewSettings, WaitingArticles, WaitingChoice};

use checklist::{CheckItem, Checklist};

use super::field::{Action, Verdict};
use super::found::FoundTerm;
use crate::{
    AccountId, Actor, ArticleId, LocalizedTime, Role, Timestamp, Version,
    meetings::OpeningHours,
    series::ZoneRules,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Maximum length of the reason for sending a text back, in characters.
pub const MAX_REASON_CHARS: usize = 1_000;
/// Lifetime of a link for a review, in milliseconds: 7 days.
pub const LINK_LIFETIME_MS: i64 = 7 * 24 * 3_600_000;
/// Maximum number of reviews that are listed.
pub const MAX_LISTED: u32 = 100;

string_enum! {
    /// What happens to a text before it is published.
    Workflow {
        /// Nothing.
        None = "none",
        /// The content review.
        Automatic = "automatic",
        /// The content review and one reviewer.
        OneReviewer = "one_reviewer",
        /// The content review and two reviewers, one after the other.
        TwoReviewers = "two_reviewers",
    }
}

string_enum! {
    /// State of a review.
    ReviewState {
        /// Waits for a reviewer.
        Submitted = "submitted",
        /// Approved.
        Approved = "approved",
        /// Sent back by a reviewer.
        SentBack = "sent_back",
        /// Waits for a reviewer after its deadline, or because of its words.
        Held = "held",
        /// Sent back by its deadline.
        Expired = "expired",
    }
}

/// Settings of the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewSettings {
    /// What happens before a text is published.
    pub workflow: Workflow,
    /// The deadline.
    pub deadline: Deadline,
    /// The working hours of the desk, in its zone; empty: all hours.
    #[serde(default)]
    pub working_hours: Vec<OpeningHours>,
    /// What a text should have before it is scheduled.
    #[serde(default)]
    pub checklist: Checklist,
    /// Whether reviewers may approve their own articles.
    pub allow_own: bool,
    /// Whether the word lists also apply to meetings, reminders and messages: terms that block or need
    /// an approval are refused there.
    #[serde(default)]
    pub other_texts: bool,
    /// Increases with each change; 0: never set.
    pub version: Version,
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self {
            workflow: Workflow::None,
            deadline: Deadline::default(),
            working_hours: Vec::new(),
            checklist: Checklist::default(),
            allow_own: false,
            other_texts: false,
            version: Version(0),
        }
    }
}

impl ReviewSettings {
    /// Returns when a text submitted at `submitted` and planned for `planned` is decided by itself;
    /// `None`: never. `zone`: that of the desk.
    #[must_use]
    pub fn deadline_at(
        &self,
        submitted: Timestamp,
        planned: Option<Timestamp>,
        zone: &dyn ZoneRules,
    ) -> Option<Timestamp> {
        let hours = match self.deadline.count {
            DeadlineCount::Clock => &[],
            DeadlineCount::WorkingHours => self.working_hours.as_slice(),
        };
        self.deadline.moment(submitted, planned, (hours, zone))
    }
}

impl Workflow {
    /// Number of reviewers that must approve every text.
    #[must_use]
    pub const fn reviewers(self) -> u32 {
        match self {
            Self::None | Self::Automatic => 0,
            Self::OneReviewer => 1,
            Self::TwoReviewers => 2,
        }
    }

    /// Returns the state of a text that is submitted and has this verdict.
    #[must_use]
    pub const fn submitted(self, verdict: Verdict) -> ReviewState {
        match (self, verdict) {
            (_, Verdict::Block) => ReviewState::Held,
            (Self::OneReviewer | Self::TwoReviewers, _) | (_, Verdict::NeedsApproval) => {
                ReviewState::Submitted
            }
            (Self::None | Self::Automatic, Verdict::Clean | Verdict::Flag) => ReviewState::Approved,
        }
    }
}

impl ReviewState {
    /// Whether a reviewer can decide.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Submitted | Self::Held)
    }

    /// Returns the state after the deadline. A text with blocked words is never approved.
    #[must_use]
    pub const fn after_deadline(decision: DeadlineDecision, verdict: Verdict) -> Self {
        match (decision, verdict) {
            (DeadlineDecision::SendBack, _) => Self::Expired,
            (DeadlineDecision::Approve, Verdict::Clean | Verdict::Flag | Verdict::NeedsApproval) => {
                Self::Approved
            }
            _ => Self::Held,
        }
    }
}

/// Whether all hits that need an approval are among those that were approved.
#[must_use]
pub fn are_approved(hits: &[FoundTerm], approved: &[FoundTerm]) -> bool {
    let of_approval = |hit: &&FoundTerm| hit.action == Action::NeedsApproval;
    hits.iter().filter(of_approval).all(|hit| {
        approved.iter().any(|one| {
            (&one.term, one.field, one.start, one.end) == (&hit.term, hit.field, hit.start, hit.end)
        })
    })
}

/// Whether the actor may review at all.
#[must_use]
pub fn may_review(actor: &Actor) -> bool {
    actor.role >= Role::Reviewer
}

/// The first of two approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstApproval {
    /// Name of the one who approved.
    pub reviewer: String,
    /// When.
    pub at: LocalizedTime,
}

/// The review of an article, as users see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Its id.
    pub id: Uuid,
    /// The article.
    pub article_id: ArticleId,
    /// Title of the submitted revision.
    pub title: String,
    /// Owner of the article.
    pub owner_id: AccountId,
    /// Display name of the owner.
    pub owner: String,
    /// Its state.
    pub state: ReviewState,
    /// Increases with each change.
    pub version: Version,
    /// Number of the submitted revision.
    pub revision: i32,
    /// Hash of its title and text.
    pub hash: String,
    /// When it was submitted.
    pub submitted: LocalizedTime,
    /// When it is decided by itself.
    pub deadline: Option<LocalizedTime>,
    /// What happens then.
    pub decision: DeadlineDecision,
    /// When the revision is planned to be published.
    pub planned: Option<LocalizedTime>,
    /// When the revision was planned to be published, if it was held and waits for an approval: the last
    /// one that is needed publishes it at once.
    pub held: Option<LocalizedTime>,
    /// Whether a second approval is needed after the next one.
    pub needs_second: bool,
    /// Name of the only reviewer besides admins.
    pub assigned: Option<String>,
    /// Name of the one who decided; `None`: not decided, or by itself.
    pub reviewer: Option<String>,
    /// The first of two approvals; `None`: there is none.
    pub first: Option<FirstApproval>,
    /// Whether the actor gave the first approval, and another reviewer must give the second.
    pub is_first: bool,
    /// When it was decided.
    pub decided: Option<LocalizedTime>,
    /// Why it was sent back.
    pub reason: String,
    /// Result of the content review.
    pub verdict: Verdict,
    /// Its hits, at most [`super::MAX_HITS`].
    pub hits: Vec<FoundTerm>,
    /// Number of all hits.
    pub hit_count: u32,
    /// Number of revisions that were saved since.
    pub newer_edits: u32,
    /// Number of comments on the article that are not resolved.
    pub open_comments: u32,
    /// Whether the actor may decide it now.
    pub may_decide: bool,
    /// Why the actor may not: it is an own article.
    pub is_own: bool,
}

impl Review {
    /// Whether the actor's approval is still missing, and the text can be approved as it is.
    #[must_use]
    pub fn may_approve(&self) -> bool {
        !self.is_own && !self.is_first && self.verdict != Verdict::Block
    }

    /// Whether the next approval publishes the text at once.
    #[must_use]
    pub fn publishes_at_once(&self) -> bool {
        self.held.is_some() && !self.needs_second
    }
}

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
    #[error("before it is scheduled, the text needs: {}", checklist::names(items))]
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
