//! Why something about an article or the site is refused.

use crate::Language;

sets!(problem: ArticleProblemTexts);

/// A slug that no other article has.
#[must_use]
pub fn no_article(language: Language) -> &'static str {
    ArticleProblemTexts(language).no_article()
}

/// A stylesheet with something that the site does not permit.
#[must_use]
pub fn bad_style(language: Language, line: u32, found: &str) -> String {
    ArticleProblemTexts(language).bad_style(found, line)
}

/// A stylesheet that is not closed.
#[must_use]
pub fn unclosed_style(language: Language) -> &'static str {
    ArticleProblemTexts(language).unclosed_style()
}

/// A name that no account has, or several.
#[must_use]
pub fn no_person(language: Language, name: &str) -> String {
    ArticleProblemTexts(language).no_person(name)
}

/// A slug that no page has.
#[must_use]
pub fn no_page(language: Language, slug: &str) -> String {
    ArticleProblemTexts(language).no_page(slug)
}
