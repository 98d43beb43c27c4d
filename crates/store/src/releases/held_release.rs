//! Releases that were held: their task failed because an article was blocked.

use crate::{Conn, StoreError, json_rows::encode, released_task::ReleasedTask, row::row};
use domain::Timestamp;
use uuid::Uuid;

row! {
    /// A held release.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct HeldRelease {
        /// Id of its task.
        pub task_id: Uuid,
        /// Id of the release.
        pub release_id: Uuid,
    }
}

/// A select of the [`HeldRelease`]s among some releases. A newer task takes the place of the failed one.
macro_rules! held {
    ($releases:literal, $lock:literal) => {
        concat!(
            "select t.id as task_id, t.target_id as release_id
               from task t
              where t.target_id ",
            $releases,
            " and t.kind = 'release.publish' and t.state || '' in ('failed', 'missed')
                and t.reason like 'blocked_item:%'
                and not exists (select 1 from task n
                                 where n.target_id = t.target_id and n.kind = t.kind
                                   and n.id <> t.id and (n.id > t.id or n.state || '' = 'scheduled'))
              order by t.id",
            $lock
        )
    };
}

/// Locks the tasks of the held releases that are to publish these revisions, and returns them. Two
/// approvals of the same release wait for each other here: the second sees the first.
pub async fn with_revisions(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<HeldRelease>, StoreError> {
    Ok(match conn {
        _ if revisions.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(held!(
                "in (select i.release_id
                       from revision r
                       join article_release_item i on i.article_id = r.article_id and i.revision_id = r.id
                      where i.is_open = 1 and r.id in (select unhex(value) from jsonb_each($1)))",
                ""
            ))
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(held!(
                "= any(array(select i.release_id
                               from revision r
                               join article_release_item i on i.article_id = r.article_id and i.revision_id = r.id
                              where i.is_open = 1 and r.id = any($1)))",
                " for no key update of t"
            ))
            .bind(revisions)
            .fetch_all(c)
            .await?
        }
    })
}

/// Locks the task of this release if it is held, and returns it.
pub async fn find(conn: Conn<'_>, release: Uuid) -> Result<Option<HeldRelease>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_as(held!("= $1", "")).bind(release).fetch_optional(c).await?,
        Conn::Postgres(c) => {
            sqlx::query_as(held!("= $1", " for no key update of t")).bind(release).fetch_optional(c).await?
        }
    })
}

/// Schedules these failed tasks for now. Returns them.
pub async fn reopen(conn: Conn<'_>, tasks: &[Uuid], at: Timestamp) -> Result<Vec<ReleasedTask>, StoreError> {
    macro_rules! reopen {
        ($which:literal) => {
            concat!(
                "update task
                    set state = 'scheduled', due_at = $2, local_time = null, time_zone = null, attempts = 0,
                        crash_count = 0, reason = null, not_before = null, version = version + 1,
                        approved_version = version + 1
                  where state || '' in ('failed', 'missed') and id ",
                $which,
                " returning id, version, due_at, priority, bucket"
            )
        };
    }
    Ok(match conn {
        _ if tasks.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(reopen!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(tasks.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(reopen!("= any($1)")).bind(tasks).bind(at.millis()).fetch_all(c).await?
        }
    })
}
