//! The trash: deleted articles, until they are restored or go for good.

use crate::{Conn, StoreError, batch::pack, db::on};
use domain::{ArticleId, Timestamp};
use uuid::Uuid;

/// Puts an article into the trash. False: it is there already, or public. Its file is not imported again; if readers knew its
/// addresses, they answer 410 from now on.
pub async fn put(mut conn: Conn<'_>, id: ArticleId, at: Timestamp) -> Result<bool, StoreError> {
    let put = on!(conn.again(), c => sqlx::query(
        "update article set deleted_at = $2 where id = $1 and deleted_at is null and published_at is null")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    if put == 0 {
        return Ok(false);
    }
    on!(conn.again(), c => sqlx::query(
        "insert into deleted_name (kind, name, article_id, deleted_at)
         select 'import', import_path, id, $2 from article where id = $1 and import_path is not null
         on conflict (kind, name) do nothing")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    // What is not public any more was taken off the site by a task.
    on!(conn, c => sqlx::query(
        "insert into deleted_name (kind, name, article_id, deleted_at)
         select 'slug', known.slug, $1, $2
           from (select slug from article where id = $1 union select slug from former_slug where article_id = $1) as known
          where exists (select 1 from task where target_id = $1 and state || '' = 'executed')
         on conflict (kind, name) do nothing")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(true)
}

/// Takes an article out of the trash. False: it is not there.
pub async fn restore(mut conn: Conn<'_>, id: ArticleId) -> Result<bool, StoreError> {
    let restored = on!(conn.again(), c => sqlx::query(
        "update article set deleted_at = null where id = $1 and deleted_at is not null")
        .bind(id.0).execute(c).await?.rows_affected());
    on!(conn, c => sqlx::query("delete from deleted_name where article_id = $1")
        .bind(id.0).execute(c).await?.rows_affected());
    Ok(restored > 0)
}

/// Whether a name is kept by a deleted article other than this one.
pub async fn keeps_slug(conn: Conn<'_>, slug: &str, but: ArticleId) -> Result<bool, StoreError> {
    let found: Option<i32> = on!(conn, c => sqlx::query_scalar(
        "select 1 from deleted_name where kind = 'slug' and name = $1 and article_id <> $2")
        .bind(slug).bind(but.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Files that are not imported again.
pub async fn imports(conn: Conn<'_>) -> Result<Vec<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar("select name from deleted_name where kind = 'import'")
        .fetch_all(c).await)?)
}

/// Deletes the next articles for good that are in the trash since before: texts, former names, entries of the search. Their
/// executed tasks and the log stay. Returns their identities.
pub async fn purge(mut conn: Conn<'_>, before: Timestamp, limit: u32) -> Result<Vec<Uuid>, StoreError> {
    let ids: Vec<Uuid> = match conn.again() {
        Conn::Sqlite(c) => {
            sqlx::query_scalar("select id from article where deleted_at < $1 order by deleted_at limit $2")
                .bind(before.millis())
                .bind(i64::from(limit))
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select id from article where deleted_at < $1 order by deleted_at limit $2 for update skip locked",
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
    crate::search::remove(conn.again(), &ids).await?;
    for (sqlite, postgres) in PURGE {
        match conn.again() {
            Conn::Sqlite(c) => {
                sqlx::query(sqlite).bind(pack(ids.iter().map(Uuid::as_simple))?).execute(c).await?;
            }
            Conn::Postgres(c) => {
                sqlx::query(postgres).bind(&ids).execute(c).await?;
            }
        }
    }
    Ok(ids)
}

const PURGE: [(&str, &str); 4] = [
    (
        "delete from rendered where revision_id in (
             select id from revision where article_id in (select unhex(value) from jsonb_each($1)))",
        "delete from rendered where revision_id in (select id from revision where article_id = any($1))",
    ),
    (
        "delete from revision where article_id in (select unhex(value) from jsonb_each($1))",
        "delete from revision where article_id = any($1)",
    ),
    (
        "delete from former_slug where article_id in (select unhex(value) from jsonb_each($1))",
        "delete from former_slug where article_id = any($1)",
    ),
    (
        "delete from article where id in (select unhex(value) from jsonb_each($1))",
        "delete from article where id = any($1)",
    ),
];
