//! Comments on paragraphs of a revision.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{ArticleId, Timestamp};
use uuid::Uuid;

row! {
    /// A comment, with the names of its accounts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CommentRow {
        /// Id.
        pub id: Uuid,
        /// The article.
        pub article_id: Uuid,
        /// Number of the revision.
        pub revision: i32,
        /// Number of the paragraph, from 1.
        pub paragraph: i32,
        /// The first characters of the paragraph.
        pub quote: String,
        /// Text.
        pub text: String,
        /// Account that wrote it.
        pub author_id: Uuid,
        /// Name of that account.
        pub author: String,
        /// When it was written, milliseconds.
        pub created_at: i64,
        /// When it was resolved, milliseconds; `None`: it is open.
        pub resolved_at: Option<i64>,
        /// Name of the account that resolved it.
        pub resolved_by: Option<String>,
        /// Owner of the article.
        pub owner_id: Uuid,
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select c.id, c.article_id, c.revision, c.paragraph, c.quote, c.text, c.author_id,
                    coalesce(w.name, '') as author, c.created_at, c.resolved_at, r.name as resolved_by, a.owner_id
               from review_comment c
               join article a on a.id = c.article_id
               left join account w on w.id = c.author_id
               left join account r on r.id = c.resolved_by ",
            $rest
        )
    };
}

/// Returns the comments of an article, by revision and paragraph.
pub async fn list(conn: Conn<'_>, article: ArticleId, limit: u32) -> Result<Vec<CommentRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        select!("where c.article_id = $1 order by c.revision, c.paragraph, c.id limit $2"))
        .bind(article.0).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns a comment.
pub async fn find(conn: Conn<'_>, id: Uuid) -> Result<Option<CommentRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where c.id = $1")).bind(id).fetch_optional(c).await)?)
}

/// Returns the owner of an article and the accounts that commented on it.
pub async fn people(conn: Conn<'_>, article: ArticleId) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select owner_id from article where id = $1
          union select author_id from review_comment where article_id = $1")
        .bind(article.0).fetch_all(c).await)?)
}

/// A comment before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCommentRow {
    /// Id.
    pub id: Uuid,
    /// The article.
    pub article: ArticleId,
    /// Number of the revision.
    pub revision: i32,
    /// Number of the paragraph, from 1.
    pub paragraph: u32,
    /// The first characters of the paragraph.
    pub quote: String,
    /// Text.
    pub text: String,
    /// Account that writes it.
    pub author: Uuid,
}

/// Stores a comment, unless the article has `most` comments already; false: it has. The article is
/// locked.
pub async fn insert(
    conn: Conn<'_>,
    new: &NewCommentRow,
    most: u32,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let stored = with_conn!(conn, c => sqlx::query(
        "insert into review_comment (id, article_id, revision, paragraph, quote, text, author_id, created_at)
         select $1, $2, $3, $4, $5, $6, $7, $8
          where (select count(*) from review_comment where article_id = $2) < $9")
        .bind(new.id).bind(new.article.0).bind(new.revision).bind(i32::try_from(new.paragraph).unwrap_or(i32::MAX))
        .bind(&new.quote).bind(&new.text).bind(new.author).bind(at.millis()).bind(i64::from(most))
        .execute(c).await?.rows_affected());
    Ok(stored > 0)
}

/// Resolves a comment, or opens it again without `by`; false: it is that already.
pub async fn resolve(conn: Conn<'_>, id: Uuid, by: Option<Uuid>, at: Timestamp) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update review_comment set resolved_by = $2, resolved_at = $3
          where id = $1 and (resolved_at is null) = ($3 is not null)")
        .bind(id).bind(by).bind(by.map(|_| at.millis()))
        .execute(c).await?.rows_affected());
    Ok(changed > 0)
}
