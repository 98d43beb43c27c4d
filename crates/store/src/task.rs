//! Tasks: how they come to be and how people change them. Execution has its own place.

use crate::{
    Conn, StoreError,
    acked::Said,
    batch::pack,
    db::on,
    event::{self, NewEvent},
};
use domain::{Kind, Lane, PersonId, State, TaskId, Timestamp, Version};
use serde_json::json;
use uuid::Uuid;

/// A task before it stands in SQL: version 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fresh {
    /// Identity.
    pub id: TaskId,
    /// What shall happen.
    pub kind: &'static str,
    /// Milliseconds after its moment within which it still runs.
    pub late_grace: i64,
    /// The key of which only one task may wait, e.g. `publish:ARTICLE`; `None`: any number.
    pub unique_key: Option<String>,
    /// Priority.
    pub lane: Lane,
    /// Shard of its hints.
    pub bucket: u16,
    /// To what.
    pub target_id: Uuid,
    /// The pinned revision; a task that has one is approved.
    pub revision_id: Option<Uuid>,
    /// When.
    pub due_at: Timestamp,
    /// What the person typed.
    pub local: Option<String>,
    /// The zone they typed it in.
    pub zone: Option<String>,
    /// Identity of the request that made several.
    pub request: Option<Uuid>,
    /// Whose it is.
    pub owner: PersonId,
}

/// The key of which only one task may wait.
#[must_use]
pub fn unique_key(kind: Kind, target: Uuid) -> String {
    let verb = match kind {
        Kind::ArticlePublish => "publish",
        Kind::ArticleUnpublish => "unpublish",
    };
    format!("{verb}:{target}")
}

/// The mark of tasks that one request made together.
#[must_use]
pub fn request_mark(request: Uuid) -> String {
    json!({ "request": request }).to_string()
}

const INSERT_SQLITE: &str = "
    insert into task (id, kind, lane, bucket, target_id, revision_id, due_at, local, zone, state, version,
                      approved_version, late_grace, payload, unique_key, owner_id, created_at)
    select unhex(e.value ->> 0), e.value ->> 1, e.value ->> 2, e.value ->> 3, unhex(e.value ->> 4),
           unhex(e.value ->> 5), e.value ->> 6, e.value ->> 7, e.value ->> 8, 'scheduled', 1,
           1, e.value ->> 9, e.value ->> 10, e.value ->> 11, unhex(e.value ->> 12), $2
      from jsonb_each($1) e";

const INSERT_POSTGRES: &str = event::logged!(
    "insert into task (id, kind, lane, bucket, target_id, revision_id, due_at, local, zone, state, version,
                      approved_version, late_grace, payload, unique_key, owner_id, created_at)
    select e.id, e.kind, e.lane, e.bucket, e.target_id, e.revision_id, e.due_at, e.local, e.zone, 'scheduled', 1,
           1, e.late_grace, e.payload, e.unique_key, e.owner_id, $23
      from unnest($10::uuid[], $11::text[], $12::text[], $13::integer[], $14::uuid[], $15::uuid[], $16::bigint[],
                  $17::text[], $18::text[], $19::bigint[], $20::text[], $21::text[], $22::uuid[])
           as e (id, kind, lane, bucket, target_id, revision_id, due_at, local, zone, late_grace, payload,
                 unique_key, owner_id)"
);

/// Stores all of them as *scheduled*, together with lines of the log. Last in the transaction, as [`event::append`]
/// is. [`StoreError::is_taken`]: another one waits with the same key.
pub async fn insert(
    mut conn: Conn<'_>,
    tasks: &[Fresh],
    now: Timestamp,
    log: &[NewEvent],
) -> Result<(), StoreError> {
    match conn.again() {
        Conn::Sqlite(c) => {
            sqlx::query(INSERT_SQLITE).bind(packed(tasks)?).bind(now.millis()).execute(c).await?;
            event::append(conn, log).await
        }
        Conn::Postgres(c) => insert_postgres(c, tasks, now, log).await,
    }
}

fn packed(tasks: &[Fresh]) -> Result<String, StoreError> {
    pack(tasks.iter().map(|t| {
        (
            t.id.0.simple(),
            t.kind,
            t.lane.as_str(),
            t.bucket,
            t.target_id.simple(),
            t.revision_id.map(Uuid::simple),
            t.due_at.millis(),
            &t.local,
            &t.zone,
            t.late_grace,
            t.request.map(request_mark),
            &t.unique_key,
            t.owner.0.simple(),
        )
    }))
}

async fn insert_postgres(
    c: &mut crate::Line,
    tasks: &[Fresh],
    now: Timestamp,
    log: &[NewEvent],
) -> Result<(), StoreError> {
    fn column<'a, T>(tasks: &'a [Fresh], of: impl Fn(&'a Fresh) -> T) -> Vec<T> {
        tasks.iter().map(of).collect()
    }
    event::bind(INSERT_POSTGRES, log)
        .bind(column(tasks, |t| t.id.0))
        .bind(column(tasks, |t| t.kind))
        .bind(column(tasks, |t| t.lane.as_str()))
        .bind(column(tasks, |t| i32::from(t.bucket)))
        .bind(column(tasks, |t| t.target_id))
        .bind(column(tasks, |t| t.revision_id))
        .bind(column(tasks, |t| t.due_at.millis()))
        .bind(column(tasks, |t| t.local.as_deref()))
        .bind(column(tasks, |t| t.zone.as_deref()))
        .bind(column(tasks, |t| t.late_grace))
        .bind(column(tasks, |t| t.request.map(request_mark)))
        .bind(column(tasks, |t| t.unique_key.as_deref()))
        .bind(column(tasks, |t| t.owner.0))
        .bind(now.millis())
        .execute(&mut *c)
        .await?;
    c.say(log.iter().map(Said::from));
    Ok(())
}

/// What a change makes of a task. Whoever approves says so; otherwise an approval that was good stays good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Where it stands.
    pub state: State,
    /// When.
    pub due_at: i64,
    /// What the person typed.
    pub local: Option<String>,
    /// The zone they typed it in.
    pub zone: Option<String>,
    /// The pinned revision.
    pub revision_id: Option<Uuid>,
    /// Whether what is pinned is approved by this.
    pub approves: bool,
    /// Whether it is tried from the beginning: tries, strikes and the reason are forgotten.
    pub starts_over: bool,
}

/// Changes a task that is as the asker saw it. The new version; `None`: it is not in that state and version any more.
/// [`StoreError::is_taken`]: it would wait beside another one with the same key.
pub async fn change(
    conn: Conn<'_>,
    id: TaskId,
    seen: Version,
    from: State,
    to: &Facts,
) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = on!(conn, c => sqlx::query_scalar(
        "update task
            set state = $4, due_at = $5, local = $6, zone = $7, revision_id = $8,
                approved_version = case when $9 = 1 or approved_version = version then version + 1
                                        else approved_version end,
                attempts = case when $10 = 1 then 0 else attempts end,
                strikes = case when $10 = 1 then 0 else strikes end,
                reason = case when $10 = 1 then null else reason end,
                not_before = null,
                version = version + 1
          where id = $1 and version = $2 and state = $3
         returning version")
        .bind(id.0).bind(seen.0).bind(from.as_str())
        .bind(to.state.as_str()).bind(to.due_at).bind(&to.local).bind(&to.zone).bind(to.revision_id)
        .bind(i32::from(to.approves)).bind(i32::from(to.starts_over))
        .fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// What one task is about; `None`: there is no such task.
pub async fn target_of(conn: Conn<'_>, id: TaskId) -> Result<Option<Uuid>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar("select target_id from task where id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Cancels everything of a person that waits, with a reason. What was cancelled: task and its new version.
pub async fn cancel_of(
    conn: Conn<'_>,
    owner: PersonId,
    reason: &str,
) -> Result<Vec<(TaskId, Version)>, StoreError> {
    let rows: Vec<(Uuid, i32)> = on!(conn, c => sqlx::query_as(
        "update task set state = 'cancelled', version = version + 1, reason = $2
          where owner_id = $1 and state = 'scheduled'
         returning id, version")
        .bind(owner.0).bind(reason).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, version)| (TaskId(id), Version(version))).collect())
}

/// Writes a task that happens in this transaction, as *executed* at its moment.
pub async fn insert_executed(conn: Conn<'_>, task: &Fresh) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into task (id, kind, lane, bucket, target_id, revision_id, due_at, state, version, approved_version,
                           late_grace, unique_key, owner_id, executed_at, created_at, attempts)
         values ($1, $2, $3, $4, $5, $6, $7, 'executed', 1, 1, $8, $9, $10, $7, $7, 1)")
        .bind(task.id.0).bind(task.kind).bind(task.lane.as_str()).bind(i32::from(task.bucket))
        .bind(task.target_id).bind(task.revision_id).bind(task.due_at.millis())
        .bind(task.late_grace).bind(&task.unique_key).bind(task.owner.0)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Writes the ledger's row of a task that [`insert_executed`] wrote.
pub async fn insert_execution(conn: Conn<'_>, task: &Fresh, node: &str) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into execution (task_id, version, node, due_at, started_at, executed_at)
         values ($1, 1, $2, $3, $3, $3)")
        .bind(task.id.0).bind(node).bind(task.due_at.millis())
        .execute(c).await.map(drop))?;
    Ok(())
}
