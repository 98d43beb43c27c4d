//! Refusals of reviews.

use super::DomainError;
use crate::review::workflow::ReviewProblem;

impl From<ReviewProblem> for DomainError {
    fn from(problem: ReviewProblem) -> Self {
        Self::Review { problem }
    }
}
