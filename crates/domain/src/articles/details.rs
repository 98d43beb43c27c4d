//! Details of an article: what belongs to it besides title and text. Each revision has its own, so
//! a scheduled revision publishes exactly these.

use crate::{
    review::workflow::ReviewedDetails,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum length of a summary, in characters.
pub const MAX_SUMMARY_CHARS: usize = 500;
/// Maximum number of tags of an article.
pub const MAX_TAGS: usize = 20;
/// Maximum number of authors that an article names.
pub const MAX_AUTHORS: usize = 10;
/// Maximum number of tags in the list of the desk.
pub const MAX_LISTED_TAGS: u32 = 1_000;
/// Maximum length of a tag, in characters.
pub const MAX_TAG_CHARS: usize = 60;
/// Maximum length of the alternative text of a cover, in characters.
pub const MAX_COVER_ALT_CHARS: usize = 300;
/// Maximum length of the caption of a cover, in characters.
pub const MAX_COVER_CAPTION_CHARS: usize = 500;
/// Maximum length of the address of a cover or of the canonical address, in bytes.
pub const MAX_DETAIL_ADDRESS_BYTES: usize = 2_000;
/// Maximum length of a language tag, in characters (RFC 5646).
pub const MAX_LANGUAGE_CHARS: usize = 35;
/// Characters that separate tags in a text field.
pub const TAG_SEPARATORS: [char; 4] = [',', '，', '、', '\n'];

string_enum! {
    /// Kind of page on the public site.
    Template {
        /// In the list of articles, the feeds and the archive.
        Article = "article",
        /// A page such as "About": only in the navigation.
        Page = "page",
    }
}

string_enum! {
    /// What a revision changed, compared with the one before.
    RevisionChange {
        /// Title or text.
        Text = "text",
        /// Details.
        Details = "details",
        /// Title or text, and details.
        Both = "both",
    }
}

impl RevisionChange {
    /// Returns the change of a revision whose text or details differ; `None`: neither does.
    #[must_use]
    pub const fn of(is_text: bool, is_details: bool) -> Option<Self> {
        match (is_text, is_details) {
            (true, true) => Some(Self::Both),
            (true, false) => Some(Self::Text),
            (false, true) => Some(Self::Details),
            (false, false) => None,
        }
    }

    /// Returns the change of two merged revisions.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

/// Details of an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArticleDetails {
    /// Summary for lists, feeds and cards; empty: the first words of the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Names of its tags, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Ids of the accounts that it names as its authors, in order; empty: its owner. In an edit also
    /// names and email addresses. They get no rights by it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Address of the cover: `https://…` or `/media/…`; empty: none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cover: String,
    /// Alternative text of the cover.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cover_alt: String,
    /// Caption of the cover.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cover_caption: String,
    /// Language tag; empty: guessed from the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// Address of the original, if the article was published elsewhere first; empty: it was not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub canonical: String,
    /// Slug of the article of which it is a translation; empty: it is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub translation_of: String,
    /// Whether search engines are asked not to list it.
    #[serde(skip_serializing_if = "is_false")]
    pub is_noindex: bool,
    /// Whether it is shown first on the front page.
    #[serde(skip_serializing_if = "is_false")]
    pub is_featured: bool,
    /// Day (`YYYY-MM-DD`, on the desk's clock) or instant (RFC 3339) of an earlier publication;
    /// empty: it is dated by its publication here.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dated: String,
    /// Kind of page.
    #[serde(skip_serializing_if = "is_article")]
    pub template: Template,
}

impl From<ArticleDetails> for ReviewedDetails {
    fn from(details: ArticleDetails) -> Self {
        let ArticleDetails { summary, cover, cover_alt, cover_caption, .. } = details;
        Self { summary, cover, cover_alt, cover_caption }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_article(template: &Template) -> bool {
    *template == Template::Article
}

impl Default for ArticleDetails {
    fn default() -> Self {
        Self {
            summary: String::new(),
            tags: Vec::new(),
            authors: Vec::new(),
            cover: String::new(),
            cover_alt: String::new(),
            cover_caption: String::new(),
            language: String::new(),
            canonical: String::new(),
            translation_of: String::new(),
            is_noindex: false,
            is_featured: false,
            dated: String::new(),
            template: Template::Article,
        }
    }
}

impl ArticleDetails {
    /// All words that readers see, one field a line: for the content review and the search.
    #[must_use]
    pub fn words(&self) -> String {
        let fields = [&self.summary, &self.cover_alt, &self.cover_caption];
        let texts = fields.into_iter().chain(&self.tags).filter(|text| !text.is_empty());
        texts.map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// Changes to details. `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DetailsEdit {
    /// New summary.
    pub summary: Option<String>,
    /// New tags.
    pub tags: Option<Vec<String>>,
    /// New authors: ids, names or email addresses.
    pub authors: Option<Vec<String>>,
    /// New address of the cover.
    pub cover: Option<String>,
    /// New alternative text of the cover.
    pub cover_alt: Option<String>,
    /// New caption of the cover.
    pub cover_caption: Option<String>,
    /// New language tag.
    pub language: Option<String>,
    /// New canonical address.
    pub canonical: Option<String>,
    /// New slug of the original.
    pub translation_of: Option<String>,
    /// Whether search engines are asked not to list it.
    pub is_noindex: Option<bool>,
    /// Whether it is shown first on the front page.
    pub is_featured: Option<bool>,
    /// New day or instant of an earlier publication.
    pub dated: Option<String>,
    /// New kind of page.
    pub template: Option<Template>,
}

impl From<ArticleDetails> for DetailsEdit {
    fn from(details: ArticleDetails) -> Self {
        Self {
            summary: Some(details.summary),
            tags: Some(details.tags),
            authors: Some(details.authors),
            cover: Some(details.cover),
            cover_alt: Some(details.cover_alt),
            cover_caption: Some(details.cover_caption),
            language: Some(details.language),
            canonical: Some(details.canonical),
            translation_of: Some(details.translation_of),
            is_noindex: Some(details.is_noindex),
            is_featured: Some(details.is_featured),
            dated: Some(details.dated),
            template: Some(details.template),
        }
    }
}

impl DetailsEdit {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the changed details.
    #[must_use]
    pub fn apply(self, details: ArticleDetails) -> ArticleDetails {
        ArticleDetails {
            summary: self.summary.unwrap_or(details.summary),
            tags: self.tags.unwrap_or(details.tags),
            authors: self.authors.unwrap_or(details.authors),
            cover: self.cover.unwrap_or(details.cover),
            cover_alt: self.cover_alt.unwrap_or(details.cover_alt),
            cover_caption: self.cover_caption.unwrap_or(details.cover_caption),
            language: self.language.unwrap_or(details.language),
            canonical: self.canonical.unwrap_or(details.canonical),
            translation_of: self.translation_of.unwrap_or(details.translation_of),
            is_noindex: self.is_noindex.unwrap_or(details.is_noindex),
            is_featured: self.is_featured.unwrap_or(details.is_featured),
            dated: self.dated.unwrap_or(details.dated),
            template: self.template.unwrap_or(details.template),
        }
    }
}

/// A tag of the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Its name in NFKC, case folded: it is in the address of its page.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Number of articles whose current text has it.
    pub articles: u64,
}

/// A new name of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagEdit {
    /// Its name or key, in any case and width.
    pub from: String,
    /// Its new name.
    pub to: String,
    /// Whether it becomes part of another tag that has this name.
    pub is_merge: bool,
}

/// Returns the tags in a text field, without blanks.
#[must_use]
pub fn split_tags(typed: &str) -> Vec<String> {
    typed.split(TAG_SEPARATORS).map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_only_what_it_names() {
        let before =
            ArticleDetails { summary: "one".to_owned(), is_featured: true, ..ArticleDetails::default() };
        let edit = DetailsEdit { summary: Some("two".to_owned()), ..DetailsEdit::default() };
        let after = edit.apply(before.clone());
        assert_eq!(after, ArticleDetails { summary: "two".to_owned(), ..before.clone() });
        assert_eq!(DetailsEdit::from(after.clone()).apply(before), after);
    }

    #[test]
    fn defaults_are_left_out_of_the_json() {
        let none = ArticleDetails::default();
        assert_eq!(serde_json::to_string(&none).unwrap(), "{}");
        assert_eq!(serde_json::from_str::<ArticleDetails>("{}").unwrap(), none);
    }

    #[test]
    fn tags_are_separated_by_commas_of_both_scripts() {
        assert_eq!(split_tags(" a, b c ，新闻、, "), ["a", "b c", "新闻"]);
    }
}
