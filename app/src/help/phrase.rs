//! A text of help, for static tables.

use std::fmt;
use texts::{Language, language};

/// A text in all languages.
#[derive(Clone, Copy)]
pub struct Phrase(pub fn(Language) -> &'static str);

impl Phrase {
    /// The text in a language.
    #[must_use]
    pub fn in_language(self, language: Language) -> &'static str {
        (self.0)(language)
    }

    /// The text in the language of this page.
    #[must_use]
    pub fn here(self) -> &'static str {
        self.in_language(language())
    }
}

impl PartialEq for Phrase {
    fn eq(&self, other: &Self) -> bool {
        Language::ALL.iter().all(|language| self.in_language(*language) == other.in_language(*language))
    }
}

impl Eq for Phrase {}

impl fmt::Debug for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.in_language(Language::En), f)
    }
}

/// A text by its set and key.
macro_rules! phrase {
    ($set:ident $key:ident) => {
        $crate::help::phrase::Phrase(|language| texts::help::$set(language).$key())
    };
}
pub(super) use phrase;
