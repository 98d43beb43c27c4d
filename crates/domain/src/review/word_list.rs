//! Word lists and their terms.

use super::field::{Action, ListChange, ListLanguage};
use crate::{Version, id::WordListId, time::LocalizedTime};
use serde::{Deserialize, Serialize};

/// Maximum number of terms of a list.
pub const MAX_TERMS: usize = 100_000;
/// Maximum number of patterns of all lists.
pub const MAX_PATTERNS: usize = 200;
/// Maximum number of lists.
pub const MAX_LISTS: usize = 100;
/// Maximum length of a term, an exception or a replacement, in characters.
pub const MAX_TERM_CHARS: usize = 200;
/// Maximum length of a pattern, in bytes.
pub const MAX_PATTERN_BYTES: usize = 1_000;
/// Maximum number of exceptions of a term.
pub const MAX_EXCEPTIONS: usize = 50;
/// Maximum size of the terms of a list, in bytes.
pub const MAX_TERMS_BYTES: usize = 5_000_000;
/// Maximum number of kept states of a list.
pub const MAX_REVISIONS: u32 = 50;
/// Maximum number of terms that a change in the history names.
pub const MAX_NAMED_TERMS: usize = 20;
/// Maximum number of hits that are returned.
pub const MAX_HITS: usize = 1_000;

/// A term of a word list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Term {
    /// A word or a phrase. Letters of scripts with spaces at its ends stand at the ends of words, unless
    /// `*` is there; Korean particles may follow. Or a regular expression.
    pub term: String,
    /// Longer phrases in which the term is no hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// What replaces it, if its list replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Whether it is a regular expression.
    #[serde(default)]
    pub is_pattern: bool,
}

/// Settings of a word list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordListSettings {
    /// Its name, unique.
    pub name: String,
    /// Its language.
    pub language: ListLanguage,
    /// What happens to a text with one of its terms.
    pub action: Action,
}

/// A word list without its terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordListRow {
    /// Its id.
    pub id: WordListId,
    /// Its settings.
    pub settings: WordListSettings,
    /// Increases with each change.
    pub version: Version,
    /// Number of terms.
    pub terms: u64,
    /// When it was changed.
    pub changed_at: LocalizedTime,
}

/// A word list with its terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordList {
    /// The list.
    pub row: WordListRow,
    /// Its terms, as entered.
    pub terms: Vec<Term>,
}

/// The terms that a change of a list added and removed, as lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermChanges {
    /// The first ones that it added, at most [`MAX_NAMED_TERMS`].
    pub added: Vec<String>,
    /// Number of all added ones.
    pub added_count: u64,
    /// The first ones that it removed, at most [`MAX_NAMED_TERMS`].
    pub removed: Vec<String>,
    /// Number of all removed ones.
    pub removed_count: u64,
}

/// A state of a word list, and the change that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordListRevision {
    /// Version of the list.
    pub version: Version,
    /// What was changed.
    pub change: ListChange,
    /// Name of the account that changed it; `None`: it is not known.
    pub by: Option<String>,
    /// When.
    pub at: LocalizedTime,
    /// The settings after it.
    pub settings: WordListSettings,
    /// Number of terms after it.
    pub terms: u64,
    /// The terms that it added and removed.
    pub changes: TermChanges,
}

/// A change of a word list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordListEdit {
    /// New name.
    pub name: Option<String>,
    /// New language.
    pub language: Option<ListLanguage>,
    /// New action.
    pub action: Option<Action>,
}
