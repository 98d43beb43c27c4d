//! A post with its text, as its site has it now: to show it beside the one from here, and to take it.

use super::{PostBody, RemotePost, article_html, report::fingerprint};
use crate::{senders::SendResult, services::hex::sha256};
use domain::{PostId, post::PostPurpose};

/// A post with its text, as its site has it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholePost {
    /// The post.
    pub post: RemotePost,
    /// Its title, as the site stores it.
    pub title: String,
    /// Its text as HTML.
    pub html: String,
    /// Whether it needs no password and no membership.
    pub is_for_everyone: bool,
}

impl WholePost {
    /// Returns the hash of everything that can be taken, by which a further change is seen.
    #[must_use]
    pub fn hash(&self) -> String {
        let Self { post, title, html, is_for_everyone } = self;
        sha256(format!("{title}\n{}\n{html}\n{is_for_everyone}", post.text).as_bytes())
    }

    /// Returns what becomes the known hash of the post.
    #[must_use]
    pub fn fingerprint(&self, id: PostId) -> String {
        fingerprint(&body(id, "", ""), &self.post.text)
    }
}

/// Returns a text from here as HTML, as it would be sent. An error says why no text can be.
pub async fn sent_html(
    id: PostId,
    (slug, text): (&str, &str),
    public_url: &str,
) -> Result<String, SendResult> {
    article_html(&body(id, slug, text), public_url).await
}

fn body(id: PostId, slug: &str, text: &str) -> PostBody {
    PostBody {
        id,
        purpose: PostPurpose::Publish,
        slug: slug.to_owned(),
        title: String::new(),
        text: text.to_owned(),
        summary: String::new(),
        tags: Vec::new(),
        canonical: String::new(),
        is_overwrite: false,
    }
}
