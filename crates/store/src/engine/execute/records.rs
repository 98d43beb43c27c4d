//! Writes the results of a transaction of execution: execution rows, events, and the tasks that
//! failed or were postponed.

use super::{Claim, ClaimedTask, claim, expire::ExpiredTask};
use crate::{
    Conn, PgConn, StoreError, Tx,
    commit_log::AckedEvent,
    event::{self, NewEvent},
    failpoint,
    json_rows::encode,
    prepared_call::PreparedCall,
};
use domain::{TaskId, Timestamp};
use serde_json::json;
use sqlx::SqliteConnection;
use std::{borrow::Cow, collections::HashMap};

// Inserts the event of each executed task; the constant columns are literals.
macro_rules! insert_events {
    ($at:literal, $id:literal, $version:literal, $detail:literal, $from:literal) => {
        concat!(
            "into event (at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail)
             select ",
            $at,
            ", 'engine', null, 'task', ",
            $id,
            ", 'execute', 'scheduled', 'executed', ",
            $version,
            ", ",
            $detail,
            " from ",
            $from
        )
    };
}

// Both inserts read the arrays themselves: PostgreSQL would materialize rows that both read. Rows
// keep the order of the arrays.
macro_rules! record {
    () => {
        concat!(
            "with recorded as (
                 insert into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
                 select id, version, $8, due_at, hinted_at, moved_at, popped_at, $9, $10
                   from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                        as entry (id, version, due_at, hinted_at, moved_at, popped_at))
             insert ",
            insert_events!(
                "$10", "id", "version", "detail",
                "unnest($1::uuid[], $2::integer[], $7::text[]) as entry (id, version, detail)"
            )
        )
    };
}

/// Prepares `presstime_record_execution(…)` on a connection to PostgreSQL: execution rows and their
/// events.
pub(super) const RECORD_STATEMENT: &str = concat!(
    "prepare presstime_record_execution (uuid[], integer[], bigint[], bigint[], bigint[], bigint[], text[], text, bigint,
                                         bigint) as ",
    record!()
);

/// Prepares `presstime_append_events(…)`: all other events.
// Neither sends a notification: commits with a notification wait for one another, each for the
// other's disk, and wake the listeners before the client that waits for the commit.
pub(super) const EVENTS_STATEMENT: &str = concat!(
    "prepare presstime_append_events (bigint[], uuid[], text[], uuid[], text[], text[], text[], integer[], text[]) as ",
    event::logged!(silent)
);

// `or fail`: see the compare-and-set in `claim`.
const RECORD_SQLITE: &str = "
    insert or fail into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
    select unhex(value ->> 0), value ->> 1, $2, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $3, $4
      from jsonb_each($1)";
const EVENTS_SQLITE: &str = concat!(
    "insert or fail ",
    insert_events!("$2", "unhex(value ->> 0)", "value ->> 1", "value ->> 2", "jsonb_each($1)")
);

/// One execution row.
struct Entry {
    task: ClaimedTask,
    hinted_at: Option<i64>,
    moved_at: Option<i64>,
    popped_at: Option<i64>,
    /// Detail of its event, a JSON object.
    detail: String,
}

/// Collects the execution rows and events of one transaction, which are written at its end.
pub(super) struct ExecutionRecords<'a> {
    node: &'a str,
    started_at: Timestamp,
    at: Timestamp,
    entries: Vec<Entry>,
    /// Events after those of the executed tasks, in this order.
    pub log: Vec<NewEvent>,
}

impl<'a> ExecutionRecords<'a> {
    pub fn new(node: &'a str, started_at: Timestamp, at: Timestamp) -> Self {
        Self { node, started_at, at, entries: Vec::new(), log: Vec::new() }
    }

    /// Records executed tasks. `claims` hold the times of their hints.
    pub fn executed(&mut self, tasks: &[ClaimedTask], claims: &[Claim]) {
        let claims: HashMap<TaskId, &Claim> = claims.iter().map(|claim| (claim.task, claim)).collect();
        // In a burst all tasks are due at the same moment.
        let (mut due_at, mut due) = (Timestamp::default(), Timestamp::default().to_string());
        for task in tasks {
            if task.due_at != due_at {
                (due_at, due) = (task.due_at, task.due_at.to_string());
            }
            let claim = claims.get(&task.id);
            let millis =
                |of: fn(&Claim) -> Option<Timestamp>| claim.and_then(|c| of(c)).map(Timestamp::millis);
            // Formatted by hand: there may be thousands, and no value needs escaping.
            let detail = format!(
                r#"{{"due_at":"{due}","kind":"{}","lag_ms":{},"target_id":"{}"}}"#,
                task.kind,
                self.at.since(task.due_at),
                task.target_id
            );
            self.entries.push(Entry {
                task: *task,
                hinted_at: millis(|claim| claim.hinted_at),
                moved_at: millis(|claim| claim.moved_at),
                popped_at: millis(|claim| claim.popped_at),
                detail,
            });
        }
    }

    /// Records failed tasks with their reasons.
    pub fn failed(&mut self, tasks: &[(ClaimedTask, Cow<'static, str>)]) {
        for (task, reason) in tasks {
            let detail = json!({
                "kind": task.kind,
                "target_id": task.target_id,
                "due_at": task.due_at,
                "reason": reason,
            });
            let detail = detail.to_string();
            self.log.push(NewEvent {
                from_state: Some("scheduled"),
                to_state: Some("failed"),
                version: Some(task.version.0),
                detail,
                ..NewEvent::simple(self.at, None, "task", task.id.0, "fail")
            });
        }
    }

    /// Records missed tasks.
    pub fn missed(&mut self, tasks: &[ExpiredTask]) {
        for task in tasks {
            self.log.push(task.event(self.at));
        }
    }

    /// Writes everything and commits; on PostgreSQL in one message if there are few tasks. After an
    /// error the outcome is unknown.
    pub async fn commit(self, tx: Tx, claims: &[Claim]) -> Result<(), StoreError> {
        let is_small = claim::are_few(claims) && !self.entries.is_empty();
        let mut tx = match tx {
            Tx::Postgres(mut line) if is_small => {
                failpoint::hit_for(claims, "execute.recorded").await?;
                self.remember_events(&mut line);
                return Ok(line.end_with(&format!("{}; commit", self.calls())).await?);
            }
            tx => tx,
        };
        self.write(tx.conn()).await?;
        failpoint::hit_for(claims, "execute.recorded").await?;
        tx.commit().await
    }

    async fn write(&self, mut conn: Conn<'_>) -> Result<(), StoreError> {
        if self.entries.is_empty() {
            return event::append(conn, &self.log).await;
        }
        match conn.reborrow() {
            Conn::Sqlite(c) => {
                self.write_sqlite(c).await?;
                event::append(conn, &self.log).await
            }
            Conn::Postgres(c) => self.write_postgres(c).await,
        }
    }

    async fn write_sqlite(&self, c: &mut SqliteConnection) -> Result<(), StoreError> {
        sqlx::query(RECORD_SQLITE)
            .bind(self.packed()?)
            .bind(self.node)
            .bind(self.started_at.millis())
            .bind(self.at.millis())
            .execute(&mut *c)
            .await?;
        let lines = self.entries.iter();
        let lines =
            encode(lines.map(|entry| (entry.task.id.0.simple(), entry.task.version.0, &entry.detail)))?;
        sqlx::query(EVENTS_SQLITE).bind(lines).bind(self.at.millis()).execute(c).await?;
        Ok(())
    }

    async fn write_postgres(&self, c: &mut PgConn) -> Result<(), StoreError> {
        sqlx::query(record!())
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.id.0))))
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.version.0))))
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.due_at.millis()))))
            .bind(Vec::from_iter(self.column(|entry| entry.hinted_at)))
            .bind(Vec::from_iter(self.column(|entry| entry.moved_at)))
            .bind(Vec::from_iter(self.column(|entry| entry.popped_at)))
            .bind(Vec::from_iter(self.entries.iter().map(|entry| entry.detail.as_str())))
            .bind(self.node)
            .bind(self.started_at.millis())
            .bind(self.at.millis())
            .execute(&mut *c)
            .await?;
        if !self.log.is_empty() {
            event::bind(event::logged!(silent), &self.log).execute(&mut *c).await?;
        }
        self.remember_events(c);
        Ok(())
    }

    /// Remembers the events as acknowledged once the connection commits.
    fn remember_events(&self, line: &mut PgConn) {
        let done = self
            .entries
            .iter()
            .map(|Entry { task, .. }| AckedEvent::executed(self.at, task.id, task.version.0));
        line.record_events(done.chain(self.log.iter().map(AckedEvent::from)));
    }

    /// The statements that write everything, over a connection that has prepared
    /// [`RECORD_STATEMENT`] and [`EVENTS_STATEMENT`].
    fn calls(&self) -> String {
        let records = PreparedCall::new("presstime_record_execution")
            .array(self.column(|entry| Some(entry.task.id.0)))
            .array(self.column(|entry| Some(entry.task.version.0)))
            .array(self.column(|entry| Some(entry.task.due_at.millis())))
            .array(self.column(|entry| entry.hinted_at))
            .array(self.column(|entry| entry.moved_at))
            .array(self.column(|entry| entry.popped_at))
            .text_array(self.entries.iter().map(|entry| Some(entry.detail.as_str())))
            .text(self.node)
            .number(self.started_at.millis())
            .number(self.at.millis())
            .sql();
        if self.log.is_empty() { records } else { format!("{records}; {}", events_call(&self.log)) }
    }

    fn column<T>(&self, of: impl Fn(&Entry) -> Option<T>) -> impl Iterator<Item = Option<T>> {
        self.entries.iter().map(of)
    }

    fn packed(&self) -> Result<String, StoreError> {
        encode(self.entries.iter().map(|Entry { task, hinted_at, moved_at, popped_at, .. }| {
            let (id, due_at) = (task.id.0.simple(), task.due_at.millis());
            (id, task.version.0, due_at, hinted_at, moved_at, popped_at)
        }))
    }
}

/// The call of [`EVENTS_STATEMENT`].
fn events_call(log: &[NewEvent]) -> String {
    event::bind_call(PreparedCall::new("presstime_append_events"), log).sql()
}

/// Runs all statements without rows, so that this connection has them prepared, and rolls back.
pub(super) async fn warm_up(mut line: PgConn) -> Result<(), StoreError> {
    let records = ExecutionRecords::new("", Timestamp::default(), Timestamp::default());
    records.write_postgres(&mut line).await?;
    event::bind(event::logged!(silent), &[]).execute(&mut line).await?;
    Ok(line.rollback_with(&format!("{}; {}; rollback", records.calls(), events_call(&[]))).await?)
}

/// Marks claimed tasks of this transaction as failed.
pub(super) async fn fail(
    conn: Conn<'_>,
    tasks: &[(ClaimedTask, Cow<'static, str>)],
) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task
                    set state = 'failed', executed_at = null, reason = failed.reason
                   from (select unhex(value ->> 0) as id, value ->> 1 as reason from jsonb_each($1)) as failed
                  where task.id = failed.id
                    and +task.state = 'executed'",
            )
            .bind(encode(tasks.iter().map(|(task, reason)| (task.id.0.simple(), reason)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task t
                    set state = 'failed', executed_at = null, reason = failed.reason
                   from unnest($1::uuid[], $2::text[]) as failed (id, reason)
                  where t.id = failed.id
                    and t.state || '' = 'executed'",
            )
            .bind(tasks.iter().map(|(task, _)| task.id.0).collect::<Vec<_>>())
            .bind(tasks.iter().map(|(_, reason)| reason.as_ref()).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Reschedules claimed tasks of this transaction; they are not claimed again before the given
/// moments.
pub(super) async fn postpone(conn: Conn<'_>, tasks: &[(ClaimedTask, Timestamp)]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task
                    set state = 'scheduled', executed_at = null, not_before = later.at
                   from (select unhex(value ->> 0) as id, value ->> 1 as at from jsonb_each($1)) as later
                  where task.id = later.id
                    and +task.state = 'executed'",
            )
            .bind(encode(tasks.iter().map(|(task, at)| (task.id.0.simple(), at.millis())))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task t
                    set state = 'scheduled', executed_at = null, not_before = later.at
                   from unnest($1::uuid[], $2::bigint[]) as later (id, at)
                  where t.id = later.id
                    and t.state || '' = 'executed'",
            )
            .bind(tasks.iter().map(|(task, _)| task.id.0).collect::<Vec<_>>())
            .bind(tasks.iter().map(|(_, at)| at.millis()).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
