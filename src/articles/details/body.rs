//! Details of an article in requests and responses.

use domain::{
    DomainError,
    articles::details::{ArticleDetails, DetailsEdit, Template},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Changed details. A field that is absent keeps its value, or gets its default in a new article.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DetailsEditBody {
    /// Summary for lists, feeds and cards, at most 500 characters. Empty: the first words of the text.
    summary: Option<String>,
    /// At most 20 tags of at most 60 characters, without commas and slashes. Names that differ only in
    /// case or width are one tag, which keeps the name it was first given.
    tags: Option<Vec<String>>,
    /// At most 10 authors, in order: ids, names or email addresses of accounts. Empty: its owner. Being
    /// named as an author gives no right to change the article.
    authors: Option<Vec<String>>,
    /// Address of the cover: `https://…` or `/media/…`. Empty: none.
    cover: Option<String>,
    /// Alternative text of the cover, at most 300 characters.
    cover_alt: Option<String>,
    /// Caption of the cover, at most 500 characters.
    cover_caption: Option<String>,
    /// Language tag, e.g. `en` or `zh-Hans`. Empty: guessed from the text.
    language: Option<String>,
    /// `https` address of the original, if the article was published elsewhere first. Empty: it was not.
    canonical: Option<String>,
    /// Slug or address of the article of this desk of which it is a translation; of a translation, its original
    /// is taken. Public pages of both then name each other (`hreflang`). Empty: it is none.
    translation_of: Option<String>,
    /// Whether search engines are asked not to list it.
    is_noindex: Option<bool>,
    /// Whether it is shown first on the front page.
    is_featured: Option<bool>,
    /// Day on the desk's clock (`2019-05-03`) or instant of an earlier publication, not in the future.
    /// Empty: it is dated by its publication here.
    dated: Option<String>,
    /// `article`, or `page`: not in lists and feeds, only in the navigation.
    template: Option<String>,
}

impl DetailsEditBody {
    /// Returns the changes. Refuses an unknown template.
    pub fn into_edit(self) -> Result<DetailsEdit, DomainError> {
        let template = |word: String| {
            word.parse().map_err(|_| {
                let words = Template::NAMES.join(", ");
                DomainError::invalid("template", domain::error::ValidationError::NotOneOf { words })
            })
        };
        Ok(DetailsEdit {
            summary: self.summary,
            tags: self.tags,
            authors: self.authors,
            cover: self.cover,
            cover_alt: self.cover_alt,
            cover_caption: self.cover_caption,
            language: self.language,
            canonical: self.canonical,
            translation_of: self.translation_of,
            is_noindex: self.is_noindex,
            is_featured: self.is_featured,
            dated: self.dated,
            template: self.template.map(template).transpose()?,
        })
    }
}

/// Details of the current revision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DetailsBody {
    /// Summary; empty: the first words of the text.
    summary: String,
    /// Tags, in order.
    tags: Vec<String>,
    /// Ids of the accounts that it names as its authors, in order; empty: its owner.
    authors: Vec<String>,
    /// Address of the cover; empty: none.
    cover: String,
    /// Alternative text of the cover.
    cover_alt: String,
    /// Caption of the cover.
    cover_caption: String,
    /// Language tag; empty: guessed from the text.
    language: String,
    /// Address of the original; empty: the article was not published elsewhere first.
    canonical: String,
    /// Slug of the article of which it is a translation; empty: it is none.
    translation_of: String,
    /// Whether search engines are asked not to list it.
    is_noindex: bool,
    /// Whether it is shown first on the front page.
    is_featured: bool,
    /// Day or instant of an earlier publication; empty: none.
    dated: String,
    /// `article` or `page`.
    template: &'static str,
}

impl From<ArticleDetails> for DetailsBody {
    fn from(details: ArticleDetails) -> Self {
        Self {
            summary: details.summary,
            tags: details.tags,
            authors: details.authors,
            cover: details.cover,
            cover_alt: details.cover_alt,
            cover_caption: details.cover_caption,
            language: details.language,
            canonical: details.canonical,
            translation_of: details.translation_of,
            is_noindex: details.is_noindex,
            is_featured: details.is_featured,
            dated: details.dated,
            template: details.template.as_str(),
        }
    }
}
