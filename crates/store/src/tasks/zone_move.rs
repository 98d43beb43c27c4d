//! Tasks in local time that newer time-zone data moved; listed until a user dismisses them.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, TaskId, Timestamp};
use uuid::Uuid;

/// Setting: release of the time-zone data of the node that started last.
pub const RELEASE_SETTING: &str = "time_zone_data";

row! {
    /// A scheduled task whose due time a user gave in local time.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LocalTimeTask {
        /// Id of the task.
        pub id: Uuid,
        /// Version.
        pub version: i32,
        /// Due time, milliseconds.
        pub due_at: i64,
        /// Local time as the user entered it.
        pub local_time: String,
        /// Time zone of the local time.
        pub time_zone: String,
        /// Priority.
        pub priority: String,
        /// Bucket of its hints.
        pub bucket: i32,
        /// What it does.
        pub kind: String,
        /// What it acts on.
        pub target_id: Uuid,
    }
}

/// Where a page of [`local_time_tasks`] ended: due time and id.
pub type Cursor = (i64, Uuid);

/// Returns scheduled tasks in local time, from `after` on, at most `limit`.
pub async fn local_time_tasks(
    conn: Conn<'_>,
    after: Option<Cursor>,
    limit: i64,
) -> Result<Vec<LocalTimeTask>, StoreError> {
    let (due_at, id) = after.unwrap_or((i64::MIN, Uuid::nil()));
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, version, due_at, local_time, time_zone, priority, bucket, kind, target_id
           from task
          where state = 'scheduled' and (due_at, id) > ($1, $2) and local_time is not null and time_zone is not null
          order by due_at, id
          limit $3")
        .bind(due_at).bind(id).bind(limit).fetch_all(c).await)?)
}

/// Why a task is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Its local time is another instant now.
    Moved,
    /// Its local time no longer exists; the task runs at the jump.
    Skipped,
    /// Its local time happens twice.
    Doubled,
}

impl Cause {
    /// Returns the stored word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Skipped => "skipped",
            Self::Doubled => "doubled",
        }
    }
}

/// A task to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneMove {
    /// Id of the task.
    pub task: TaskId,
    /// Cause.
    pub cause: Cause,
    /// Local time as the user entered it.
    pub local_time: String,
    /// Time zone of the local time.
    pub time_zone: String,
    /// Due time before.
    pub previous_due_at: Timestamp,
    /// Due time now.
    pub due_at: Timestamp,
}

/// Lists these tasks. For a task that is listed already, the first previous due time stays.
pub async fn record_moves(
    conn: Conn<'_>,
    moves: &[ZoneMove],
    data: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    if moves.is_empty() {
        return Ok(());
    }
    let column = |of: fn(&ZoneMove) -> i64| moves.iter().map(of).collect::<Vec<_>>();
    match conn {
        Conn::Sqlite(c) => {
            let rows = encode(moves.iter().map(|one| {
                let (was, due) = (one.previous_due_at.millis(), one.due_at.millis());
                (one.task.0.simple(), one.cause.as_str(), &one.local_time, &one.time_zone, was, due)
            }))?;
            sqlx::query(LIST_SQLITE).bind(data).bind(now.millis()).bind(rows).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(LIST_POSTGRES)
                .bind(data)
                .bind(now.millis())
                .bind(moves.iter().map(|one| one.task.0).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.cause.as_str()).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.local_time.as_str()).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.time_zone.as_str()).collect::<Vec<_>>())
                .bind(column(|one| one.previous_due_at.millis()))
                .bind(column(|one| one.due_at.millis()))
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

const LIST_SQLITE: &str = "
    insert into zone_move (task_id, tzdata_release, cause, local_time, time_zone, previous_due_at, due_at, found_at)
    select unhex(value ->> 0), $1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2
      from jsonb_each($3)
     where true
        on conflict (task_id) do update
       set tzdata_release = excluded.tzdata_release, cause = excluded.cause, due_at = excluded.due_at,
           found_at = excluded.found_at";

const LIST_POSTGRES: &str = "
    insert into zone_move (task_id, tzdata_release, cause, local_time, time_zone, previous_due_at, due_at, found_at)
    select e.task_id, $1, e.cause, e.local_time, e.time_zone, e.previous_due_at, e.due_at, $2
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
           as e (task_id, cause, local_time, time_zone, previous_due_at, due_at)
        on conflict (task_id) do update
       set tzdata_release = excluded.tzdata_release, cause = excluded.cause, due_at = excluded.due_at,
           found_at = excluded.found_at";

row! {
    /// A listed task.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ZoneMoveRow {
        /// Id of the task.
        pub task_id: Uuid,
        /// Release of the time-zone data.
        pub tzdata_release: String,
        /// Cause, see [`Cause`].
        pub cause: String,
        /// Local time as the user entered it.
        pub local_time: String,
        /// Time zone of the local time.
        pub time_zone: String,
        /// Due time before, milliseconds.
        pub previous_due_at: i64,
        /// Due time by the newer data, milliseconds.
        pub due_at: i64,
        /// Total number of listed tasks.
        pub total: i64,
        /// Number of them that belong to `owner`.
        pub theirs: i64,
    }
}

/// Returns the first `limit` listed tasks. `owner`: only tasks of this account; `None`: all.
pub async fn list_moves(
    conn: Conn<'_>,
    owner: Option<AccountId>,
    limit: i64,
) -> Result<Vec<ZoneMoveRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select m.task_id, m.tzdata_release, m.cause, m.local_time, m.time_zone, m.previous_due_at, m.due_at,
                count(*) over () as total,
                count(case when $1 is null or t.owner_id = $1 then 1 end) over () as theirs
           from zone_move m
           join task t on t.id = m.task_id
          where $1 is null or t.owner_id = $1
          order by m.due_at, m.task_id
          limit $2")
        .bind(owner.map(|owner| owner.0)).bind(limit).fetch_all(c).await)?)
}

/// Removes tasks that were found until then, of this owner if given; returns their ids.
pub async fn dismiss(
    conn: Conn<'_>,
    owner: Option<AccountId>,
    until: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "delete from zone_move
          where found_at <= $2 and task_id in (select id from task where $1 is null or owner_id = $1)
         returning task_id")
        .bind(owner.map(|owner| owner.0)).bind(until.millis()).fetch_all(c).await)?)
}
