//! Slugs of articles: current ones, and redirects from previous ones.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::{ArticleId, Timestamp};
use serde_json::json;
use uuid::Uuid;

/// Returns those of the slugs that an article has or had.
pub async fn taken(conn: Conn<'_>, slugs: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select slug from article where slug in (select value from jsonb_each($1))
                 union all
                 select slug from slug_redirect where slug in (select value from jsonb_each($1))
                 union all
                 select name from deleted_name where kind = 'slug' and name in (select value from jsonb_each($1))",
            )
            .bind(encode(slugs)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select slug from article where slug = any($1)
                 union all
                 select slug from slug_redirect where slug = any($1)
                 union all
                 select name from deleted_name where kind = 'slug' and name = any($1)",
            )
            .bind(slugs)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns those of the slugs that lead to an article which is not in the trash.
pub async fn reachable(conn: Conn<'_>, slugs: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        _ if slugs.is_empty() => Vec::new(),
        Conn::Sqlite(c) => sqlx::query_scalar(
            "select slug from article where slug in (select value from jsonb_each($1)) and deleted_at is null
                 union all
                 select r.slug from slug_redirect r join article a on a.id = r.article_id
                  where r.slug in (select value from jsonb_each($1)) and a.deleted_at is null",
        )
        .bind(encode(slugs)?)
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select slug from article where slug = any($1) and deleted_at is null
                 union all
                 select r.slug from slug_redirect r join article a on a.id = r.article_id
                  where r.slug = any($1) and a.deleted_at is null",
            )
            .bind(slugs)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns slugs and titles of the articles that have these slugs.
pub async fn titles(conn: Conn<'_>, slugs: &[String]) -> Result<Vec<(String, String)>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as("select slug, title from article where slug in (select value from jsonb_each($1))")
                .bind(encode(slugs)?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select slug, title from article where slug = any($1)")
                .bind(slugs)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns all slugs that an article has or had and that begin with `slug` and a hyphen.
pub async fn beginning_with(conn: Conn<'_>, slug: &str) -> Result<Vec<String>, StoreError> {
    // Slugs contain only letters, digits and hyphens: no wildcards of `like`.
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select slug from article where slug like $1
         union all
         select slug from slug_redirect where slug like $1
         union all
         select name from deleted_name where kind = 'slug' and name like $1")
        .bind(format!("{slug}-%")).fetch_all(c).await)?)
}

/// Returns the article to which this slug redirects; `None`: there is no redirect.
pub async fn find_redirect(conn: Conn<'_>, slug: &str) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select article_id from slug_redirect where slug = $1")
        .bind(slug).fetch_optional(c).await)?)
}

/// Adds a redirect from a previous slug to its article.
pub async fn add_redirect(
    conn: Conn<'_>,
    slug: &str,
    article: ArticleId,
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("insert into slug_redirect (slug, article_id, replaced_at) values ($1, $2, $3)")
        .bind(slug).bind(article.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Adds redirects from many previous slugs. The error is a unique violation if one is taken.
pub async fn add_redirects<'s>(
    conn: Conn<'_>,
    slugs: impl Iterator<Item = (&'s str, ArticleId)>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let rows: Vec<_> = slugs.map(|(slug, id)| json!({"id": id.0.simple(), "slug": slug})).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let rows = encode(rows)?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into slug_redirect (slug, article_id, replaced_at)
                 select t.value ->> 'slug', unhex(t.value ->> 'id'), $2 from jsonb_each($1) t",
            )
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into slug_redirect (slug, article_id, replaced_at)
                 select t.slug, t.id, $2 from json_to_recordset($1::json) as t (id uuid, slug text)",
            )
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Removes a redirect, because the article uses the slug again.
pub async fn remove_redirect(conn: Conn<'_>, slug: &str, article: ArticleId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from slug_redirect where slug = $1 and article_id = $2")
        .bind(slug).bind(article.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the previous slugs of an article, newest first.
pub async fn redirects_of(conn: Conn<'_>, article: ArticleId) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select slug from slug_redirect where article_id = $1 order by replaced_at desc, slug")
        .bind(article.0).fetch_all(c).await)?)
}
