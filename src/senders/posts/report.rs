//! What an attempt learned about a post on a site.

use super::{PostBody, RemotePost};
use crate::services::hex::sha256;
use domain::{PostId, post::PostReport};

/// Returns what is known of a post on the site.
pub fn report(post: &PostBody, remote: &RemotePost) -> Box<PostReport> {
    let url = Some(remote.url.clone()).filter(|_| remote.is_public() && is_web_address(&remote.url));
    Box::new(PostReport {
        remote_id: Some(remote.id.clone()),
        url,
        content_hash: Some(fingerprint(post, &remote.text)),
        is_public: remote.is_public(),
        ..absent(post.id)
    })
}

/// What is known of a post that is not on the site.
pub fn absent(post: PostId) -> PostReport {
    PostReport {
        post,
        remote_id: None,
        url: None,
        content_hash: None,
        is_public: false,
        live: None,
        removed: Vec::new(),
        changed_there: None,
    }
}

/// Whether an address that the site named may become a link. PostgreSQL stores no NUL.
fn is_web_address(url: &str) -> bool {
    url.len() <= 2_000
        && !url.chars().any(char::is_control)
        && (url.starts_with("https://") || url.starts_with("http://"))
}

/// Returns the hash of a text on the site, and the delivery that wrote it.
pub fn fingerprint(post: &PostBody, text: &str) -> String {
    let hash = sha256(text.as_bytes());
    match writer_of(post, text) {
        Some(writer) => format!("{hash}-{writer}"),
        None => hash,
    }
}

/// Returns the delivery whose marker a text has.
pub fn writer_of<'t>(post: &PostBody, text: &'t str) -> Option<&'t str> {
    let (_, after) = text.split_once(&format!("{}-", post.marker()))?;
    after.get(..32).filter(|writer| writer.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
