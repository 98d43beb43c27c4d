//! Errors from the problems of features.

use super::{
    DomainError,
    problem::{
        import::ImportProblem, mail::MailProblem, media::MediaProblem, release::ReleaseProblem,
        review::ReviewProblem, sign_in::SignInProblem,
    },
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

impl From<SignInProblem> for DomainError {
    fn from(problem: SignInProblem) -> Self {
        Self::SignIn { problem }
    }
}

impl From<ReviewProblem> for DomainError {
    fn from(problem: ReviewProblem) -> Self {
        Self::Review { problem }
    }
}
