//! Query of the feeder: scheduled tasks of the coming window, in order of due time.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::{KindClass, Priority, TaskId, Timestamp, Version};
use uuid::Uuid;

/// A scheduled task, as its hint describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledTask {
    /// Id of the task.
    pub task: TaskId,
    /// Current version.
    pub version: Version,
    /// Due time; it defines the order.
    pub due_at: Timestamp,
    /// Earliest time it may run: its due time, or later if an attempt was postponed.
    pub runs_at: Timestamp,
    /// Priority.
    pub priority: Priority,
    /// Class of its kind.
    pub class: KindClass,
}

/// A position in the order of due times: everything up to and including it has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    due_at: i64,
    id: Uuid,
}

impl Cursor {
    /// Returns the position after all tasks due at that time.
    #[must_use]
    pub fn after(moment: Timestamp) -> Self {
        Self { due_at: moment.millis(), id: Uuid::max() }
    }

    /// Returns the position before all tasks.
    #[must_use]
    pub fn start() -> Self {
        Self { due_at: i64::MIN, id: Uuid::nil() }
    }
}

impl From<&ScheduledTask> for Cursor {
    fn from(task: &ScheduledTask) -> Self {
        Self { due_at: task.due_at.millis(), id: task.task.0 }
    }
}

type Row = (Uuid, i32, i64, String, String, Option<i64>);

/// Returns scheduled tasks after `place` that are due by `until`, earliest first, at most `limit`.
pub async fn page(
    conn: Conn<'_>,
    place: Cursor,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<ScheduledTask>, StoreError> {
    let rows: Vec<Row> = with_conn!(conn, c => sqlx::query_as(
        "select id, version, due_at, kind, priority, not_before
           from task
          where state = 'scheduled'
            and (due_at, id) > ($1, $2)
            and due_at <= $3
          order by due_at, id
          limit $4")
        .bind(place.due_at).bind(place.id).bind(until.millis()).bind(i64::from(limit)).fetch_all(c).await)?;
    rows.into_iter().map(read).collect()
}

/// Returns those of the tasks that are scheduled and due by `until`.
pub async fn find(conn: Conn<'_>, ids: &[Uuid], until: Timestamp) -> Result<Vec<ScheduledTask>, StoreError> {
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(OF_SQLITE)
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .bind(until.millis())
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(OF_POSTGRES).bind(ids).bind(until.millis()).fetch_all(c).await?,
    };
    rows.into_iter().map(read).collect()
}

const OF_SQLITE: &str = "
    select id, version, due_at, kind, priority, not_before
      from task
     where state = 'scheduled'
       and id in (select unhex(value) from jsonb_each($1))
       and due_at <= $2";

const OF_POSTGRES: &str = "
    select id, version, due_at, kind, priority, not_before
      from task
     where state || '' = 'scheduled'
       and id = any($1)
       and due_at <= $2";

fn read((id, version, due_at, kind, priority, not_before): Row) -> Result<ScheduledTask, StoreError> {
    Ok(ScheduledTask {
        task: TaskId(id),
        version: Version(version),
        due_at: Timestamp::from_millis(due_at),
        runs_at: Timestamp::from_millis(not_before.map_or(due_at, |other| other.max(due_at))),
        priority: priority
            .parse()
            .map_err(|odd| StoreError::Corrupt(format!("priority of task {id}: {odd}")))?,
        class: KindClass::of(&kind),
    })
}
