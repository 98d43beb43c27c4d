//! Links of articles that answered when they were opened last.

use crate::{
    Conn, StoreError,
    db::{json_rows::encode, with_conn},
};
use domain::Timestamp;

/// Returns which of these links answered since a moment. A link is the SHA-256 of its address, in hex.
pub async fn since(conn: Conn<'_>, links: &[String], since: Timestamp) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        _ if links.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select url_hash from link_answer
                  where url_hash in (select value from jsonb_each($1)) and answered_at >= $2",
            )
            .bind(encode(links)?)
            .bind(since.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select url_hash from link_answer where url_hash = any($1) and answered_at >= $2",
            )
            .bind(links)
            .bind(since.millis())
            .fetch_all(c)
            .await?
        }
    })
}

/// Stores which links answered at a moment, and forgets those that did not.
pub async fn record(
    mut conn: Conn<'_>,
    answered: &[String],
    silent: &[String],
    at: Timestamp,
) -> Result<(), StoreError> {
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query("delete from link_answer where url_hash in (select value from jsonb_each($1))")
                .bind(encode(silent)?)
                .execute(&mut *c)
                .await?;
            sqlx::query(
                "insert into link_answer (url_hash, answered_at) select value, $2 from jsonb_each($1) where true
                 on conflict (url_hash) do update set answered_at = excluded.answered_at",
            )
            .bind(encode(answered)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from link_answer where url_hash = any($1)")
                .bind(silent)
                .execute(&mut *c)
                .await?;
            sqlx::query(
                "insert into link_answer (url_hash, answered_at) select url, $2 from unnest($1::text[]) as url
                  order by url
                 on conflict (url_hash) do update set answered_at = excluded.answered_at",
            )
            .bind(answered)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Removes the answers before a moment.
pub async fn remove_before(conn: Conn<'_>, moment: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from link_answer where answered_at < $1")
        .bind(moment.millis()).execute(c).await.map(drop))?;
    Ok(())
}
