//! What a person with a link for a review sees.

use crate::LocalizedTime;
use serde::{Deserialize, Serialize};

/// What is reviewed with a text, see [`crate::articles::details::ArticleDetails`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewedDetails {
    /// Summary; empty: the first words of the text.
    pub summary: String,
    /// Address of the cover; empty: none.
    pub cover: String,
    /// Its alternative text.
    pub cover_alt: String,
    /// Its caption.
    pub cover_caption: String,
}

/// What a person with a link sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkedReview {
    /// Title of the revision.
    pub title: String,
    /// Name of the author.
    pub author: String,
    /// The text as HTML, sanitised.
    pub html: String,
    /// What else of the revision readers see.
    pub details: ReviewedDetails,
    /// Title of the desk.
    pub desk: String,
    /// When the link expires.
    pub expires: LocalizedTime,
    /// When it is planned to be published.
    pub planned: Option<LocalizedTime>,
    /// When it was planned to be published, if it was held; see [`Review::held`](super::Review::held).
    pub held: Option<LocalizedTime>,
    /// Whether the next approval publishes it at once.
    pub publishes_at_once: bool,
}

/// A new link for a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewLink {
    /// Its secret, the last part of its path.
    pub secret: String,
    /// When it expires.
    pub expires: LocalizedTime,
    /// Number of the revision.
    pub revision: i32,
}
