//! A text in both languages, for static tables.

use texts::{Language, language};

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    /// English.
    pub en: &'static str,
    /// Simplified Chinese.
    pub zh: &'static str,
}

impl Phrase {
    /// Both languages of a text.
    #[must_use]
    pub const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    /// The text in the language of this page.
    #[must_use]
    pub fn here(self) -> &'static str {
        match language() {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }
}
