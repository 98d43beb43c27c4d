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
    /// What is replaced, as it is in the source; `None`: nothing replaces it.
    #[serde(default)]
    pub quote: Option<String>,
}

impl FoundTerm {
    /// Returns the source of the field with this hit replaced. `None`: nothing replaces it, or it is not
    /// at its place.
    #[must_use]
    pub fn replace_in(&self, source: &str) -> Option<String> {
        let (replacement, quote) = (self.replacement.as_deref()?, self.quote.as_deref()?);
        let (at, _) = source.char_indices().nth(self.start)?;
        let after = source.get(at..)?.strip_prefix(quote)?;
        Some(format!("{}{replacement}{after}", source.get(..at)?))
    }
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

#[cfg(test)]
mod found_tests {
    use crate::{
        id::WordListId,
        review::{Action, Field, FoundTerm},
    };

    #[test]
    fn a_hit_is_replaced_at_its_place_only() {
        let hit = FoundTerm {
            term: "bad".to_owned(),
            list: WordListId(uuid::Uuid::nil()),
            action: Action::Replace,
            field: Field::Text,
            start: 2,
            end: 5,
            replacement: Some("good".to_owned()),
            quote: Some("bad".to_owned()),
        };
        assert_eq!(hit.replace_in("很 bad bad").as_deref(), Some("很 good bad"));
        assert_eq!(hit.replace_in("a very bad one"), None);
        assert_eq!(hit.replace_in(""), None);
        let flagged = FoundTerm { replacement: None, ..hit };
        assert_eq!(flagged.replace_in("很 bad"), None);
    }
}
