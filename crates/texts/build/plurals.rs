//! Plural forms of the languages, in alphabetical order. `src/number.rs` says which number takes which form.

/// The form for most numbers, which every language has.
pub const OTHER: &str = "other";

/// The forms of a language; `None`: it is unknown.
pub fn forms(language: &str) -> Option<&'static [&'static str]> {
    match language {
        "de" | "en" => Some(&["one", OTHER]),
        "zh" => Some(&[OTHER]),
        _ => None,
    }
}
