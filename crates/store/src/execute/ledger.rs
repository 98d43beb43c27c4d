//! What a transaction of execution leaves behind: execution rows, events, and the tasks that did not come to their end.

use super::{Claim, Taken, claim, miss::Missed};
use crate::{
    Conn, Line, StoreError, Tx,
    batch::pack,
    event::{self, NewEvent},
    literal::Call,
    point,
};
use domain::{TaskId, Timestamp};
use serde_json::json;
use std::collections::HashMap;

// It tells nobody: commits that tell wait for one another, each for the other's disk, and wake the listeners before whoever waits
// for the commit.
macro_rules! book {
    () => {
        event::logged!(untold
            "insert into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
             select id, version, $16, due_at, hinted_at, moved_at, popped_at, $17, $18
               from unnest($10::uuid[], $11::integer[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[])
                    as entry (id, version, due_at, hinted_at, moved_at, popped_at)"
        )
    };
}

/// Makes `presstime_book(…)` known to a connection to PostgreSQL: execution rows and events.
pub(super) const BOOK_STATEMENT: &str = concat!(
    "prepare presstime_book (bigint[], uuid[], text[], uuid[], text[], text[], text[], integer[], text[], uuid[], integer[],
                             bigint[], bigint[], bigint[], bigint[], text, bigint, bigint) as ",
    book!()
);

/// One execution row.
struct Entry {
    task: Taken,
    hinted_at: Option<i64>,
    moved_at: Option<i64>,
    popped_at: Option<i64>,
}

/// Execution rows and events of one transaction, written at its end.
pub(super) struct Book<'a> {
    node: &'a str,
    started_at: Timestamp,
    at: Timestamp,
    entries: Vec<Entry>,
    /// Events, in the order they are to stand in the log.
    pub log: Vec<NewEvent>,
}

impl<'a> Book<'a> {
    pub fn new(node: &'a str, started_at: Timestamp, at: Timestamp) -> Self {
        Self { node, started_at, at, entries: Vec::new(), log: Vec::new() }
    }

    /// Books what happened. `claims` hold the times of the hints' ways.
    pub fn executed(&mut self, tasks: &[Taken], claims: &[Claim]) {
        let claims: HashMap<TaskId, &Claim> = claims.iter().map(|claim| (claim.task, claim)).collect();
        // Of a crowd all are due at the same moment.
        let (mut due_at, mut due) = (Timestamp::default(), Timestamp::default().to_string());
        for task in tasks {
            if task.due_at != due_at {
                (due_at, due) = (task.due_at, task.due_at.to_string());
            }
            let claim = claims.get(&task.id);
            let millis =
                |of: fn(&Claim) -> Option<Timestamp>| claim.and_then(|c| of(c)).map(Timestamp::millis);
            self.entries.push(Entry {
                task: *task,
                hinted_at: millis(|claim| claim.hinted_at),
                moved_at: millis(|claim| claim.moved_at),
                popped_at: millis(|claim| claim.popped_at),
            });
            // By hand: there may be thousands, and none of it needs a mask.
            let detail = format!(
                r#"{{"due_at":"{due}","kind":"{}","lag_ms":{},"target_id":"{}"}}"#,
                task.kind,
                self.at.since(task.due_at),
                task.target_id
            );
            self.log.push(NewEvent { detail, ..self.event(task, "execute", "executed") });
        }
    }

    /// Books what cannot happen, with the reasons.
    pub fn failed(&mut self, tasks: &[(Taken, &'static str)]) {
        for (task, reason) in tasks {
            let detail = json!({
                "kind": task.kind,
                "target_id": task.target_id,
                "due_at": task.due_at,
                "reason": reason,
            });
            let detail = detail.to_string();
            self.log.push(NewEvent { detail, ..self.event(task, "fail", "failed") });
        }
    }

    /// Books what it is too late for.
    pub fn missed(&mut self, tasks: &[Missed]) {
        for task in tasks {
            self.log.push(task.event(self.at));
        }
    }

    /// Writes everything, and makes all of it true: on PostgreSQL in one message if it is little. An error leaves the outcome
    /// unknown.
    pub async fn commit(self, tx: Tx, claims: &[Claim]) -> Result<(), StoreError> {
        let is_little = claim::are_few(claims) && !self.entries.is_empty();
        let mut tx = match tx {
            Tx::Postgres(line) if is_little => {
                point::pass_with(claims, "execute.booked").await?;
                return Ok(line.end(&format!("{}; commit", self.call())).await?);
            }
            tx => tx,
        };
        self.write(tx.conn()).await?;
        point::pass_with(claims, "execute.booked").await?;
        tx.commit().await
    }

    async fn write(&self, mut conn: Conn<'_>) -> Result<(), StoreError> {
        if self.entries.is_empty() {
            return event::append(conn, &self.log).await;
        }
        match conn.again() {
            Conn::Sqlite(c) => {
                // `or fail`: see the compare-and-set.
                sqlx::query(
                    "insert or fail into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
                     select unhex(value ->> 0), value ->> 1, $2, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $3, $4
                       from jsonb_each($1)",
                )
                .bind(self.packed()?)
                .bind(self.node)
                .bind(self.started_at.millis())
                .bind(self.at.millis())
                .execute(c)
                .await?;
                event::append(conn, &self.log).await
            }
            Conn::Postgres(c) => self.write_postgres(c).await,
        }
    }

    async fn write_postgres(&self, c: &mut Line) -> Result<(), StoreError> {
        event::bind(book!(), &self.log)
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.id.0))))
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.version.0))))
            .bind(Vec::from_iter(self.column(|entry| Some(entry.task.due_at.millis()))))
            .bind(Vec::from_iter(self.column(|entry| entry.hinted_at)))
            .bind(Vec::from_iter(self.column(|entry| entry.moved_at)))
            .bind(Vec::from_iter(self.column(|entry| entry.popped_at)))
            .bind(self.node)
            .bind(self.started_at.millis())
            .bind(self.at.millis())
            .execute(c)
            .await?;
        Ok(())
    }

    /// The statement that writes everything, over a connection that knows [`BOOK_STATEMENT`].
    fn call(&self) -> String {
        event::call(Call::of("presstime_book"), &self.log)
            .plain(self.column(|entry| Some(entry.task.id.0)))
            .plain(self.column(|entry| Some(entry.task.version.0)))
            .plain(self.column(|entry| Some(entry.task.due_at.millis())))
            .plain(self.column(|entry| entry.hinted_at))
            .plain(self.column(|entry| entry.moved_at))
            .plain(self.column(|entry| entry.popped_at))
            .text(self.node)
            .number(self.started_at.millis())
            .number(self.at.millis())
            .sql()
    }

    fn event(&self, task: &Taken, verb: &'static str, to: &'static str) -> NewEvent {
        NewEvent {
            from_state: Some("scheduled"),
            to_state: Some(to),
            version: Some(task.version.0),
            ..NewEvent::plain(self.at, None, "task", task.id.0, verb)
        }
    }

    fn column<T>(&self, of: impl Fn(&Entry) -> Option<T>) -> impl Iterator<Item = Option<T>> {
        self.entries.iter().map(of)
    }

    fn packed(&self) -> Result<String, StoreError> {
        pack(self.entries.iter().map(|Entry { task, hinted_at, moved_at, popped_at }| {
            let (id, due_at) = (task.id.0.simple(), task.due_at.millis());
            (id, task.version.0, due_at, hinted_at, moved_at, popped_at)
        }))
    }
}

/// Writes nothing, so that this connection has both statements ready, and undoes the transaction.
pub(super) async fn rehearse(mut line: Line) -> Result<(), StoreError> {
    let book = Book::new("", Timestamp::default(), Timestamp::default());
    book.write_postgres(&mut line).await?;
    Ok(line.end(&format!("{}; rollback", book.call())).await?)
}

/// Turns what was taken in this transaction and cannot happen into *failed*.
pub(super) async fn fail(conn: Conn<'_>, tasks: &[(Taken, &'static str)]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task
                    set state = 'failed', executed_at = null, reason = dead.reason
                   from (select unhex(value ->> 0) as id, value ->> 1 as reason from jsonb_each($1)) as dead
                  where task.id = dead.id
                    and +task.state = 'executed'",
            )
            .bind(pack(tasks.iter().map(|(task, reason)| (task.id.0.simple(), reason)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task t
                    set state = 'failed', executed_at = null, reason = dead.reason
                   from unnest($1::uuid[], $2::text[]) as dead (id, reason)
                  where t.id = dead.id
                    and t.state = 'executed'",
            )
            .bind(tasks.iter().map(|(task, _)| task.id.0).collect::<Vec<_>>())
            .bind(tasks.iter().map(|(_, reason)| *reason).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Puts what was taken in this transaction back, not to be taken before a moment.
pub(super) async fn put_off(conn: Conn<'_>, tasks: &[(Taken, Timestamp)]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task
                    set state = 'scheduled', executed_at = null, not_before = later.at
                   from (select unhex(value ->> 0) as id, value ->> 1 as at from jsonb_each($1)) as later
                  where task.id = later.id
                    and +task.state = 'executed'",
            )
            .bind(pack(tasks.iter().map(|(task, at)| (task.id.0.simple(), at.millis())))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task t
                    set state = 'scheduled', executed_at = null, not_before = later.at
                   from unnest($1::uuid[], $2::bigint[]) as later (id, at)
                  where t.id = later.id
                    and t.state = 'executed'",
            )
            .bind(tasks.iter().map(|(task, _)| task.id.0).collect::<Vec<_>>())
            .bind(tasks.iter().map(|(_, at)| at.millis()).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
