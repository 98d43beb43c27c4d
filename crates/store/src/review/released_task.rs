//! Tasks that an approval releases: they publish the approved revision at their time or, if that has passed,
//! at once.

use crate::{
    Conn, StoreError,
    approval::{is_approved, is_held},
    db::with_conn,
    json_rows::encode,
    row::row,
};
use domain::Timestamp;
use uuid::Uuid;

row! {
    /// A task that waited for an approval.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReleasedTask {
        /// Id of the task.
        pub id: Uuid,
        /// Its version after the change.
        pub version: i32,
        /// When it is due, milliseconds.
        pub due_at: i64,
        /// Priority.
        pub priority: String,
        /// Shard of its hints.
        pub bucket: i32,
    }
}

/// Approves the scheduled tasks that publish these revisions later than `at`, and returns those that
/// were not approved before.
pub async fn release(
    conn: Conn<'_>,
    revisions: &[Uuid],
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    macro_rules! release {
        ($which:literal) => {
            concat!(
                "update task set approved_version = version
                  where state || '' = 'scheduled' and approved_version is distinct from version and due_at > $2
                    and ",
                $which,
                " returning id, version, due_at, priority, bucket"
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(release!(
                "target_id in (select article_id from revision where id in (select unhex(value) from jsonb_each($1)))
                 and revision_id in (select unhex(value) from jsonb_each($1))"
            ))
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(release!(
                "target_id in (select article_id from revision where id = any($1)) and revision_id = any($1)"
            ))
            .bind(revisions)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
    })
}

/// Gives publications these approved revisions: `$which` of the tasks of their articles that pin the same
/// or an older revision. Those whose time has passed are due at `$2`.
macro_rules! take {
    ($approved:literal, $which:expr) => {
        concat!(
            "update task
                set state = 'scheduled', revision_id = approved.pinned,
                    due_at = case when state = 'scheduled' and due_at > $2 then due_at else $2 end,
                    local_time = case when state = 'scheduled' and due_at > $2 then local_time end,
                    time_zone = case when state = 'scheduled' and due_at > $2 then time_zone end,
                    attempts = 0, crash_count = 0, reason = null, not_before = null, version = version + 1,
                    approved_version = version + 1
               from (select r.id as pinned, r.article_id as article, r.number as newest
                       from revision r where r.id ",
            $approved,
            ") as approved
              where target_id = approved.article and kind = 'article.publish'
                and coalesce((select p.number from revision p where p.id = task.revision_id), 0) <= approved.newest
                and ",
            $which,
            " returning id, version, due_at, priority, bucket"
        )
    };
}

/// Approves the scheduled publications that wait for an approval of these revisions and are due at `at`
/// or before, and those that wait for one of an older revision: they take the approved one. Returns them.
/// The time at which they could be executed is that of the approval.
pub async fn catch_up(
    conn: Conn<'_>,
    revisions: &[Uuid],
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(take!(
                "in (select unhex(value) from jsonb_each($1))",
                "state || '' = 'scheduled' and approved_version is distinct from version"
            ))
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(take!(
                "= any($1)",
                "state || '' = 'scheduled' and approved_version is distinct from version"
            ))
            .bind(revisions)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the approved scheduled publications that pin an older revision than one of these of the same
/// article: task and pinned revision.
pub async fn older_pins(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    macro_rules! older {
        ($which:literal) => {
            concat!(
                "select t.id, t.revision_id
                   from revision r
                   join task t on t.target_id = r.article_id
                   join revision p on p.id = t.revision_id
                  where t.state || '' = 'scheduled' and t.kind = 'article.publish' and t.approved_version = t.version
                    and p.number < r.number and r.id ",
                $which
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(older!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(revisions.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(older!("= any($1)")).bind(revisions).fetch_all(c).await?,
    })
}

/// Lets these scheduled tasks wait for an approval.
pub async fn suspend(conn: Conn<'_>, tasks: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if tasks.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task set approved_version = null
                  where state || '' = 'scheduled' and id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(tasks.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task set approved_version = null where state || '' = 'scheduled' and id = any($1)",
            )
            .bind(tasks)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Reschedules for now the publications that the review holds with these revisions or older ones, and
/// returns them. A newer task of the same article takes their place.
pub async fn reopen(
    conn: Conn<'_>,
    revisions: &[Uuid],
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(take!("in (select unhex(value) from jsonb_each($1))", is_held!("task")))
                .bind(encode(revisions.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(take!("= any($1)", is_held!("task")))
                .bind(revisions)
                .bind(at.millis())
                .fetch_all(c)
                .await?
        }
    })
}

/// Approves the scheduled tasks that wait for an approval although their text needs none any more, and
/// returns them. A text that was sent back waits for its author.
pub async fn release_unreviewed(conn: Conn<'_>) -> Result<Vec<ReleasedTask>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "update task set approved_version = version
          where state = 'scheduled' and revision_id is not null and approved_version is distinct from version
            and not exists (select 1 from review
                             where review.revision_id = task.revision_id and review.state in ('sent_back', 'expired'))
            and ", is_approved!("task.revision_id"), "
         returning id, version, due_at, priority, bucket"))
        .fetch_all(c).await)?)
}
