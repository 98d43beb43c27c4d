//! The trash: deleted articles, until they are restored or purged.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
};
use domain::{ArticleId, Timestamp};
use uuid::Uuid;

/// Moves an article to the trash. False: it is there already, or public. Its file is not imported
/// again. If its addresses were public, they answer 410 from now on.
pub async fn put(mut conn: Conn<'_>, id: ArticleId, at: Timestamp) -> Result<bool, StoreError> {
    let put = with_conn!(conn.reborrow(), c => sqlx::query(
        "update article set deleted_at = $2 where id = $1 and deleted_at is null and published_at is null")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    if put == 0 {
        return Ok(false);
    }
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into deleted_name (kind, name, article_id, deleted_at)
         select 'import', import_path, id, $2 from article where id = $1 and import_path is not null
         on conflict (kind, name) do nothing")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    // An article that was public before was unpublished by an executed task.
    with_conn!(conn, c => sqlx::query(
        "insert into deleted_name (kind, name, article_id, deleted_at)
         select 'slug', known.slug, $1, $2
           from (select slug from article where id = $1 union select slug from slug_redirect where article_id = $1) as known
          where exists (select 1 from task where target_id = $1 and state || '' = 'executed')
         on conflict (kind, name) do nothing")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(true)
}

/// Moves articles of an import to the trash, each with another slug: a later import of the same posts
/// gets new articles, with the slugs of these. Returns those that were neither there already nor public.
pub async fn undo_import(
    mut conn: Conn<'_>,
    slugs: &[(Uuid, String)],
    at: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    let put: Vec<Uuid> = match conn.reborrow() {
        _ if slugs.is_empty() => return Ok(Vec::new()),
        Conn::Sqlite(c) => sqlx::query_scalar(
            "update article set deleted_at = $2, slug = t.value ->> 1, import_path = null, import_hash = null
                   from jsonb_each($1) t
                  where article.id = unhex(t.value ->> 0)
                    and article.deleted_at is null and article.published_at is null
                returning article.id",
        )
        .bind(encode(slugs.iter().map(|(id, slug)| (id.simple(), slug)))?)
        .bind(at.millis())
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "update article a set deleted_at = $3, slug = t.slug, import_path = null, import_hash = null
                   from unnest($1::uuid[], $2::text[]) as t (id, slug)
                  where a.id = t.id and a.deleted_at is null and a.published_at is null
                returning a.id",
            )
            .bind(column(slugs, |(id, _)| *id))
            .bind(column(slugs, |(_, slug)| slug.clone()))
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
    };
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from slug_redirect where article_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(put.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from slug_redirect where article_id = any($1)").bind(&put).execute(c).await?;
        }
    }
    Ok(put)
}

/// Restores an article from the trash. False: it is not there.
pub async fn restore(mut conn: Conn<'_>, id: ArticleId) -> Result<bool, StoreError> {
    let restored = with_conn!(conn.reborrow(), c => sqlx::query(
        "update article set deleted_at = null where id = $1 and deleted_at is not null")
        .bind(id.0).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query("delete from deleted_name where article_id = $1")
        .bind(id.0).execute(c).await?.rows_affected());
    Ok(restored > 0)
}

/// Whether a slug belongs to a deleted article other than this one.
pub async fn is_slug_reserved(conn: Conn<'_>, slug: &str, but: ArticleId) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from deleted_name where kind = 'slug' and name = $1 and article_id <> $2")
        .bind(slug).bind(but.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns files that must not be imported again.
pub async fn imported_files(conn: Conn<'_>) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select name from deleted_name where kind = 'import'")
        .fetch_all(c).await)?)
}

/// Purges the next articles that were moved to the trash before `before`: texts, redirects, search
/// entries. Their executed tasks and events stay. Returns their ids.
pub async fn purge(mut conn: Conn<'_>, before: Timestamp, limit: u32) -> Result<Vec<Uuid>, StoreError> {
    let ids: Vec<Uuid> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query_scalar("select id from article where deleted_at < $1 order by deleted_at limit $2")
                .bind(before.millis())
                .bind(i64::from(limit))
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select a.id
                   from target g join article a on a.id = g.id
                  where a.deleted_at < $1
                  order by a.deleted_at
                  limit $2
                    for update of g, a skip locked",
            )
            .bind(before.millis())
            .bind(i64::from(limit))
            .fetch_all(c)
            .await?
        }
    };
    if ids.is_empty() {
        return Ok(ids);
    }
    crate::search::remove(conn.reborrow(), &ids).await?;
    for (sqlite, postgres) in PURGE {
        match conn.reborrow() {
            Conn::Sqlite(c) => {
                sqlx::query(sqlite).bind(encode(ids.iter().map(Uuid::as_simple))?).execute(c).await?;
            }
            Conn::Postgres(c) => {
                sqlx::query(postgres).bind(&ids).execute(c).await?;
            }
        }
    }
    Ok(ids)
}

const PURGE: [(&str, &str); 5] = [
    (
        "delete from rendered where revision_id in (
             select id from revision where article_id in (select unhex(value) from jsonb_each($1)))",
        "delete from rendered where revision_id in (select id from revision where article_id = any($1))",
    ),
    (
        "delete from revision_media where revision_id in (
             select id from revision where article_id in (select unhex(value) from jsonb_each($1)))",
        "delete from revision_media where revision_id in (select id from revision where article_id = any($1))",
    ),
    (
        "delete from revision where article_id in (select unhex(value) from jsonb_each($1))",
        "delete from revision where article_id = any($1)",
    ),
    (
        "delete from slug_redirect where article_id in (select unhex(value) from jsonb_each($1))",
        "delete from slug_redirect where article_id = any($1)",
    ),
    (
        "delete from article where id in (select unhex(value) from jsonb_each($1))",
        "delete from article where id = any($1)",
    ),
];
