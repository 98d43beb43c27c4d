//! Kinds of tasks: what happens when a task is due. A new kind needs a variant here and a handler
//! in `src/kinds/`.

use crate::{
    Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// What a task does when it is due.
    Kind {
        /// The pinned revision of an article becomes public (or replaces the public one).
        ArticlePublish = "article.publish",
        /// An article is removed from the public site.
        ArticleUnpublish = "article.unpublish",
    }
}

/// What to do with a task that is found after its due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GracePeriod {
    /// Milliseconds after its due time within which the task still runs; after that it is *missed*.
    pub grace_ms: i64,
}

/// Concurrency limit of a kind, over all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindLimit {
    /// Kind of task.
    pub kind: Kind,
    /// Maximum number of tasks executed at the same time, at least 1; `None`: unlimited.
    pub max_concurrency: Option<u16>,
    /// Increases with every change; 0: never set.
    pub version: Version,
}

impl Kind {
    /// Default grace of this kind, for tasks without a value of their own.
    #[must_use]
    pub const fn grace_period(self) -> GracePeriod {
        match self {
            Self::ArticlePublish | Self::ArticleUnpublish => GracePeriod { grace_ms: 24 * 3_600_000 },
        }
    }
}
