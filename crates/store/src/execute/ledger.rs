//! What a transaction of execution leaves behind: execution rows, events, and the tasks that did not come to their end.

use super::{Claim, Taken, claim, miss::Missed};
use crate::{
    Conn, Line, StoreError, Tx,
    acked::Said,
    batch::pack,
    event::{self, NewEvent},
    literal::Call,
    point,
};
use domain::{TaskId, Timestamp};
use serde_json::json;
use sqlx::SqliteConnection;
use std::collections::HashMap;

// Columns of the line of the log for each task that happened, and what is the same in all of them.
macro_rules! lines {
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

// Each reads the arrays it needs: rows that both could read would be stored in between. They come in the order of the arrays.
macro_rules! book {
    () => {
        concat!(
            "with booked as (
                 insert into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
                 select id, version, $8, due_at, hinted_at, moved_at, popped_at, $9, $10
                   from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                        as entry (id, version, due_at, hinted_at, moved_at, popped_at))
             insert ",
            lines!(
                "$10", "id", "version", "detail",
                "unnest($1::uuid[], $2::integer[], $7::text[]) as entry (id, version, detail)"
            )
        )
    };
}

/// Makes `presstime_book(…)` known to a connection to PostgreSQL: execution rows and their lines of the log.
pub(super) const BOOK_STATEMENT: &str = concat!(
    "prepare presstime_book (uuid[], integer[], bigint[], bigint[], bigint[], bigint[], text[], text, bigint, bigint) as ",
    book!()
);

/// Makes `presstime_say(…)` known: what else stands in the log.
// Neither tells anybody: commits that tell wait for one another, each for the other's disk, and wake the listeners before whoever
// waits for the commit.
pub(super) const SAY_STATEMENT: &str = concat!(
    "prepare presstime_say (bigint[], uuid[], text[], uuid[], text[], text[], text[], integer[], text[]) as ",
    event::logged!(untold)
);

// `or fail`: see the compare-and-set.
const BOOK_SQLITE: &str = "
    insert or fail into execution (task_id, version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
    select unhex(value ->> 0), value ->> 1, $2, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $3, $4
      from jsonb_each($1)";
const LINES_SQLITE: &str = concat!(
    "insert or fail ",
    lines!("$2", "unhex(value ->> 0)", "value ->> 1", "value ->> 2", "jsonb_each($1)")
);

/// One execution row.
struct Entry {
    task: Taken,
    hinted_at: Option<i64>,
    moved_at: Option<i64>,
    popped_at: Option<i64>,
    /// What its line of the log says.
    detail: String,
}

/// Execution rows and events of one transaction, written at its end.
pub(super) struct Book<'a> {
    node: &'a str,
    started_at: Timestamp,
    at: Timestamp,
    entries: Vec<Entry>,
    /// What is to stand in the log behind the lines of what happened, in this order.
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
            // By hand: there may be thousands, and none of it needs a mask.
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
            self.log.push(NewEvent {
                from_state: Some("scheduled"),
                to_state: Some("failed"),
                version: Some(task.version.0),
                detail,
                ..NewEvent::plain(self.at, None, "task", task.id.0, "fail")
            });
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
            Tx::Postgres(mut line) if is_little => {
                point::pass_with(claims, "execute.booked").await?;
                self.say(&mut line);
                return Ok(line.end(&format!("{}; commit", self.calls())).await?);
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
                self.write_sqlite(c).await?;
                event::append(conn, &self.log).await
            }
            Conn::Postgres(c) => self.write_postgres(c).await,
        }
    }

    async fn write_sqlite(&self, c: &mut SqliteConnection) -> Result<(), StoreError> {
        sqlx::query(BOOK_SQLITE)
            .bind(self.packed()?)
            .bind(self.node)
            .bind(self.started_at.millis())
            .bind(self.at.millis())
            .execute(&mut *c)
            .await?;
        let lines = self.entries.iter();
        let lines = pack(lines.map(|entry| (entry.task.id.0.simple(), entry.task.version.0, &entry.detail)))?;
        sqlx::query(LINES_SQLITE).bind(lines).bind(self.at.millis()).execute(c).await?;
        Ok(())
    }

    async fn write_postgres(&self, c: &mut Line) -> Result<(), StoreError> {
        sqlx::query(book!())
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
            event::bind(event::logged!(untold), &self.log).execute(&mut *c).await?;
        }
        self.say(c);
        Ok(())
    }

    /// Notes what stands in the log with it.
    fn say(&self, line: &mut Line) {
        let done =
            self.entries.iter().map(|Entry { task, .. }| Said::executed(self.at, task.id, task.version.0));
        line.say(done.chain(self.log.iter().map(Said::from)));
    }

    /// The statements that write everything, over a connection that knows [`BOOK_STATEMENT`] and [`SAY_STATEMENT`].
    fn calls(&self) -> String {
        let book = Call::of("presstime_book")
            .plain(self.column(|entry| Some(entry.task.id.0)))
            .plain(self.column(|entry| Some(entry.task.version.0)))
            .plain(self.column(|entry| Some(entry.task.due_at.millis())))
            .plain(self.column(|entry| entry.hinted_at))
            .plain(self.column(|entry| entry.moved_at))
            .plain(self.column(|entry| entry.popped_at))
            .texts(self.entries.iter().map(|entry| Some(entry.detail.as_str())))
            .text(self.node)
            .number(self.started_at.millis())
            .number(self.at.millis())
            .sql();
        if self.log.is_empty() { book } else { format!("{book}; {}", say(&self.log)) }
    }

    fn column<T>(&self, of: impl Fn(&Entry) -> Option<T>) -> impl Iterator<Item = Option<T>> {
        self.entries.iter().map(of)
    }

    fn packed(&self) -> Result<String, StoreError> {
        pack(self.entries.iter().map(|Entry { task, hinted_at, moved_at, popped_at, .. }| {
            let (id, due_at) = (task.id.0.simple(), task.due_at.millis());
            (id, task.version.0, due_at, hinted_at, moved_at, popped_at)
        }))
    }
}

/// The call of [`SAY_STATEMENT`].
fn say(log: &[NewEvent]) -> String {
    event::call(Call::of("presstime_say"), log).sql()
}

/// Writes nothing, so that this connection has all statements ready, and undoes the transaction.
pub(super) async fn rehearse(mut line: Line) -> Result<(), StoreError> {
    let book = Book::new("", Timestamp::default(), Timestamp::default());
    book.write_postgres(&mut line).await?;
    event::bind(event::logged!(untold), &[]).execute(&mut line).await?;
    Ok(line.undo(&format!("{}; {}; rollback", book.calls(), say(&[]))).await?)
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
                    and t.state || '' = 'executed'",
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
