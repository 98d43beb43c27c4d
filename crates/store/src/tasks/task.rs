//! Creates tasks and changes them for users. [`crate::execute`] executes them.

use crate::{
    Conn, StoreError,
    approval::is_approved,
    commit_log::AckedEvent,
    db::with_conn,
    event::{self, NewEvent},
    json_rows::{column, encode},
};
use domain::{AccountId, Hint, KindClass, Priority, State, TaskId, Timestamp, Version};
use std::collections::HashSet;
use uuid::Uuid;

/// A task before it is stored; it gets version 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTaskRow {
    /// Id of the task.
    pub id: TaskId,
    /// What it does.
    pub kind: &'static str,
    /// How late it may still be executed, milliseconds.
    pub grace_ms: i64,
    /// At most one scheduled task may have this key, e.g. `publish:ARTICLE`; `None`: no such limit.
    pub unique_key: Option<String>,
    /// Order among due tasks.
    pub priority: Priority,
    /// Shard of its hints.
    pub bucket: u16,
    /// What it acts on.
    pub target_id: Uuid,
    /// The pinned revision. The task is approved unless the revision needs an approval first.
    pub revision_id: Option<Uuid>,
    /// When it is due.
    pub due_at: Timestamp,
    /// Wall-clock time as the user typed it.
    pub local_time: Option<String>,
    /// Time zone of that time.
    pub time_zone: Option<String>,
    /// The request that created several tasks; `None`: it created one.
    pub request_id: Option<Uuid>,
    /// Owner of the task.
    pub owner: AccountId,
}

impl NewTaskRow {
    /// Its hint.
    #[must_use]
    pub fn hint(&self) -> Hint {
        Hint {
            task: self.id,
            version: Version::FIRST,
            due_at: self.due_at,
            priority: self.priority,
            class: KindClass::of(self.kind),
            bucket: self.bucket,
        }
    }
}

const INSERT_SQLITE: &str = concat!("
    insert into task (id, kind, priority, bucket, target_id, revision_id, due_at, local_time, time_zone, state, version,
                      approved_version, grace_ms, request_id, unique_key, owner_id, created_at)
    select unhex(e.value ->> 0), e.value ->> 1, e.value ->> 2, e.value ->> 3, unhex(e.value ->> 4),
           unhex(e.value ->> 5), e.value ->> 6, e.value ->> 7, e.value ->> 8, 'scheduled', 1,
           case when ", is_approved!("unhex(e.value ->> 5)"), " then 1 end,
           coalesce((select k.grace_ms from kind_limit k where k.kind = e.value ->> 1), e.value ->> 9), unhex(e.value ->> 10), e.value ->> 11, unhex(e.value ->> 12), $2
      from jsonb_each($1) e");

// The ids are in a subquery, so that PostgreSQL does not know their number: otherwise it would make a new plan
// for each call (measured: 0.3 ms of 0.9).
const INSERT_POSTGRES: &str = event::logged!(sql concat!(
    "insert into task (id, kind, priority, bucket, target_id, revision_id, due_at, local_time, time_zone, state, version,
                      approved_version, grace_ms, request_id, unique_key, owner_id, created_at)
    select e.id, e.kind, e.priority, e.bucket, e.target_id, e.revision_id, e.due_at, e.local_time, e.time_zone, 'scheduled', 1,
           case when ", is_approved!("e.revision_id"), " then 1 end,
           coalesce((select k.grace_ms from kind_limit k where k.kind = e.kind), e.grace_ms), e.request_id, e.unique_key, e.owner_id, $23
      from unnest((select $10::uuid[]), $11::text[], $12::text[], $13::integer[], $14::uuid[], $15::uuid[], $16::bigint[],
                  $17::text[], $18::text[], $19::bigint[], $20::uuid[], $21::text[], $22::uuid[])
           as e (id, kind, priority, bucket, target_id, revision_id, due_at, local_time, time_zone, grace_ms, request_id,
                 unique_key, owner_id)"
));

/// Stores all of them as *scheduled*, together with events. The grace that an admin has set for a kind takes the
/// place of its own. Must be the last call in the
/// transaction, see [`event::append`]. [`StoreError::is_unique_violation`]: another scheduled task has the
/// same unique key.
pub async fn insert(
    mut conn: Conn<'_>,
    tasks: &[NewTaskRow],
    now: Timestamp,
    log: &[NewEvent],
) -> Result<(), StoreError> {
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query(INSERT_SQLITE).bind(packed(tasks)?).bind(now.millis()).execute(c).await?;
            event::append(conn, log).await
        }
        Conn::Postgres(c) => insert_postgres(c, tasks, now, log).await,
    }
}

fn packed(tasks: &[NewTaskRow]) -> Result<String, StoreError> {
    encode(tasks.iter().map(|t| {
        (
            t.id.0.simple(),
            t.kind,
            t.priority.as_str(),
            t.bucket,
            t.target_id.simple(),
            t.revision_id.map(Uuid::simple),
            t.due_at.millis(),
            &t.local_time,
            &t.time_zone,
            t.grace_ms,
            t.request_id.map(Uuid::simple),
            &t.unique_key,
            t.owner.0.simple(),
        )
    }))
}

async fn insert_postgres(
    c: &mut crate::PgConn,
    tasks: &[NewTaskRow],
    now: Timestamp,
    log: &[NewEvent],
) -> Result<(), StoreError> {
    event::bind(INSERT_POSTGRES, log)
        .bind(column(tasks, |t| t.id.0))
        .bind(column(tasks, |t| t.kind))
        .bind(column(tasks, |t| t.priority.as_str()))
        .bind(column(tasks, |t| i32::from(t.bucket)))
        .bind(column(tasks, |t| t.target_id))
        .bind(column(tasks, |t| t.revision_id))
        .bind(column(tasks, |t| t.due_at.millis()))
        .bind(column(tasks, |t| t.local_time.as_deref()))
        .bind(column(tasks, |t| t.time_zone.as_deref()))
        .bind(column(tasks, |t| t.grace_ms))
        .bind(column(tasks, |t| t.request_id))
        .bind(column(tasks, |t| t.unique_key.as_deref()))
        .bind(column(tasks, |t| t.owner.0))
        .bind(now.millis())
        .execute(&mut *c)
        .await?;
    c.record_events(log.iter().map(AckedEvent::from));
    Ok(())
}

/// New values of a task. Unless `approves` is set, a valid approval stays valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskUpdate {
    /// New state.
    pub state: State,
    /// When it is due, milliseconds.
    pub due_at: i64,
    /// Wall-clock time as the user typed it.
    pub local_time: Option<String>,
    /// Time zone of that time.
    pub time_zone: Option<String>,
    /// The pinned revision.
    pub revision_id: Option<Uuid>,
    /// Whether this change approves the pinned revision.
    pub approves: bool,
    /// Whether attempts, crash count and reason are reset.
    pub resets_attempts: bool,
    /// Why it failed or was missed, if it is so again; `None`: unchanged.
    pub reason: Option<String>,
}

/// Changes a task that is still in the seen version and state. Returns the new version; `None`: the
/// task was changed meanwhile. [`StoreError::is_unique_violation`]: another scheduled task has the same unique
/// key.
pub async fn change(
    conn: Conn<'_>,
    id: TaskId,
    seen: Version,
    from: State,
    to: &TaskUpdate,
) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(concat!(
        "update task
            set state = $4, due_at = $5, local_time = $6, time_zone = $7, revision_id = $8,
                approved_version = case when not ", is_approved!("$8"), " then null
                                        when $9 = 1 or approved_version = version then version + 1
                                        else approved_version end,
                attempts = case when $10 = 1 then 0 else attempts end,
                crash_count = case when $10 = 1 then 0 else crash_count end,
                reason = case when $10 = 1 or $3 = 'scheduled' then null else coalesce($11, reason) end,
                not_before = null,
                version = version + 1
          where id = $1 and version = $2 and state = $3
         returning version"))
        .bind(id.0).bind(seen.0).bind(from.as_str())
        .bind(to.state.as_str()).bind(to.due_at).bind(&to.local_time).bind(&to.time_zone).bind(to.revision_id)
        .bind(i32::from(to.approves)).bind(i32::from(to.resets_attempts)).bind(&to.reason)
        .fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// A change of a scheduled task that pins no revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpinnedChange {
    /// The task.
    pub id: TaskId,
    /// The version that was seen.
    pub seen: Version,
    /// *Scheduled* or *cancelled*.
    pub state: State,
    /// When it is due.
    pub due_at: Timestamp,
}

/// Changes scheduled tasks that are still in their seen versions and pin no revision, like [`change`]. Returns
/// those that were changed: each has its next version.
pub async fn change_unpinned(
    conn: Conn<'_>,
    changes: &[UnpinnedChange],
) -> Result<HashSet<Uuid>, StoreError> {
    macro_rules! change {
        ($rows:literal) => {
            concat!(
                "update task
                    set state = n.state, due_at = n.due_at, reason = null, not_before = null,
                        approved_version = case when approved_version = version then version + 1
                                                else approved_version end,
                        version = version + 1
                   from (",
                $rows,
                ") as n
                  where task.id = n.id and task.version = n.seen and task.state || '' = 'scheduled'
                    and task.revision_id is null
                 returning task.id"
            )
        };
    }
    let changed: Vec<Uuid> = match conn {
        _ if changes.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(change!(
                "select unhex(value ->> 0) as id, value ->> 1 as seen, value ->> 2 as state, value ->> 3 as due_at
                   from jsonb_each($1)"
            ))
            .bind(encode(changes.iter().map(|one| {
                (one.id.0.simple(), one.seen.0, one.state.as_str(), one.due_at.millis())
            }))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(change!(
                "select * from unnest($1::uuid[], $2::integer[], $3::text[], $4::bigint[])
                     as u (id, seen, state, due_at)"
            ))
            .bind(column(changes, |one| one.id.0))
            .bind(column(changes, |one| one.seen.0))
            .bind(column(changes, |one| one.state.as_str()))
            .bind(column(changes, |one| one.due_at.millis()))
            .fetch_all(c)
            .await?
        }
    };
    Ok(changed.into_iter().collect())
}

/// Returns the target of a task; `None`: the task does not exist.
pub async fn target_of(conn: Conn<'_>, id: TaskId) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select target_id from task where id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Stores a task that is executed in this transaction, as *executed* at its due time.
pub async fn insert_executed(conn: Conn<'_>, task: &NewTaskRow) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into task (id, kind, priority, bucket, target_id, revision_id, due_at, state, version, approved_version,
                           grace_ms, unique_key, owner_id, executed_at, created_at, attempts)
         values ($1, $2, $3, $4, $5, $6, $7, 'executed', 1, 1, $8, $9, $10, $7, $7, 1)")
        .bind(task.id.0).bind(task.kind).bind(task.priority.as_str()).bind(i32::from(task.bucket))
        .bind(task.target_id).bind(task.revision_id).bind(task.due_at.millis())
        .bind(task.grace_ms).bind(&task.unique_key).bind(task.owner.0)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the execution row of a task that [`insert_executed`] stored.
pub async fn insert_execution(conn: Conn<'_>, task: &NewTaskRow, node: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into execution (task_id, version, node, due_at, started_at, executed_at)
         values ($1, 1, $2, $3, $3, $3)")
        .bind(task.id.0).bind(node).bind(task.due_at.millis())
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the execution rows of tasks that [`insert_all_executed`] stored.
pub async fn insert_all_executions(
    conn: Conn<'_>,
    tasks: &[NewTaskRow],
    node: &str,
) -> Result<(), StoreError> {
    macro_rules! insert {
        ($which:literal) => {
            concat!(
                "insert into execution (task_id, version, node, due_at, started_at, executed_at)
                 select id, 1, $2, due_at, executed_at, executed_at from task where id ",
                $which
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(insert!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(tasks.iter().map(|task| task.id.0.simple()))?)
                .bind(node)
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(insert!("= any($1)"))
                .bind(column(tasks, |task| task.id.0))
                .bind(node)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Stores tasks that are executed in this transaction with another one, as *executed* at `at`.
pub async fn insert_all_executed(
    conn: Conn<'_>,
    tasks: &[NewTaskRow],
    at: Timestamp,
) -> Result<(), StoreError> {
    match conn {
        _ if tasks.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into task (id, kind, priority, bucket, target_id, revision_id, due_at, state, version, approved_version,
                                   grace_ms, owner_id, executed_at, created_at, attempts)
                 select unhex(e.value ->> 0), e.value ->> 1, e.value ->> 2, e.value ->> 3, unhex(e.value ->> 4),
                        unhex(e.value ->> 5), e.value ->> 6, 'executed', 1, 1, e.value ->> 9, unhex(e.value ->> 12), $2, $2, 1
                   from jsonb_each($1) e",
            )
            .bind(packed(tasks)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into task (id, kind, priority, bucket, target_id, revision_id, due_at, state, version, approved_version,
                                   grace_ms, owner_id, executed_at, created_at, attempts)
                 select e.id, e.kind, e.priority, e.bucket, e.target_id, e.revision_id, e.due_at, 'executed', 1, 1, e.grace_ms,
                        e.owner_id, $10, $10, 1
                   from unnest($1::uuid[], $2::text[], $3::text[], $4::integer[], $5::uuid[], $6::uuid[], $7::bigint[],
                               $8::bigint[], $9::uuid[])
                        as e (id, kind, priority, bucket, target_id, revision_id, due_at, grace_ms, owner_id)",
            )
            .bind(column(tasks, |t| t.id.0))
            .bind(column(tasks, |t| t.kind))
            .bind(column(tasks, |t| t.priority.as_str()))
            .bind(column(tasks, |t| i32::from(t.bucket)))
            .bind(column(tasks, |t| t.target_id))
            .bind(column(tasks, |t| t.revision_id))
            .bind(column(tasks, |t| t.due_at.millis()))
            .bind(column(tasks, |t| t.grace_ms))
            .bind(column(tasks, |t| t.owner.0))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
