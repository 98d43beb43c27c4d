//! Review of articles before they are published: settings, states, and pure decisions.

pub mod checklist;
pub mod comment;
mod deadline;
mod link;
mod waiting;

pub use deadline::{Deadline, DeadlineCount, DeadlineDecision, MAX_DEADLINE_MINUTES};
pub use link::{LinkedReview, ReviewLink, ReviewedDetails};
pub use waiting::{ChangedReviewSettings, WaitingArticles, WaitingChoice};

pub use crate::{error::problem::review::ReviewProblem, values::review::ReviewState};

use checklist::Checklist;

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
/// How long an approval can be undone, milliseconds.
pub const APPROVAL_UNDO_MS: i64 = 60_000;
/// Lifetime of a link for a review, in milliseconds: 7 days.
pub const LINK_LIFETIME_MS: i64 = 7 * 24 * 3_600_000;
/// Maximum number of reviewers that are asked for a review.
pub const MAX_ASKED: usize = 20;
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
    /// Whether a scheduled article keeps its revision when a newer one is saved. Where texts are reviewed, it
    /// always does. A desk that never chose pins.
    #[serde(default = "always")]
    pub pins_always: bool,
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
            pins_always: true,
            version: Version(0),
        }
    }
}

/// Default of [`ReviewSettings::pins_always`].
const fn always() -> bool {
    true
}

impl ReviewSettings {
    /// Returns the settings of a new desk.
    #[must_use]
    pub fn of_new_desk() -> Self {
        Self { pins_always: false, ..Self::default() }
    }

    /// Whether a scheduled article takes the revision that is saved.
    #[must_use]
    pub fn follows_saves(&self) -> bool {
        self.workflow == Workflow::None && !self.pins_always
    }

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

/// An account that may review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewer {
    /// The account.
    pub id: AccountId,
    /// Its name.
    pub name: String,
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
    /// Who was asked, by name; empty: any reviewer. The others may decide too.
    #[serde(default)]
    pub asked: Vec<Reviewer>,
    /// Whether the actor was asked.
    #[serde(default)]
    pub is_asked: bool,
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
    /// Until when the actor may undo its approval; `None`: they may not.
    #[serde(default)]
    pub undo_until: Option<Timestamp>,
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
