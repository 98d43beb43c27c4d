//! Changes of many tasks at once: one statement each, the same compare-and-set as for one.

use crate::{Conn, StoreError, batch::Json};
use domain::{TaskId, Timestamp, Version};
use uuid::Uuid;

/// Moves tasks that wait and are in the version they were seen in, each to its own moment. Those that were moved, with their
/// new versions; the others are left as they are.
pub async fn move_all(
    conn: Conn<'_>,
    wishes: &[(TaskId, Version, Timestamp)],
) -> Result<Vec<(TaskId, Version, Timestamp)>, StoreError> {
    let rows: Vec<(Uuid, i32, i64)> = match conn {
        Conn::Sqlite(c) => {
            let wishes = Json::rows(wishes, |(id, version, due_at), row| {
                row.uuid(id.0).number(version.0).number(due_at.millis())
            });
            sqlx::query_as(MOVE_SQLITE).bind(wishes).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(MOVE_POSTGRES)
                .bind(wishes.iter().map(|(id, ..)| id.0).collect::<Vec<_>>())
                .bind(wishes.iter().map(|(_, version, _)| version.0).collect::<Vec<_>>())
                .bind(wishes.iter().map(|(.., due_at)| due_at.millis()).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    };
    let moved = |(id, version, due_at)| (TaskId(id), Version(version), Timestamp::from_millis(due_at));
    Ok(rows.into_iter().map(moved).collect())
}

const MOVE_SQLITE: &str = "
    update task
       set due_at = wish.due_at, local = null, zone = null, not_before = null, version = task.version + 1,
           approved_version = case when approved_version = task.version then task.version + 1 else approved_version end
      from (select unhex(value ->> 0) as id, value ->> 1 as version, value ->> 2 as due_at from json_each($1)) as wish
     where task.id = wish.id
       and task.version = wish.version
       and +task.state = 'scheduled'
    returning id, version, due_at";

const MOVE_POSTGRES: &str = "
    update task t
       set due_at = wish.due_at, local = null, zone = null, not_before = null, version = t.version + 1,
           approved_version = case when t.approved_version = t.version then t.version + 1 else t.approved_version end
      from unnest($1::uuid[], $2::integer[], $3::bigint[]) as wish (id, version, due_at)
     where t.id = wish.id
       and t.version = wish.version
       and t.state = 'scheduled'
    returning t.id, t.version, t.due_at";

/// Cancels tasks that wait and are in the version they were seen in. Those that were cancelled, with their new versions.
pub async fn cancel_all(
    conn: Conn<'_>,
    seen: &[(TaskId, Version)],
) -> Result<Vec<(TaskId, Version)>, StoreError> {
    let rows: Vec<(Uuid, i32)> = match conn {
        Conn::Sqlite(c) => {
            let seen = Json::rows(seen, |(id, version), row| row.uuid(id.0).number(version.0));
            sqlx::query_as(CANCEL_SQLITE).bind(seen).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(CANCEL_POSTGRES)
                .bind(seen.iter().map(|(id, _)| id.0).collect::<Vec<_>>())
                .bind(seen.iter().map(|(_, version)| version.0).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().map(|(id, version)| (TaskId(id), Version(version))).collect())
}

const CANCEL_SQLITE: &str = "
    update task
       set state = 'cancelled', not_before = null, version = task.version + 1,
           approved_version = case when approved_version = task.version then task.version + 1 else approved_version end
      from (select unhex(value ->> 0) as id, value ->> 1 as version from json_each($1)) as seen
     where task.id = seen.id
       and task.version = seen.version
       and +task.state = 'scheduled'
    returning id, version";

const CANCEL_POSTGRES: &str = "
    update task t
       set state = 'cancelled', not_before = null, version = t.version + 1,
           approved_version = case when t.approved_version = t.version then t.version + 1 else t.approved_version end
      from unnest($1::uuid[], $2::integer[]) as seen (id, version)
     where t.id = seen.id
       and t.version = seen.version
       and t.state = 'scheduled'
    returning t.id, t.version";
