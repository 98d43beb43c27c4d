//! Whether and since when articles are public, and the approval of their texts. The caller has locked
//! the target.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use uuid::Uuid;

row! {
    /// State of an article on the public site.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct PublicState {
        /// Id of the published revision.
        pub revision_id: Uuid,
        /// When it was first published, milliseconds.
        pub published_at: i64,
        /// When its text was last replaced, milliseconds.
        pub updated_at: Option<i64>,
    }
}

/// Returns the state of an article on the public site; `None`: it is not public.
pub async fn find(conn: Conn<'_>, id: Uuid) -> Result<Option<PublicState>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select published_revision_id as revision_id, published_at, updated_at
           from article
          where id = $1 and published_revision_id is not null and published_at is not null")
        .bind(id).fetch_optional(c).await)?)
}

/// Returns those of the articles that are public.
pub async fn public(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select id from article
                  where id in (select unhex(value) from jsonb_each($1)) and published_revision_id is not null",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select id from article where id = any($1) and published_revision_id is not null")
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}

/// Marks the current revisions of these articles as approved, unless texts are reviewed.
pub async fn approve(conn: Conn<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update article set state = 'approved'
                  where id in (select unhex(value) from jsonb_each($1)) and state <> 'approved'
                    and not exists (select 1 from setting where name = 'review_active')",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update article set state = 'approved'
                  where id = any($1) and state <> 'approved'
                    and not exists (select 1 from setting where name = 'review_active')",
            )
            .bind(ids)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Restores the published state of an article; `None`: unpublishes it. `was` must be the currently
/// published revision. Returns the number of the revision that is published then, or of the current
/// one if none is; `None`: nothing changed.
pub async fn restore_public_state(
    conn: Conn<'_>,
    id: Uuid,
    was: Option<Uuid>,
    public: Option<PublicState>,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update article
            set published_revision_id = $3, published_at = $4, updated_at = $5
          where id = $1 and published_revision_id is not distinct from $2 and deleted_at is null
         returning (select r.number from revision r where r.id = coalesce(published_revision_id, revision_id))")
        .bind(id).bind(was)
        .bind(public.map(|public| public.revision_id))
        .bind(public.map(|public| public.published_at))
        .bind(public.and_then(|public| public.updated_at))
        .fetch_optional(c).await)?)
}

/// An article that gets another state on the public site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restored {
    /// Id of the article.
    pub id: Uuid,
    /// The revision that must be public now.
    pub was: Option<Uuid>,
    /// What becomes public; `None`: the article is unpublished.
    pub public: Option<PublicState>,
}

/// Does the same as [`restore_public_state`] for many articles. Returns the changed ones, each with that
/// number.
pub async fn restore_public_states(conn: Conn<'_>, all: &[Restored]) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| {
                let (was, revision) = (one.was, one.public.map(|public| public.revision_id));
                (
                    one.id.simple(),
                    was.map(Uuid::simple),
                    revision.map(Uuid::simple),
                    one.public.map(|public| public.published_at),
                    one.public.and_then(|public| public.updated_at),
                )
            });
            sqlx::query_as(
                "update article
                    set published_revision_id = put.revision_id, published_at = put.published_at, updated_at = put.updated_at
                   from (select unhex(value ->> 0) as id, unhex(value ->> 1) as was, unhex(value ->> 2) as revision_id,
                                value ->> 3 as published_at, value ->> 4 as updated_at
                           from jsonb_each($1)) as put
                  where article.id = put.id and article.published_revision_id is put.was and article.deleted_at is null
                 returning id, (select r.number from revision r where r.id = coalesce(published_revision_id, article.revision_id))",
            )
            .bind(encode(rows)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update article a
                    set published_revision_id = put.revision_id, published_at = put.published_at, updated_at = put.updated_at
                   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[])
                        as put (id, was, revision_id, published_at, updated_at)
                  where a.id = put.id and a.published_revision_id is not distinct from put.was and a.deleted_at is null
                 returning a.id, (select r.number from revision r where r.id = coalesce(a.published_revision_id, a.revision_id))",
            )
            .bind(column(all, |one| one.id))
            .bind(column(all, |one| one.was))
            .bind(column(all, |one| one.public.map(|public| public.revision_id)))
            .bind(column(all, |one| one.public.map(|public| public.published_at)))
            .bind(column(all, |one| one.public.and_then(|public| public.updated_at)))
            .fetch_all(c)
            .await?
        }
    })
}
