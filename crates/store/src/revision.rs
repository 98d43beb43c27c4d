//! Texts: every saved one of every article.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{ArticleId, PersonId, Timestamp};
use uuid::Uuid;

row! {
    /// A text as it stands in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RevisionRecord {
        /// Identity.
        pub id: Uuid,
        /// Number, from 1.
        pub number: i32,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
        /// Words in it.
        pub words: i32,
        /// Whether the editor saved it by itself: 0 or 1.
        pub is_autosave: i32,
        /// Who saved it.
        pub author_id: Uuid,
        /// What they are called.
        pub author: String,
        /// When, milliseconds.
        pub saved_at: i64,
        /// Whether it is the public one: 0 or 1.
        pub is_published: i32,
        /// Whether a waiting task holds it: 0 or 1.
        pub is_pinned: i32,
    }
}

/// A select of [`RevisionRecord`]s; `$body` is what to read as the text.
macro_rules! select {
    ($body:literal, $rest:literal) => {
        concat!(
            "select r.id, r.number, r.title, ",
            $body,
            " as body, r.words, r.is_autosave, r.author_id, p.name as author, r.saved_at,
             case when a.published_revision_id = r.id then 1 else 0 end as is_published,
             case when exists (select 1 from task t
                                where t.target_id = a.id and t.state || '' = 'scheduled' and t.revision_id = r.id)
                  then 1 else 0 end as is_pinned
        from revision r
        join article a on a.id = r.article_id
        join person p on p.id = r.author_id ",
            $rest
        )
    };
}

/// A text that is about to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision<'t> {
    /// Identity.
    pub id: Uuid,
    /// Whose text it is.
    pub article: ArticleId,
    /// Number.
    pub number: i32,
    /// Title.
    pub title: &'t str,
    /// Markdown.
    pub body: &'t str,
    /// Words in it.
    pub words: i32,
    /// Whether the editor saved by itself.
    pub is_autosave: bool,
    /// Who saves it.
    pub author: PersonId,
    /// When.
    pub at: Timestamp,
}

/// Stores a new text.
pub async fn insert(conn: Conn<'_>, new: &NewRevision<'_>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into revision (id, article_id, number, title, body, words, is_autosave, author_id, saved_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)")
        .bind(new.id).bind(new.article.0).bind(new.number).bind(new.title).bind(new.body).bind(new.words)
        .bind(i32::from(new.is_autosave)).bind(new.author.0).bind(new.at.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Puts a newer text in the place of an autosave; it keeps its identity and the time its sitting began, its number grows.
/// The caller holds the lock of the article and knows that nothing else holds on to the text.
pub async fn fold(conn: Conn<'_>, old: Uuid, new: &NewRevision<'_>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "update revision set number = $2, title = $3, body = $4, words = $5 where id = $1 and is_autosave = 1")
        .bind(old).bind(new.number).bind(new.title).bind(new.body).bind(new.words)
        .execute(c).await?.rows_affected());
    Ok(())
}

/// A text by its identity.
pub async fn find(conn: Conn<'_>, id: Uuid) -> Result<Option<RevisionRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(select!("r.body", "where r.id = $1")).bind(id).fetch_optional(c).await)?)
}

/// A text by its article and number.
pub async fn numbered(
    conn: Conn<'_>,
    article: ArticleId,
    number: i32,
) -> Result<Option<RevisionRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(select!("r.body", "where r.article_id = $1 and r.number = $2"))
        .bind(article.0).bind(number).fetch_optional(c).await)?)
}

/// The newest texts of an article, at most `limit`, newest first, with an empty body each.
pub async fn of(conn: Conn<'_>, article: ArticleId, limit: u32) -> Result<Vec<RevisionRecord>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as(select!("''", "where r.article_id = $1 order by r.number desc limit $2"))
        .bind(article.0).bind(i64::from(limit)).fetch_all(c).await)?,
    )
}
