//! Finds overdue tasks of targets for which a task has just been executed. They are executed in the
//! same transaction, so that readers see only the last state, whichever hints the batch contains.

use super::{Claim, Limit, claim::TimeBounds};
use crate::{Conn, StoreError, json_rows::encode};
use domain::State;
use uuid::Uuid;

/// Maximum number of tasks that are added per round.
const MAX_TASKS: i64 = 500;

/// Returns the due tasks of these targets in due order, without kinds that have a limit
/// and without tasks that were in flight when a node died.
pub(super) async fn due_tasks(
    conn: Conn<'_>,
    targets: &[Uuid],
    bounds: TimeBounds,
    limits: &[Limit],
) -> Result<Vec<Claim>, StoreError> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let is_unlimited = |kind: &&&str| !limits.iter().any(|limit| limit.kind == **kind);
    let kinds: Vec<&str> = bounds.kinds.iter().filter(is_unlimited).copied().collect();
    let rows: Vec<(Uuid, i32, String, String, i32)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, version, kind, priority, bucket
                   from task indexed by task_target
                  where target_id in (select unhex(value) from jsonb_each($1))
                    and state = 'scheduled'
                    and due_at <= $2
                    and crash_count = 0
                    and kind in (select value from jsonb_each($3))
                  order by due_at, id
                  limit $4",
            )
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .bind(bounds.now.millis())
            .bind(encode(kinds)?)
            .bind(MAX_TASKS)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, version, kind, priority, bucket
                   from task
                  where target_id = any($1::uuid[])
                    and state = $5
                    and due_at <= $2
                    and crash_count = 0
                    and kind = any($3::text[])
                  order by due_at, id
                  limit $4",
            )
            .bind(targets)
            .bind(bounds.now.millis())
            .bind(kinds)
            .bind(MAX_TASKS)
            .bind(State::Scheduled.as_str())
            .fetch_all(c)
            .await?
        }
    };
    rows.iter()
        .map(|(id, version, kind, priority, bucket)| Claim::found((*id, *version, kind, priority, *bucket)))
        .collect()
}
