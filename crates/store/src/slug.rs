//! Names of articles: the present ones, and the former ones that lead to them.

use crate::{Conn, StoreError, batch::pack, db::on};
use domain::{ArticleId, Timestamp};
use uuid::Uuid;

/// Which of these names some article has or had.
pub async fn taken(conn: Conn<'_>, slugs: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select slug from article where slug in (select value from jsonb_each($1))
                 union all
                 select slug from former_slug where slug in (select value from jsonb_each($1))
                 union all
                 select name from deleted_name where kind = 'slug' and name in (select value from jsonb_each($1))",
            )
            .bind(pack(slugs)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select slug from article where slug = any($1)
                 union all
                 select slug from former_slug where slug = any($1)
                 union all
                 select name from deleted_name where kind = 'slug' and name = any($1)",
            )
            .bind(slugs)
            .fetch_all(c)
            .await?
        }
    })
}

/// All names some article has or had that begin with `slug` and a hyphen.
pub async fn beginning_with(conn: Conn<'_>, slug: &str) -> Result<Vec<String>, StoreError> {
    // Slugs hold letters, digits and hyphens only: nothing in them means more to `like`.
    Ok(on!(conn, c => sqlx::query_scalar(
        "select slug from article where slug like $1
         union all
         select slug from former_slug where slug like $1
         union all
         select name from deleted_name where kind = 'slug' and name like $1")
        .bind(format!("{slug}-%")).fetch_all(c).await)?)
}

/// The article that had this name and gave it up.
pub async fn left_by(conn: Conn<'_>, slug: &str) -> Result<Option<Uuid>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar("select article_id from former_slug where slug = $1")
        .bind(slug).fetch_optional(c).await)?)
}

/// Notes that an article gave up a name, which leads to it from now on.
pub async fn leave(conn: Conn<'_>, slug: &str, article: ArticleId, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("insert into former_slug (slug, article_id, left_at) values ($1, $2, $3)")
        .bind(slug).bind(article.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Takes back a name the article itself gave up.
pub async fn take_back(conn: Conn<'_>, slug: &str, article: ArticleId) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from former_slug where slug = $1 and article_id = $2")
        .bind(slug).bind(article.0).execute(c).await?.rows_affected());
    Ok(())
}

/// The names an article gave up, newest first.
pub async fn former(conn: Conn<'_>, article: ArticleId) -> Result<Vec<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "select slug from former_slug where article_id = $1 order by left_at desc, slug")
        .bind(article.0).fetch_all(c).await)?)
}
