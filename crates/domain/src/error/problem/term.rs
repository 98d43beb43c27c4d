//! Why a term of a word list is refused.

use serde::{Deserialize, Serialize};

/// Why a term is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermProblem {
    /// Nothing is left of it without blanks and invisible characters.
    #[error("has no visible letter or sign")]
    NothingVisible,
    /// It matches every text.
    #[error("matches every text")]
    MatchesEverything,
    /// Not a regular expression.
    #[error("is not a regular expression: {why}")]
    NotAPattern {
        /// Why.
        why: String,
    },
    /// A regular expression that becomes too large.
    #[error("is a regular expression that becomes too large; use fewer repetitions")]
    TooLargePattern,
    /// A regular expression that takes too long on a long text.
    #[error("is a regular expression that takes too long on a long text; use fewer of * and +")]
    TooSlowPattern,
    /// Too many regular expressions in all lists.
    #[error("is one regular expression too many: all lists together have at most {max}")]
    TooManyPatterns {
        /// Maximum.
        max: u32,
    },
    /// A list that replaces has a term without replacement.
    #[error("needs a replacement, because its list replaces")]
    NoReplacement,
}
