//! Articles: one row each, beside their texts in `revision`.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{ArticleId, PersonId, Timestamp};
use uuid::Uuid;

row! {
    /// An article as it stands in SQL, without its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ArticleRecord {
        /// Identity.
        pub id: Uuid,
        /// Name in the address.
        pub slug: String,
        /// Who owns it.
        pub owner_id: Uuid,
        /// Where its text stands in review.
        pub state: String,
        /// The current revision.
        pub revision_id: Uuid,
        /// Its number.
        pub revision: i32,
        /// Its title.
        pub title: String,
        /// The public revision.
        pub published_revision_id: Option<Uuid>,
        /// Since when it is public, milliseconds.
        pub published_at: Option<i64>,
        /// When the public text was replaced last, milliseconds.
        pub updated_at: Option<i64>,
        /// When it was made, milliseconds.
        pub created_at: i64,
        /// When it last changed, milliseconds.
        pub changed_at: i64,
        /// In the trash since, milliseconds.
        pub deleted_at: Option<i64>,
    }
}

/// The columns of an [`ArticleRecord`].
macro_rules! columns {
    () => {
        "id, slug, owner_id, state, revision_id, revision, title, published_revision_id, published_at, updated_at,
         created_at, changed_at, deleted_at"
    };
}

/// A draft that is about to be stored, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft<'t> {
    /// Identity.
    pub id: ArticleId,
    /// Name in the address.
    pub slug: &'t str,
    /// Who owns it.
    pub owner: PersonId,
    /// Identity of its first revision.
    pub revision: Uuid,
    /// Title of its first revision.
    pub title: &'t str,
    /// When.
    pub at: Timestamp,
}

/// Stores a new article. [`StoreError::is_taken`]: somebody was faster with the slug.
pub async fn insert(conn: Conn<'_>, draft: &Draft<'_>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at)
         values ($1, $2, $3, 'draft', $4, 1, $5, $6, $6)")
        .bind(draft.id.0).bind(draft.slug).bind(draft.owner.0).bind(draft.revision).bind(draft.title)
        .bind(draft.at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// The article; `None`: there is none.
pub async fn find(conn: Conn<'_>, id: ArticleId) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from article where id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// The article, locked until the transaction ends; `None`: there is none.
pub async fn lock(conn: Conn<'_>, id: ArticleId) -> Result<Option<ArticleRecord>, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => concat!("select ", columns!(), " from article where id = $1"),
        Conn::Postgres(_) => concat!("select ", columns!(), " from article where id = $1 for no key update"),
    };
    Ok(on!(conn, c => sqlx::query_as(sql).bind(id.0).fetch_optional(c).await)?)
}

/// Makes a revision the current one; the text is a draft again. `None`: `seen` is not the current number any more.
pub async fn turn_to(
    conn: Conn<'_>,
    id: ArticleId,
    seen: i32,
    (revision, number): (Uuid, i32),
    title: &str,
    at: Timestamp,
) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "update article
            set revision_id = $3, revision = $4, title = $5, state = 'draft', changed_at = $6
          where id = $1 and revision = $2
         returning ", columns!()))
        .bind(id.0).bind(seen).bind(revision).bind(number).bind(title).bind(at.millis())
        .fetch_optional(c).await)?)
}

/// Gives it another name. `None`: its name is not `old` any more. [`StoreError::is_taken`]: another article has it.
pub async fn rename(
    conn: Conn<'_>,
    id: ArticleId,
    old: &str,
    new: &str,
    at: Timestamp,
) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "update article set slug = $3, changed_at = $4 where id = $1 and slug = $2 returning ", columns!()))
        .bind(id.0).bind(old).bind(new).bind(at.millis()).fetch_optional(c).await)?)
}
