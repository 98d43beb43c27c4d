//! Content review: word lists, and the check of a text against them.
//!
//! The check is compiled only with the feature `review`, which browsers do not have. It reads a text
//! as readers see it ([`CompiledLists::check`]): markup, invisible characters, other forms of a
//! letter and separators between Chinese characters do not hide a term.

#[cfg(feature = "review")]
mod check;
#[cfg(feature = "review")]
mod compiled;
mod field;
mod found;
#[cfg(feature = "review")]
mod normal;
#[cfg(feature = "review")]
mod script;
mod term_lines;
#[cfg(all(test, feature = "review"))]
mod tests;
mod use_cases;
#[cfg(feature = "review")]
mod visible;
mod word_list;
pub mod workflow;
mod workflow_use_cases;

pub use crate::review::term_lines::{read_terms, term_changes, write_terms};
#[cfg(feature = "review")]
pub use check::{Checked, CheckedText, Hit, Unfinished};
#[cfg(feature = "review")]
pub use compiled::{CompiledLists, check_speed, check_term};
pub use field::{Action, Field, ListChange, ListLanguage, Verdict};
pub use found::{FoundTerm, FoundTerms, WordsToCheck};
pub use use_cases::WordLists;
pub use workflow::comment;
pub use workflow_use_cases::{ReviewedText, Reviews};

pub use word_list::{
    MAX_EXCEPTIONS, MAX_HITS, MAX_LISTS, MAX_NAMED_TERMS, MAX_PATTERN_BYTES, MAX_PATTERNS, MAX_REVISIONS,
    MAX_TERM_CHARS, MAX_TERMS, MAX_TERMS_BYTES, Term, TermChanges, WordList, WordListEdit, WordListRevision,
    WordListRow, WordListSettings,
};

/// Why a term of a word list is refused.
pub mod problem {
    pub use crate::error::problem::term::TermProblem;
}
