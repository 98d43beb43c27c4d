//! What reminders of users are about: articles, whose publication they follow, and meetings.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::Timestamp;
use uuid::Uuid;

/// When an article is or was published, in milliseconds: its scheduled task counts; without one, if it is
/// public, the task that published it last.
macro_rules! publication_sql {
    ($article:literal) => {
        concat!(
            "coalesce(
                (select min(t.due_at) from task t
                  where t.target_id = ",
            $article,
            " and t.kind = 'article.publish' and t.state || '' = 'scheduled'),
                (select coalesce(
                            (select max(t.due_at) from task t
                              where t.target_id = a.id and t.kind = 'article.publish' and t.state || '' = 'executed'),
                            a.published_at)
                   from article a
                  where a.id = ",
            $article,
            " and a.published_at is not null))"
        )
    };
}
pub(super) use publication_sql;

macro_rules! publications {
    ($ids:literal) => {
        concat!(
            "select g.id, ",
            publication_sql!("g.id"),
            " from target g where g.kind = 'article' and g.id ",
            $ids
        )
    };
}

/// Returns when these articles are or were published; `None`: nothing publishes one, and it is not
/// public.
pub async fn publications(
    conn: Conn<'_>,
    articles: &[Uuid],
) -> Result<Vec<(Uuid, Option<Timestamp>)>, StoreError> {
    let rows: Vec<(Uuid, Option<i64>)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(publications!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(articles.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(publications!("= any($1)")).bind(articles).fetch_all(c).await?,
    };
    Ok(rows.into_iter().map(|(id, at)| (id, at.map(Timestamp::from_millis))).collect())
}

/// Marks the open publications of these articles as followed, and locks them on PostgreSQL. A group
/// commit leaves them to a transaction that also changes their reminders.
pub async fn mark_followed(conn: Conn<'_>, articles: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if articles.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task set is_followed = 1
                  where target_id in (select unhex(value) from jsonb_each($1)) and kind = 'article.publish'
                    and +state <> 'executed'",
            )
            .bind(encode(articles.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task set is_followed = 1
                  where target_id = any($1) and kind = 'article.publish' and state || '' <> 'executed'",
            )
            .bind(articles)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Returns the number of scheduled reminders of users about an article or a meeting, up to `limit`.
pub async fn open_count(conn: Conn<'_>, about: Uuid, limit: i64) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from (
            select 1 from reminder
             where about_id = $1 and state = 'scheduled' and recipient_kind in ('account', 'mail', 'channel')
             limit $2) as part")
        .bind(about).bind(limit).fetch_one(c).await)?)
}
