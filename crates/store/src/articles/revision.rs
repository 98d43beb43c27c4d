//! Revisions: every saved text of every article, with its details.

use crate::{
    Conn, StoreError,
    db::with_conn,
    details::{self, StoredDetails},
    json_rows::encode,
    media_use,
    row::row,
};
use domain::{
    AccountId, ArticleId, Timestamp,
    articles::details::{ArticleDetails, RevisionChange},
};
use uuid::Uuid;

row! {
    /// A revision row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RevisionRecord {
        /// Id.
        pub id: Uuid,
        /// Revision number, from 1.
        pub number: i32,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
        /// Details as JSON, see [`RevisionRecord::details`]; `None`: all defaults.
        pub details: Option<String>,
        /// Instant of the date in the details, milliseconds.
        pub dated_at: Option<i64>,
        /// What it changed.
        pub changed: String,
        /// Number of words.
        pub words: i32,
        /// Whether the editor saved it automatically: 0 or 1.
        pub is_autosave: i32,
        /// Account that saved it.
        pub author_id: Uuid,
        /// Name of that account.
        pub author: String,
        /// When it was saved, milliseconds.
        pub saved_at: i64,
        /// Whether it is published: 0 or 1.
        pub is_published: i32,
        /// Whether a scheduled task or an open release publishes it: 0 or 1.
        pub is_pinned: i32,
        /// Whether it is or was under review: 0 or 1.
        pub is_reviewed: i32,
    }
}

impl RevisionRecord {
    /// Returns its details.
    pub fn details(&self) -> Result<ArticleDetails, StoreError> {
        details::parse(self.details.as_deref())
    }

    /// Returns what it changed.
    #[must_use]
    pub fn change(&self) -> RevisionChange {
        self.changed.parse().unwrap_or(RevisionChange::Text)
    }
}

/// A select of [`RevisionRecord`]s; `$body` is the expression for the text.
macro_rules! select {
    ($body:literal, $rest:literal) => {
        concat!(
            "select r.id, r.number, r.title, ",
            $body,
            " as body, r.details, r.dated_at, r.changed, r.words, r.is_autosave, r.author_id, p.name as author, r.saved_at,
             case when a.published_revision_id = r.id then 1 else 0 end as is_published,
             case when exists (select 1 from task t
                                where t.target_id = a.id and t.state || '' = 'scheduled' and t.revision_id = r.id)
                       or exists (select 1 from article_release_item i
                                   where i.article_id = a.id and i.is_open = 1 and i.revision_id = r.id)
                  then 1 else 0 end as is_pinned,
             case when exists (select 1 from review v where v.revision_id = r.id)
                       or exists (select 1 from approval v where v.revision_id = r.id)
                  then 1 else 0 end as is_reviewed
        from revision r
        join article a on a.id = r.article_id
        join account p on p.id = r.author_id ",
            $rest
        )
    };
}

/// A revision to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision<'t> {
    /// Id.
    pub id: Uuid,
    /// Article of the revision.
    pub article: ArticleId,
    /// Revision number.
    pub number: i32,
    /// Title.
    pub title: &'t str,
    /// Markdown.
    pub body: &'t str,
    /// Details.
    pub details: &'t StoredDetails,
    /// What it changes.
    pub changed: RevisionChange,
    /// Number of words.
    pub words: i32,
    /// Whether the editor saves it automatically.
    pub is_autosave: bool,
    /// Account that saves it.
    pub author: AccountId,
    /// Time of saving.
    pub at: Timestamp,
}

impl NewRevision<'_> {
    /// The texts that may name files of the media library: the body, and the details with the cover.
    fn addresses(&self) -> String {
        [self.body, self.details.json.as_deref().unwrap_or_default()].join("\n")
    }
}

/// Stores a new revision with its tags and authors, and records the files that it names.
pub async fn insert(mut conn: Conn<'_>, new: &NewRevision<'_>) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into revision (id, article_id, number, title, body, words, is_autosave, author_id, saved_at,
                               details, template, is_featured, dated_at, changed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)")
        .bind(new.id).bind(new.article.0).bind(new.number).bind(new.title).bind(new.body).bind(new.words)
        .bind(i32::from(new.is_autosave)).bind(new.author.0).bind(new.at.millis())
        .bind(&new.details.json).bind(new.details.template).bind(new.details.is_featured).bind(new.details.dated_at).bind(new.changed.as_str())
        .execute(c).await?.rows_affected());
    put_lists(conn.reborrow(), new).await?;
    media_use::record(conn, &[(new.id, &new.addresses())]).await
}

async fn put_lists(conn: Conn<'_>, new: &NewRevision<'_>) -> Result<(), StoreError> {
    if new.details.tags.is_empty() && new.details.authors.is_empty() {
        return Ok(());
    }
    details::put_lists(conn, &[(new.id, new.details)], new.at).await
}

/// Replaces the text of an autosave; it keeps its id, and gets a new number and time. The caller must
/// hold the lock of the article and have checked that nothing else references the revision.
pub async fn replace_autosave(
    mut conn: Conn<'_>,
    old: Uuid,
    new: &NewRevision<'_>,
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update revision
            set number = $2, title = $3, body = $4, words = $5, details = $6, template = $7, is_featured = $8,
                dated_at = $9, changed = $10, saved_at = $11
          where id = $1 and is_autosave = 1")
        .bind(old).bind(new.number).bind(new.title).bind(new.body).bind(new.words)
        .bind(&new.details.json).bind(new.details.template).bind(new.details.is_featured).bind(new.details.dated_at).bind(new.changed.as_str()).bind(new.at.millis())
        .execute(c).await?.rows_affected());
    details::replace_lists(conn.reborrow(), old, new.details, new.at).await?;
    media_use::record_again(conn, old, &new.addresses()).await
}

/// Returns a revision by id.
pub async fn find(conn: Conn<'_>, id: Uuid) -> Result<Option<RevisionRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(select!("r.body", "where r.id = $1")).bind(id).fetch_optional(c).await)?,
    )
}

/// Returns these revisions.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<RevisionRecord>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("r.body", "where r.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(select!("r.body", "where r.id = any($1)")).bind(ids).fetch_all(c).await?
        }
    })
}

/// Returns a revision by article and number.
pub async fn find_by_number(
    conn: Conn<'_>,
    article: ArticleId,
    number: i32,
) -> Result<Option<RevisionRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("r.body", "where r.article_id = $1 and r.number = $2"))
        .bind(article.0).bind(number).fetch_optional(c).await)?)
}

/// Returns the newest revisions of an article, at most `limit`, newest first, with empty bodies.
pub async fn list(conn: Conn<'_>, article: ArticleId, limit: u32) -> Result<Vec<RevisionRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(select!("''", "where r.article_id = $1 order by r.number desc limit $2"))
        .bind(article.0).bind(i64::from(limit)).fetch_all(c).await)?,
    )
}
