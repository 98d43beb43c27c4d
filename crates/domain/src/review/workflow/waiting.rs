//! What becomes of articles that wait for an approval when the workflow changes.

use super::ReviewSettings;
use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// What becomes of articles that wait for an approval.
    WaitingChoice {
        /// They wait on: a reviewer can approve them, or send them back.
        Keep = "keep",
        /// They are approved: published at their time or, if that has passed, at once.
        Publish = "publish",
        /// They are drafts again, and their publications are cancelled.
        Draft = "draft",
    }
}

/// Numbers of articles that wait for an approval, or waited until a change of the settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingArticles {
    /// Those that wait.
    pub kept: u64,
    /// Those that the change approved.
    pub published: u64,
    /// Those that the change made drafts.
    pub drafts: u64,
}

/// Changed settings, and what became of articles that waited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedReviewSettings {
    /// The settings.
    pub settings: ReviewSettings,
    /// The articles.
    pub waiting: WaitingArticles,
}
