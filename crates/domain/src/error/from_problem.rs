//! Errors from the problems of features.

use super::DomainError;
use crate::{imports::ImportProblem, media::MediaProblem};

impl From<MediaProblem> for DomainError {
    fn from(problem: MediaProblem) -> Self {
        Self::Media { problem }
    }
}

impl From<ImportProblem> for DomainError {
    fn from(problem: ImportProblem) -> Self {
        Self::Import { problem }
    }
}
