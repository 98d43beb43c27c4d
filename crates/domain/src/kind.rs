//! What happens when a task is due. Adding one: a variant here, a strategy in `src/kinds/`, a card in `app/src/kinds/`.

use crate::{
    Version,
    state::{UnknownWord, words},
};
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

/// How many tasks of a kind may be executed at once, over all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindLimit {
    /// Which kind.
    pub kind: Kind,
    /// So many, at least 1; `None`: as many as there are.
    pub at_once: Option<u16>,
    /// Grows with every change; 0: never set.
    pub version: Version,
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
