//! Errors from the problems of features.

use super::DomainError;
use crate::{
    imports::ImportProblem, mail_limits::MailProblem, media::MediaProblem, releases::ReleaseProblem,
};

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

impl From<ReleaseProblem> for DomainError {
    fn from(problem: ReleaseProblem) -> Self {
        Self::Release { problem }
    }
}

impl From<MailProblem> for DomainError {
    fn from(problem: MailProblem) -> Self {
        Self::Mail { problem }
    }
}
