//! Words of the desk, each with one sentence and one example. `docs/GLOSSARY.md` marks the terms that pages
//! show; a test fails if one of them has no word here.

mod publishing;
mod sending;
mod system;
mod together;

use super::phrase::Phrase;

/// A word that pages use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Its name in addresses: `/help#word-…`.
    pub slug: &'static str,
    /// The word.
    pub name: Phrase,
    /// What it means.
    pub meaning: Phrase,
    /// An example.
    pub example: Phrase,
}

/// All words.
pub fn all() -> impl Iterator<Item = &'static Word> {
    [publishing::WORDS, together::WORDS, sending::WORDS, system::WORDS].into_iter().flatten()
}

/// The word with this slug.
#[must_use]
pub fn find(slug: &str) -> Option<&'static Word> {
    all().find(|word| word.slug == slug)
}

/// Declares words: slug; the texts of the word, its meaning and an example.
macro_rules! words {
    ($($slug:literal: $name:ident, $meaning:ident, $example:ident;)+) => {
        /// The words of this file.
        pub(super) const WORDS: &[$crate::help::words::Word] = &[$($crate::help::words::Word {
            slug: $slug,
            name: $crate::help::phrase::phrase!(HelpWordTexts $name),
            meaning: $crate::help::phrase::phrase!(HelpWordTexts $meaning),
            example: $crate::help::phrase::phrase!(HelpWordTexts $example),
        }),+];
    };
}
pub(super) use words;
