//! Articles: one row each. Their texts are in `revision`.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{AccountId, ArticleId, Timestamp};
use uuid::Uuid;

row! {
    /// An article row, without its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ArticleRecord {
        /// Id.
        pub id: Uuid,
        /// The slug: last part of its URL.
        pub slug: String,
        /// Account of its owner.
        pub owner_id: Uuid,
        /// Review state of the current revision.
        pub state: String,
        /// Id of the current revision.
        pub revision_id: Uuid,
        /// Number of the current revision.
        pub revision: i32,
        /// Title of the current revision.
        pub title: String,
        /// Id of the published revision; `None`: the article is not public.
        pub published_revision_id: Option<Uuid>,
        /// When it was first published, milliseconds; `None`: not public.
        pub published_at: Option<i64>,
        /// When the published text was last replaced, milliseconds; `None`: never.
        pub updated_at: Option<i64>,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When it was last changed, milliseconds.
        pub changed_at: i64,
        /// When it was moved to the trash, milliseconds; `None`: it is not there.
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

/// A new article, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewArticleRow<'t> {
    /// Id.
    pub id: ArticleId,
    /// The slug: last part of its URL.
    pub slug: &'t str,
    /// Account of its owner.
    pub owner: AccountId,
    /// Id of its first revision.
    pub revision: Uuid,
    /// Title of its first revision.
    pub title: &'t str,
    /// Time of creation.
    pub at: Timestamp,
}

/// Stores a new article. The error is a unique violation if another article has the slug.
pub async fn insert(conn: Conn<'_>, draft: &NewArticleRow<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at)
         values ($1, $2, $3, 'draft', $4, 1, $5, $6, $6)")
        .bind(draft.id.0).bind(draft.slug).bind(draft.owner.0).bind(draft.revision).bind(draft.title)
        .bind(draft.at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the article; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ArticleId) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from article where id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the titles of these articles, those that exist.
pub async fn titles(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, title from article where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select id, title from article where id = any($1)").bind(ids).fetch_all(c).await?
        }
    })
}

/// Returns the article and locks its target, then itself, until the transaction ends; `None`: it does not exist.
pub async fn lock(conn: Conn<'_>, id: ArticleId) -> Result<Option<ArticleRecord>, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => concat!("select ", columns!(), " from article where id = $1"),
        Conn::Postgres(_) => concat!(
            "select ",
            columns!(),
            " from article
              where id = (select g.id from target g where g.id = $1 for no key update)
                for no key update"
        ),
    };
    Ok(with_conn!(conn, c => sqlx::query_as(sql).bind(id.0).fetch_optional(c).await)?)
}

/// Returns these articles by id and locks their targets, then themselves, until the transaction ends.
pub async fn lock_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ArticleRecord>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(concat!(
                "select ",
                columns!(),
                " from article where id in (select unhex(value) from jsonb_each($1)) order by id"
            ))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query("select id from target where id = any($1) order by id for no key update")
                .bind(ids)
                .execute(&mut *c)
                .await?;
            sqlx::query_as(concat!(
                "select ",
                columns!(),
                " from article where id = any($1) order by id for no key update"
            ))
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}

/// Makes these accounts the owners of articles and of their open tasks.
pub async fn set_owners(mut conn: Conn<'_>, owners: &[(Uuid, Uuid)]) -> Result<(), StoreError> {
    let statements = match conn {
        _ if owners.is_empty() => return Ok(()),
        Conn::Sqlite(_) => [
            "update article set owner_id = unhex(o.value ->> 1) from jsonb_each($1) o where article.id = unhex(o.value ->> 0)",
            "update target set owner_id = unhex(o.value ->> 1) from jsonb_each($1) o where target.id = unhex(o.value ->> 0)",
            "update task set owner_id = unhex(o.value ->> 1) from jsonb_each($1) o
              where task.target_id = unhex(o.value ->> 0) and task.state in ('scheduled', 'failed', 'missed')",
        ],
        Conn::Postgres(_) => [
            "update article a set owner_id = o.owner from unnest($1::uuid[], $2::uuid[]) as o (id, owner) where a.id = o.id",
            "update target g set owner_id = o.owner from unnest($1::uuid[], $2::uuid[]) as o (id, owner) where g.id = o.id",
            "update task t set owner_id = o.owner from unnest($1::uuid[], $2::uuid[]) as o (id, owner)
              where t.target_id = o.id and t.state in ('scheduled', 'failed', 'missed')",
        ],
    };
    for statement in statements {
        match conn.reborrow() {
            Conn::Sqlite(c) => {
                let rows = encode(owners.iter().map(|(id, owner)| (id.simple(), owner.simple())))?;
                sqlx::query(statement).bind(rows).execute(c).await?;
            }
            Conn::Postgres(c) => {
                sqlx::query(statement)
                    .bind(column(owners, |(id, _)| *id))
                    .bind(column(owners, |(_, owner)| *owner))
                    .execute(c)
                    .await?;
            }
        }
    }
    Ok(())
}

/// Makes a revision the current one and resets the state to draft. `None`: `seen` is no longer the
/// number of the current revision.
pub async fn set_revision(
    conn: Conn<'_>,
    id: ArticleId,
    seen: i32,
    (revision, number): (Uuid, i32),
    title: &str,
    at: Timestamp,
) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "update article
            set revision_id = $3, revision = $4, title = $5, state = 'draft', changed_at = $6
          where id = $1 and revision = $2
         returning ", columns!()))
        .bind(id.0).bind(seen).bind(revision).bind(number).bind(title).bind(at.millis())
        .fetch_optional(c).await)?)
}

/// Changes the slug. `None`: the slug is no longer `old`. The error is a unique violation if
/// another article has `new`.
pub async fn rename(
    conn: Conn<'_>,
    id: ArticleId,
    old: &str,
    new: &str,
    at: Timestamp,
) -> Result<Option<ArticleRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "update article set slug = $3, changed_at = $4 where id = $1 and slug = $2 returning ", columns!()))
        .bind(id.0).bind(old).bind(new).bind(at.millis()).fetch_optional(c).await)?)
}
