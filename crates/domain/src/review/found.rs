//! A text to check, and the terms that are in it.

use super::field::{Action, Field, Verdict};
use crate::id::WordListId;
use serde::{Deserialize, Serialize};

/// A text to check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WordsToCheck {
    /// The title.
    pub title: String,
    /// The summary.
    pub summary: String,
    /// Markdown.
    pub text: String,
}

/// A term in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTerm {
    /// The term as it is in the list.
    pub term: String,
    /// Its list.
    pub list: WordListId,
    /// What the list does.
    pub action: Action,
    /// Field of the text.
    pub field: Field,
    /// Begin in the source of the field, in characters.
    pub start: usize,
    /// End in the source of the field, in characters.
    pub end: usize,
    /// What replaces it.
    pub replacement: Option<String>,
}

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTerms {
    /// The strictest action of all hits.
    pub verdict: Verdict,
    /// Hits by field and place, at most [`super::MAX_HITS`].
    pub hits: Vec<FoundTerm>,
    /// Number of all hits.
    pub count: usize,
    /// The title with replacements; `None`: nothing is replaced in it.
    pub replaced_title: Option<String>,
    /// The text with replacements; `None`: nothing is replaced in it.
    pub replaced: Option<String>,
}
