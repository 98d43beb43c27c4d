//! Reviews as the API reads and returns them.

use crate::http::api::numbers::required_integer;
use domain::{
    AccountId, DomainError, GroupId, Timestamp,
    error::ValidationError,
    review::{
        FoundTerm,
        workflow::{Review, Reviewer},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The review of an article.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewBody {
    /// `submitted`, `approved`, `sent_back` (by a reviewer), `held` (waits for a reviewer after its
    /// deadline, or because of its words) or `expired` (sent back by its deadline).
    state: &'static str,
    /// Number of the submitted revision.
    revision: i32,
    /// SHA-256 of its title and text, in hex: an approval is bound to it.
    hash: String,
    /// Increases with each change.
    version: i32,
    /// When it was submitted.
    #[schema(value_type = String, format = DateTime)]
    submitted_at: Timestamp,
    /// When it is decided by itself; null: never.
    #[schema(value_type = Option<String>, format = DateTime)]
    deadline_at: Option<Timestamp>,
    /// When it was decided; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// Name of the one who decided; null: none, or it was decided by itself.
    reviewer: Option<String>,
    /// The first of two approvals; null: there is none.
    first_approval: Option<FirstApprovalBody>,
    /// Name of the only reviewer besides admins; null: any reviewer.
    assigned_to: Option<String>,
    /// Who was asked, by name; empty: any reviewer. The others may decide too.
    asked: Vec<ReviewerBody>,
    /// Whether the token's owner was asked.
    is_asked: bool,
    /// Until when the token's owner may undo the approval; null: they may not.
    #[schema(value_type = Option<String>, format = DateTime)]
    undo_until: Option<Timestamp>,
    /// Why it was sent back.
    reason: String,
    /// `clean`, `flag`, `needs_approval` or `block`.
    verdict: &'static str,
    /// What the word lists found, at most 1,000 hits.
    hits: Vec<ReviewHitBody>,
    /// Number of revisions that were saved since and are not part of this review.
    newer_edits: u32,
}

/// An account that was asked for a review.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewerBody {
    /// Id of the account.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its name.
    name: String,
}

impl From<Reviewer> for ReviewerBody {
    fn from(reviewer: Reviewer) -> Self {
        Self { id: reviewer.id.0, name: reviewer.name }
    }
}

/// The first of two approvals.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstApprovalBody {
    /// Name of the reviewer, or of the person with a link.
    reviewer: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

/// A hit of a word list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewHitBody {
    /// The term as it is in the list.
    term: String,
    /// `replace`, `flag`, `needs_approval` or `block`.
    action: &'static str,
    /// Begin in the field, in characters.
    start: usize,
    /// End in the field, in characters.
    end: usize,
    /// `title`, `summary` or `text`.
    field: &'static str,
    /// What replaces it; `null`: nothing does.
    replacement: Option<String>,
}

impl From<FoundTerm> for ReviewHitBody {
    fn from(hit: FoundTerm) -> Self {
        let FoundTerm { term, action, start, end, field, replacement, .. } = hit;
        Self { term, action: action.as_str(), start, end, field: field.as_str(), replacement }
    }
}

impl From<Review> for ReviewBody {
    fn from(review: Review) -> Self {
        Self {
            state: review.state.as_str(),
            revision: review.revision,
            hash: review.hash,
            version: review.version.0,
            submitted_at: review.submitted.at,
            deadline_at: review.deadline.map(|at| at.at),
            decided_at: review.decided.map(|at| at.at),
            reviewer: review.reviewer,
            first_approval: review
                .first
                .map(|first| FirstApprovalBody { reviewer: first.reviewer, at: first.at.at }),
            assigned_to: review.assigned,
            asked: review.asked.into_iter().map(ReviewerBody::from).collect(),
            is_asked: review.is_asked,
            undo_until: review.undo_until,
            reason: review.reason,
            verdict: review.verdict.as_str(),
            hits: review.hits.into_iter().map(ReviewHitBody::from).collect(),
            newer_edits: review.newer_edits,
        }
    }
}

/// The revision that the caller saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmitBody {
    /// Number of the current revision that the caller saw; a different one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_revision: i32,
    /// Ids of the reviewers and admins that are asked, at most 20; empty: any reviewer. Only they are
    /// notified; the others may decide too. Absent: any reviewer, or those of a text under review.
    #[schema(max_items = 20)]
    reviewers: Option<Vec<String>>,
    /// Ids of groups whose members are asked too: those that may review now, without the owner of the
    /// article. Each of them is asked; later changes of a group change nothing here.
    #[schema(max_items = 100)]
    groups: Option<Vec<String>>,
}

impl SubmitBody {
    /// Returns who is asked.
    pub fn asked(&self) -> Result<Option<Vec<AccountId>>, DomainError> {
        let account = |text: &String| {
            text.parse::<AccountId>().map_err(|_| DomainError::invalid("reviewers", ValidationError::Unknown))
        };
        self.reviewers.as_ref().map(|all| all.iter().map(account).collect()).transpose()
    }

    /// Returns the groups that are asked.
    pub fn groups(&self) -> Result<Vec<GroupId>, DomainError> {
        let group = |text: &String| {
            text.parse::<GroupId>().map_err(|_| DomainError::invalid("groups", ValidationError::Unknown))
        };
        self.groups.iter().flatten().map(group).collect()
    }
}

/// An approval.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveBody {
    /// `review.revision` that the caller saw; a different one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_revision: i32,
    /// `review.hash` that the caller saw; a different one is a conflict.
    #[schema(min_length = 64, max_length = 64)]
    pub revision_hash: String,
}

/// An approval that is undone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoApprovalBody {
    /// `review.revision` that the caller saw; a different one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_revision: i32,
}

/// A text that is sent back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendBackBody {
    /// `review.revision` that the caller saw; a different one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_revision: i32,
    /// Why, for the author: 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    pub reason: String,
}

/// A new link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReviewLinkBody {
    /// Name of the person who decides with it.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
}

/// A link with which a person without an account decides once about one revision.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewLinkBody {
    /// Its address. It contains a secret that is not shown again.
    pub url: String,
    /// Number of the revision.
    pub revision: i32,
    /// When it expires.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}
