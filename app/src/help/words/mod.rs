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

/// Declares words: slug; the word; its meaning; an example.
macro_rules! words {
    ($(
        $slug:literal: $name_en:literal, $name_zh:literal; $meaning_en:literal, $meaning_zh:literal;
        $example_en:literal, $example_zh:literal;
    )+) => {
        /// The words of this file.
        pub(super) const WORDS: &[$crate::help::words::Word] = &[$($crate::help::words::Word {
            slug: $slug,
            name: $crate::help::phrase::Phrase::new($name_en, $name_zh),
            meaning: $crate::help::phrase::Phrase::new($meaning_en, $meaning_zh),
            example: $crate::help::phrase::Phrase::new($example_en, $example_zh),
        }),+];
    };
}
pub(super) use words;
