//! States, priorities and versions. The CHECK constraints in `migrations/` mirror this file.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Defines an enum with a fixed string for each variant. SQL, JSON, Redis and pages use the same
/// strings.
macro_rules! string_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),+ }
        impl $name {
            /// All variants, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The strings of all variants, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
            /// The string used in SQL, JSON and Redis.
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
            type Err = ParseEnumError;
            fn from_str(text: &str) -> Result<Self, ParseEnumError> {
                match text { $($text => Ok(Self::$variant),)+ _ => Err(ParseEnumError(text.to_owned())) }
            }
        }
    };
}
pub(crate) use string_enum;

/// Error for a string that is not a variant of the enum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown word {0:?}")]
pub struct ParseEnumError(pub String);

string_enum! {
    /// State of a task. `due` is derived (scheduled, and its time has come) and never stored.
    State {
        /// Waits for its due time.
        Scheduled = "scheduled",
        /// Executed. Final.
        Executed = "executed",
        /// Could not be executed; shown as needing attention.
        Failed = "failed",
        /// Cancelled.
        Cancelled = "cancelled",
        /// Its due time passed by more than its grace.
        Missed = "missed",
    }
}

string_enum! {
    /// Priority of a task.
    Priority {
        /// Executed before all others.
        High = "high",
        /// The default.
        Normal = "normal",
        /// Executed after all others: bulk work.
        Low = "low",
    }
}

string_enum! {
    /// Review state of a text. Whether the article is published is independent of it.
    ArticleState {
        /// Being written.
        Draft = "draft",
        /// Waiting for a reviewer.
        InReview = "in_review",
        /// May be published.
        Approved = "approved",
        /// A reviewer asked for changes.
        SentBack = "sent_back",
    }
}

/// Version of a task; increases with every change. A hint or a form with an old version is refused.
/// Starts at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub i32);

impl Version {
    /// The version of a new task.
    pub const FIRST: Self = Self(1);

    /// The version after one more change.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
