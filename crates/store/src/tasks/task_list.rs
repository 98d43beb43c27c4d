//! Reads tasks for pages and the API: one row type for every list, with title, owner and the last
//! action of a user.

use crate::{Conn, StoreError, approval::is_held, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, Kind, TaskId, Timestamp};
use uuid::Uuid;

row! {
    /// A task with everything a list shows. Words and JSON as stored in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskListRow {
        /// Id of the task.
        pub id: Uuid,
        /// What it does.
        pub kind: String,
        /// What it acts on.
        pub target_id: Uuid,
        /// The pinned revision; `None`: the kind pins none.
        pub revision_id: Option<Uuid>,
        /// Its state, see `domain::State`.
        pub state: String,
        /// Grows with every change.
        pub version: i32,
        /// When it is due, milliseconds.
        pub due_at: i64,
        /// Wall-clock time as the user typed it; `None`: a client gave an instant.
        pub local_time: Option<String>,
        /// Time zone of that time.
        pub time_zone: Option<String>,
        /// `high`, `normal` or `low`.
        pub priority: String,
        /// Shard of its hints.
        pub bucket: i32,
        /// Title of the pinned revision, else of the target.
        pub title: String,
        /// Last part of the target's URL; empty: it has no page.
        pub path: String,
        /// Owner of the task.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// When it was executed, milliseconds.
        pub executed_at: Option<i64>,
        /// Why it failed, was missed or cancelled.
        pub reason: Option<String>,
        /// Whether it was executed, and no other task of its target after it.
        pub is_last_execution: bool,
        /// Whether the target has a newer revision than the pinned one.
        pub has_newer_revision: bool,
        /// Whether it is scheduled and waits for an approval of its revision.
        pub needs_approval: bool,
        /// Verb of the last event by a user.
        pub last_verb: Option<String>,
        /// Time of that event, milliseconds.
        pub last_at: Option<i64>,
        /// Detail of that event, a JSON object: what undo needs.
        pub last_detail: Option<String>,
    }
}

/// Selects [`TaskListRow`]s; `$chosen` selects the rows of `task`.
macro_rules! task_rows {
    ($chosen:expr, $order:expr) => {
        concat!(
            "select t.id, t.kind, t.target_id, t.revision_id, t.state, t.version, t.due_at, t.local_time, t.time_zone, t.priority,
                    t.bucket, coalesce(r.title, g.title, '') as title, coalesce(g.path, '') as path, t.owner_id,
                    coalesce(p.name, '') as owner, t.executed_at, t.reason,
                    case when t.state = 'executed'
                         then not exists (select 1
                                            from task n
                                           where n.target_id = t.target_id and n.executed_at is not null
                                             and (n.executed_at + 0, n.due_at, n.id) > (t.executed_at, t.due_at, t.id))
                         else false end as is_last_execution,
                    coalesce(t.revision_id <> g.revision_id, false) as has_newer_revision,
                    (t.state = 'scheduled' and t.approved_version is distinct from t.version) as needs_approval,
                    u.verb as last_verb, u.at as last_at, u.detail as last_detail
               from (",
            $chosen,
            ") as t
               left join target g on g.id = t.target_id
               left join revision r on r.id = t.revision_id
               left join account p on p.id = t.owner_id
               left join event u
                 on u.seq = (select max(e.seq) from event e where e.entity_id = t.id and e.actor_id is not null)
              order by ",
            $order
        )
    };
}
pub(crate) use task_rows;

/// Returns one task; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: TaskId) -> Result<Option<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!("select * from task where id = $1", "t.id"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the tasks with these ids, in any order.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where id in (select unhex(value) from jsonb_each($1))",
                "t.id"
            ))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!("select * from task where id = any($1)", "t.id"))
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns the tasks that one request created, in the order of creation. The request has the id of
/// its first task.
pub async fn of_request(conn: Conn<'_>, request: Uuid, count: usize) -> Result<Vec<TaskListRow>, StoreError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where id >= $1 and request_id = $1 order by id limit $2", "t.id"))
        .bind(request).bind(count).fetch_all(c).await)?)
}

/// Returns the scheduled tasks with these keys, see [`crate::task::NewTaskRow::unique_key`].
pub async fn waiting_with(conn: Conn<'_>, keys: &[String]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task
                  where state = 'scheduled' and unique_key in (select value from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(encode(keys)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where state = 'scheduled' and unique_key = any($1)",
                "t.due_at, t.id"
            ))
            .bind(keys)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the scheduled tasks of these targets, in due order.
pub async fn waiting_of_targets(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task
                  where +state = 'scheduled' and target_id in (select unhex(value) from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where state || '' = 'scheduled' and target_id = any($1)",
                "t.due_at, t.id"
            ))
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the tasks of these targets that the review holds, in due order: see `is_held!`.
pub async fn held_of_targets(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        _ if targets.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                concat!(
                    "select t.* from task t
                      where t.target_id in (select unhex(value) from jsonb_each($1)) and ",
                    is_held!("t")
                ),
                "t.due_at, t.id"
            ))
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                concat!("select t.* from task t where t.target_id = any($1) and ", is_held!("t")),
                "t.due_at, t.id"
            ))
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the scheduled, failed and missed tasks of these targets, in due order.
pub async fn open_of_targets(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        _ if targets.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task
                  where +state in ('scheduled', 'failed', 'missed')
                    and target_id in (select unhex(value) from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where state || '' in ('scheduled', 'failed', 'missed') and target_id = any($1)",
                "t.due_at, t.id"
            ))
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the last executed task of a target; `None`: there is none.
pub async fn last_executed(conn: Conn<'_>, target: Uuid) -> Result<Option<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where target_id = $1 and state || '' = 'executed' order by executed_at desc, id desc limit 1", "t.id"))
        .bind(target).fetch_optional(c).await)?)
}

/// Returns the scheduled, failed and missed tasks of a target, in due order.
pub async fn open_of_target(conn: Conn<'_>, target: Uuid) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where target_id = $1 and state || '' in ('scheduled', 'failed', 'missed')",
        "t.due_at, t.id"))
        .bind(target).fetch_all(c).await)?)
}

/// Returns the scheduled tasks of an owner, in due order.
pub async fn waiting_of_owner(conn: Conn<'_>, owner: AccountId) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where state = 'scheduled' and owner_id = $1", "t.due_at, t.id"))
        .bind(owner.0).fetch_all(c).await)?)
}

/// Returns scheduled tasks whose wall-clock time is in this zone, by due time and id, beyond those of
/// `after`; at most `limit`.
pub async fn planned_in_zone(
    conn: Conn<'_>,
    zone: &str,
    after: Option<(i64, Uuid)>,
    limit: i64,
) -> Result<Vec<TaskListRow>, StoreError> {
    let (due_at, id) = after.unwrap_or((i64::MIN, Uuid::nil()));
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task
          where state = 'scheduled' and (due_at, id) > ($2, $3) and time_zone = $1 and local_time is not null
          order by due_at, id limit $4",
        "t.due_at, t.id"))
        .bind(zone).bind(due_at).bind(id).bind(limit).fetch_all(c).await)?)
}

row! {
    /// What the page of one task shows besides its row. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskDetails {
        /// Number of the pinned revision.
        pub revision: Option<i32>,
        /// When the task was created.
        pub created_at: i64,
        /// Number of attempts.
        pub attempts: i32,
        /// How late it may still be executed.
        pub grace_ms: i64,
        /// When the hint entered the future set.
        pub hinted_at: Option<i64>,
        /// When the hint was moved to the publish list.
        pub moved_at: Option<i64>,
        /// When a consumer popped the hint.
        pub popped_at: Option<i64>,
        /// When the transaction began; `None`: the task was not executed.
        pub started_at: Option<i64>,
        /// When the transaction executed the task.
        pub ended_at: Option<i64>,
    }
}

/// Returns what the page of one task shows besides its row; `None`: the task does not exist.
pub async fn details(conn: Conn<'_>, id: TaskId) -> Result<Option<TaskDetails>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.number as revision, t.created_at, t.attempts, t.grace_ms,
                x.hinted_at, x.moved_at, x.popped_at, x.started_at, x.executed_at as ended_at
           from task t
           left join revision r on r.id = t.revision_id
           left join execution x on x.task_id = t.id
          where t.id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Whether a task of this kind is scheduled for the target at `before` or earlier.
pub async fn is_scheduled_before(
    conn: Conn<'_>,
    kind: Kind,
    target: Uuid,
    before: Timestamp,
) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from task
          where target_id = $1 and state || '' = 'scheduled' and kind = $3 and due_at <= $2
          limit 1")
        .bind(target).bind(before.millis()).bind(kind.as_str()).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns the name of the desk's time zone; `None`: it was never set.
pub async fn site_time_zone(conn: Conn<'_>) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select value from setting where name = 'time_zone'")
        .fetch_optional(c).await)?)
}
