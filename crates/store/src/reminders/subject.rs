//! What reminders of users are about: articles, whose publication they follow, and meetings.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::Timestamp;
use uuid::Uuid;

/// When an article is or was published, in milliseconds: the first of its scheduled task and its
/// scheduled release counts; without one, if it is public, the task that published it last.
macro_rules! publication_sql {
    ($article:literal) => {
        concat!(
            "coalesce(
                (select min(planned.due_at) from (
                     select t.due_at from task t
                      where t.target_id = ",
            $article,
            " and t.kind = 'article.publish' and t.state || '' = 'scheduled'
                     union all
                     select t.due_at
                       from article_release_item i
                       join task t on t.target_id = i.release_id
                      where i.article_id = ",
            $article,
            " and i.is_open = 1 and i.action = 'publish' and t.kind = 'release.publish'
                        and t.state || '' = 'scheduled') as planned),
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

/// Marks the open publications of these articles, and of the releases that publish them, as followed, and
/// locks them on PostgreSQL. A group commit leaves them to a transaction that also changes their
/// reminders.
pub async fn mark_followed(conn: Conn<'_>, articles: &[Uuid]) -> Result<(), StoreError> {
    macro_rules! mark {
        ($kind:literal, $targets:literal, $unfinished:literal) => {
            concat!(
                "update task set is_followed = 1 where target_id ",
                $targets,
                " and kind = '",
                $kind,
                "' and ",
                $unfinished
            )
        };
    }
    match conn {
        _ if articles.is_empty() => {}
        Conn::Sqlite(c) => {
            let ids = encode(articles.iter().map(Uuid::as_simple))?;
            for statement in [
                mark!(
                    "article.publish",
                    "in (select unhex(value) from jsonb_each($1))",
                    "+state <> 'executed'"
                ),
                mark!(
                    "release.publish",
                    "in (select release_id from article_release_item
                          where is_open = 1 and action = 'publish'
                            and article_id in (select unhex(value) from jsonb_each($1)))",
                    "+state <> 'executed'"
                ),
            ] {
                sqlx::query(statement).bind(ids.clone()).execute(&mut *c).await?;
            }
        }
        Conn::Postgres(c) => {
            for statement in [
                mark!("article.publish", "= any($1)", "state || '' <> 'executed'"),
                mark!(
                    "release.publish",
                    "= any(array(select release_id from article_release_item
                                  where is_open = 1 and action = 'publish' and article_id = any($1)))",
                    "state || '' <> 'executed'"
                ),
            ] {
                sqlx::query(statement).bind(articles).execute(&mut *c).await?;
            }
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
