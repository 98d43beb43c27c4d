//! Texts that were changed on another site: what was sent there, and that the text there is the known one.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{PostId, Timestamp, Version, post::changed};

row! {
    /// The text that was sent to a site.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SentText {
        /// Id of the post there; `None`: the site has returned none.
        pub remote_id: Option<String>,
        /// Slug of the article.
        pub slug: String,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
    }
}

/// Returns the text that was sent last; of a post that was withdrawn, the public or the current one of the article.
pub async fn sent_text(conn: Conn<'_>, post: PostId) -> Result<Option<SentText>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select p.remote_id, a.slug, r.title, r.body
           from post p
           join article a on a.id = p.article_id
           join revision r on r.id = coalesce(p.revision_id, a.published_revision_id, a.revision_id)
          where p.id = $1")
        .bind(post.0).fetch_optional(c).await)?)
}

/// Makes the text with this hash the known one of a post that was edited on its site, so that it is not changed there any
/// more. `false`: the post was changed since it had the version that a user has seen.
pub async fn take_theirs(
    conn: Conn<'_>,
    (post, seen): (PostId, Version),
    hash: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update post
            set content_hash = $3, changed_there = null, checked_at = $4, version = version + 1
          where id = $1 and version = $2 and changed_there = $5")
        .bind(post.0).bind(seen.0).bind(hash).bind(at.millis()).bind(changed::EDITED)
        .execute(c).await?.rows_affected())
        == 1)
}
