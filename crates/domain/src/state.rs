//! What may be: states, lanes, versions. The CHECK constraints in `migrations/` mirror this file.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Implements text in both directions for an enum of plain words: SQL, JSON, Redis and the screen use the same ones.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),+ }
        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The words of all of them, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($text),+];
            /// The word used in SQL, JSON and Redis.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text { $($text => Ok(Self::$variant),)+ _ => Err(UnknownWord(text.to_owned())) }
            }
        }
    };
}
pub(crate) use words;

/// A word that names nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown word {0:?}")]
pub struct UnknownWord(pub String);

words! {
    /// Where a task stands. `due` is derived (scheduled and its moment has come), never stored.
    State {
        /// Waits for its moment.
        Scheduled = "scheduled",
        /// Happened. Absorbs for ever.
        Executed = "executed",
        /// Could not happen; somebody is told.
        Failed = "failed",
        /// Called off by a named person.
        Cancelled = "cancelled",
        /// Its moment passed beyond its late rule.
        Missed = "missed",
    }
}

words! {
    /// Priority of a task. High goes first.
    Lane {
        /// Before everything else.
        High = "high",
        /// The default.
        Normal = "normal",
        /// After everything else: bulk work.
        Low = "low",
    }
}

words! {
    /// Where a text stands in review. Beside it an article is published or not.
    ArticleState {
        /// Being written.
        Draft = "draft",
        /// Waits for a reviewer.
        InReview = "in_review",
        /// May be published.
        Approved = "approved",
        /// A reviewer asked for changes.
        SentBack = "sent_back",
    }
}

/// Grows with every change of a task; a hint or a form with an old one loses. Starts at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub i32);

impl Version {
    /// The version of a task nobody has changed yet.
    pub const FIRST: Self = Self(1);
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
