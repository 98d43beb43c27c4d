//! Which plural form a number takes. `build/plurals.rs` lists the forms of each language.

use crate::Language;

/// A plural form, as the files of texts name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One thing.
    One,
    /// Any other number.
    Other,
}

/// The form of a number in a language.
pub(crate) fn form(language: Language, count: u64) -> Form {
    match (language, count) {
        (Language::En, 1) => Form::One,
        (Language::En | Language::Zh, _) => Form::Other,
    }
}
