//! Gives a task its previous schedule again after a failed "publish now".

use crate::{
    Conn, StoreError,
    db::with_conn,
    event::{self, NewEvent},
    json_rows::encode,
};
use domain::{Hint, KindClass, TaskId, Timestamp, Version};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// The previous schedule, from the event of the "publish now".
#[derive(Debug, Deserialize)]
struct PreviousSchedule {
    /// Due time that "publish now" set.
    due_at: Timestamp,
    was_due_at: Timestamp,
    was_local: Option<String>,
    was_zone: Option<String>,
    was_revision_id: Option<Uuid>,
}

/// A task that failed or was missed in this transaction: id, version, due time, priority, kind, bucket,
/// state, reason, detail of the last event by a user.
type EndedTask = (Uuid, i32, i64, String, String, i32, String, Option<String>, String);

// `|| ''`: look rows up by id and not by state.
macro_rules! ended {
    ($ids:literal) => {
        concat!(
            "select t.id, t.version, t.due_at, t.priority, t.kind, t.bucket, t.state, t.reason, e.detail
               from task t
               join event e
                 on e.seq = (select max(v.seq) from event v where v.entity_id = t.id and v.actor_id is not null)
              where ",
            $ids,
            "   and t.state || '' in ('failed', 'missed') and e.verb = 'publish_now'"
        )
    };
}

/// Reschedules those of the tasks that a user had moved to now and whose previous due time is still
/// ahead. All of them failed or were missed in this transaction. Returns their events, to be
/// appended after those of the failures, and their hints.
pub(super) async fn restore_all(
    mut conn: Conn<'_>,
    tasks: &[TaskId],
    now: Timestamp,
) -> Result<(Vec<NewEvent>, Vec<Hint>), StoreError> {
    let (mut events, mut hints) = (Vec::new(), Vec::new());
    if tasks.is_empty() {
        return Ok((events, hints));
    }
    for row in ended_tasks(conn.reborrow(), tasks).await? {
        let Some(previous) = previous_schedule(&row, now) else { continue };
        let (id, version, _, priority, kind, bucket, state, reason, _) = row;
        let version = reschedule(conn.reborrow(), id, version, &previous).await?;
        record_failure(conn.reborrow(), id, version, now).await?;
        let detail = json!({"due_at": previous.was_due_at, "was_due_at": previous.due_at, "reason": reason});
        events.push(NewEvent {
            from_state: Some(if state == "failed" { "failed" } else { "missed" }),
            to_state: Some("scheduled"),
            version: Some(version),
            detail: detail.to_string(),
            ..NewEvent::simple(now, None, "task", id, "restore_schedule")
        });
        hints.push(Hint {
            task: TaskId(id),
            version: Version(version),
            due_at: previous.was_due_at,
            priority: priority
                .parse()
                .map_err(|_| StoreError::Corrupt(format!("a task with the priority {priority:?}")))?,
            class: KindClass::of(&kind),
            bucket: u16::try_from(bucket).unwrap_or(0),
        });
    }
    Ok((events, hints))
}

/// Does the same for one task and appends its event. Returns its hint; `None`: it is not
/// rescheduled.
pub(super) async fn restore(
    mut conn: Conn<'_>,
    task: TaskId,
    now: Timestamp,
) -> Result<Option<Hint>, StoreError> {
    let (events, hints) = restore_all(conn.reborrow(), &[task], now).await?;
    event::append(conn, &events).await?;
    Ok(hints.into_iter().next())
}

/// Returns the previous schedule if its due time is ahead and the task still has the due time that
/// "publish now" set.
fn previous_schedule(row: &EndedTask, now: Timestamp) -> Option<PreviousSchedule> {
    let previous: PreviousSchedule = serde_json::from_str(&row.8).ok()?;
    (previous.was_due_at > now && previous.due_at.millis() == row.2).then_some(previous)
}

async fn ended_tasks(conn: Conn<'_>, tasks: &[TaskId]) -> Result<Vec<EndedTask>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(ended!("t.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(tasks.iter().map(|task| task.0.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(ended!("t.id = any($1::uuid[])"))
                .bind(tasks.iter().map(|task| task.0).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    })
}

/// Reschedules a task and returns its new version. The reason stays until the task is changed or
/// executed.
async fn reschedule(
    conn: Conn<'_>,
    id: Uuid,
    version: i32,
    previous: &PreviousSchedule,
) -> Result<i32, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update task
            set state = 'scheduled', due_at = $3, local_time = $4, time_zone = $5, revision_id = $6,
                approved_version = case when approved_version = version then version + 1 else approved_version end,
                attempts = 0, crash_count = 0, not_before = null, executed_at = null,
                version = version + 1
          where id = $1 and version = $2 and state || '' in ('failed', 'missed')
         returning version")
        .bind(id).bind(version).bind(previous.was_due_at.millis())
        .bind(&previous.was_local).bind(&previous.was_zone).bind(previous.was_revision_id)
        .fetch_optional(c).await)?;
    version.ok_or_else(|| StoreError::Corrupt("a task changed in the transaction that ended it".to_owned()))
}

/// Lists the task on Attention.
async fn record_failure(conn: Conn<'_>, id: Uuid, version: i32, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into failed_publish_now (task_id, version, failed_at) values ($1, $2, $3)
             on conflict (task_id) do update set version = excluded.version, failed_at = excluded.failed_at")
        .bind(id).bind(version).bind(now.millis()).execute(c).await.map(drop))?;
    Ok(())
}
