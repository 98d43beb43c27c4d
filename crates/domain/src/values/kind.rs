//! Kinds of tasks: what happens when a task is due. What a kind does is defined in `src/FEATURE/kinds`.

use super::{
    rate::RatePeriod,
    retry_schedule::RetrySchedule,
    state::{ParseEnumError, Version},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    fmt,
    str::FromStr,
    sync::{PoisonError, RwLock},
};

/// What a task does when it is due: a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `article.publish`: the pinned revision of an article becomes public (or replaces the public
    /// one).
    ArticlePublish,
    /// `article.unpublish`: an article is removed from the public site.
    ArticleUnpublish,
    /// Another kind that was registered with [`Kind::register`].
    Other(&'static str),
}

/// Words of [`Kind::Other`].
static OTHERS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

/// How late tasks may still be executed unless their kind says otherwise, milliseconds. Later tasks
/// are *missed*.
pub const DEFAULT_GRACE_MS: i64 = 24 * 3_600_000;

/// How late tasks may be executed that follow from their target, milliseconds: ten years. What they do is
/// right whenever the engine comes to them: a meeting has ended, a deadline has passed.
pub const MANAGED_GRACE_MS: i64 = 10 * 365 * 24 * 3_600_000;

/// What admins have set for a kind, over all nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindLimit {
    /// Kind of task.
    pub kind: Kind,
    /// What is set.
    pub values: KindValues,
    /// Increases with every change; 0: never set.
    pub version: Version,
}

/// Limits, grace and retries of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindValues {
    /// Maximum number of tasks executed at the same time, at least 1; `None`: unlimited.
    pub max_concurrency: Option<u16>,
    /// How late its new tasks may be executed, milliseconds; `None`: as the kind says.
    pub grace_ms: Option<i64>,
    /// Maximum number of executions that start in a period, evenly spaced; `None`: no limit.
    pub rate: Option<u16>,
    /// That period.
    pub rate_per: RatePeriod,
    /// Delays after executions that failed; `None`: [`DEFAULT_RETRIES`].
    pub retry_schedule: Option<RetrySchedule>,
}

impl KindValues {
    /// Values of a kind for which nothing is set.
    pub const UNSET: Self = Self {
        max_concurrency: None,
        grace_ms: None,
        rate: None,
        rate_per: RatePeriod::Second,
        retry_schedule: None,
    };
}

/// Delays after executions that failed, of kinds without a retry schedule.
pub const DEFAULT_RETRIES: &str = "0.5s, 1s, 2s, 4s";

/// A change of the settings of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindEdit {
    /// Maximum number of tasks executed at the same time; `None`: unlimited.
    pub max_concurrency: Option<u16>,
    /// How late new tasks may be executed, milliseconds; 0: as the kind says; `None`: it stays.
    pub grace_ms: Option<i64>,
    /// Maximum number of executions that start in a period; 0: no limit; `None`: it stays.
    pub rate: Option<u16>,
    /// That period; `None`: it stays.
    pub rate_per: Option<RatePeriod>,
    /// Delays after executions that failed; an empty text: [`DEFAULT_RETRIES`]; `None`: they stay.
    pub retry_schedule: Option<String>,
}

impl Kind {
    /// The kinds of articles, in declaration order.
    pub const ALL: &'static [Self] = &[Self::ArticlePublish, Self::ArticleUnpublish];
    /// Their words, in the same order.
    pub const NAMES: &'static [&'static str] = &["article.publish", "article.unpublish"];

    /// The word used in SQL, JSON and Redis.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ArticlePublish => "article.publish",
            Self::ArticleUnpublish => "article.unpublish",
            Self::Other(word) => word,
        }
    }

    /// Makes a word known, so that it can be parsed, and returns its kind.
    #[must_use]
    pub fn register(word: &'static str) -> Self {
        word.parse().unwrap_or_else(|_| {
            OTHERS.write().unwrap_or_else(PoisonError::into_inner).push(word);
            Self::Other(word)
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = ParseEnumError;

    /// Words that are not registered are errors: a newer release may know them.
    fn from_str(word: &str) -> Result<Self, ParseEnumError> {
        if let Some(kind) = Self::ALL.iter().find(|kind| kind.as_str() == word) {
            return Ok(*kind);
        }
        let others = OTHERS.read().unwrap_or_else(PoisonError::into_inner);
        let other = others.iter().find(|other| **other == word);
        other.map(|other| Self::Other(other)).ok_or_else(|| ParseEnumError(word.to_owned()))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.parse() {
            Ok(kind) => Ok(kind),
            // A browser has no registry. It reads only the words of its server, which are few.
            Err(_) if cfg!(target_arch = "wasm32") => Ok(Self::register(word.leak())),
            Err(unknown) => Err(serde::de::Error::custom(unknown)),
        }
    }
}
