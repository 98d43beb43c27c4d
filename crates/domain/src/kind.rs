//! What happens when a task is due. Adding one: a variant here, a strategy in `src/kinds/`, a card in `app/src/kinds/`.

use crate::state::{UnknownWord, words};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// What a task does at its moment.
    Kind {
        /// The pinned revision of an article becomes public (or replaces the public one).
        ArticlePublish = "article.publish",
        /// An article leaves the public site.
        ArticleUnpublish = "article.unpublish",
    }
}

/// What to do with a task that is found after its moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateRule {
    /// Milliseconds after its moment within which the task still runs; beyond it the task is *missed*.
    pub grace: i64,
}

impl Kind {
    /// The late rule of this kind, unless the task carries its own.
    #[must_use]
    pub const fn late_rule(self) -> LateRule {
        match self {
            Self::ArticlePublish | Self::ArticleUnpublish => LateRule { grace: 24 * 3_600_000 },
        }
    }
}
