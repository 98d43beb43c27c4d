//! What must agree, and what may be forgotten.

use crate::{Conn, Store, StoreError, db::on, sheet::Span};
use domain::Timestamp;

/// What an audit of executions found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Audit {
    /// Execution rows that were looked at.
    pub rows: u64,
    /// Executed tasks without an execution row.
    pub without_row: u64,
    /// Execution rows whose task is not executed.
    pub without_task: u64,
    /// Execution rows of before their moment.
    pub early: u64,
    /// Execution rows of which the log tells more than once.
    pub twice: u64,
}

impl Audit {
    /// Whether all that must agree does.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self { rows: self.rows, ..Self::default() }
    }
}

/// Compares what was executed in a time, for SQLite; `$row` and `$task` say more of the rows of the ledger and of the tasks that
/// count.
///
/// The partner of a row is looked for in the same time, so that the whole of a large table is never read for it. `+ 0`: what was
/// executed in one batch has one moment, to be joined by that would compare each of it with each.
macro_rules! ledger {
    ($row:expr, $task:expr) => {
        concat!(
            "select (select count(*) from execution e where e.executed_at >= $1 and e.executed_at < $2",
            $row,
            "),
                    (select count(*)
                       from task t
                      where t.executed_at >= $1
                        and t.executed_at < $2
                        and not exists (select 1
                                          from execution e
                                         where e.task_id = t.id
                                           and e.version = t.version
                                           and e.executed_at + 0 = t.executed_at
                                           and e.executed_at >= $1
                                           and e.executed_at < $2)",
            $task,
            "),
                    (select count(*)
                       from execution e
                      where e.executed_at >= $1
                        and e.executed_at < $2
                        and not exists (select 1
                                          from task t
                                         where t.id = e.task_id
                                           and t.state = 'executed'
                                           and t.executed_at >= $1
                                           and t.executed_at < $2)",
            $row,
            "),
                    (select count(*)
                       from execution e
                      where e.executed_at >= $1
                        and e.executed_at < $2
                        and e.executed_at < e.due_at",
            $row,
            "),
                    (select count(*)
                       from execution e
                      where e.executed_at >= $1
                        and e.executed_at < $2
                        and (select count(*)
                               from event v
                              where v.entity_id = e.task_id
                                and v.verb = 'execute'
                                and v.version = e.version) > 1",
            $row,
            ")"
        )
    };
}

/// The same for PostgreSQL, as one join that it cannot do by comparing each with each: it did where the statistics were of a moment
/// at which nothing was executed yet. Measured: 6.7 s for 20,000.
macro_rules! ledger_postgres {
    ($row:expr, $task:expr) => {
        concat!(
            "select count(e.task_id),
                    count(*) filter (where t.id is not null
                                       and (e.task_id is null or e.version <> t.version or e.executed_at <> t.executed_at)),
                    count(*) filter (where e.task_id is not null and (t.id is null or t.state <> 'executed')),
                    count(*) filter (where e.executed_at < e.due_at),
                    count(*) filter (where (select count(*)
                                              from event v
                                             where v.entity_id = e.task_id
                                               and v.verb = 'execute'
                                               and v.version = e.version) > 1)
               from (select task_id, version, due_at, executed_at
                       from execution e
                      where e.executed_at >= $1
                        and e.executed_at < $2",
            $row,
            ") as e
               full join (select id, version, state, executed_at
                            from task t
                           where t.executed_at >= $1
                             and t.executed_at < $2",
            $task,
            ") as t on t.id = e.task_id"
        )
    };
}

/// Whether what was executed is not counted already, see [`Span::turned_until`]: its line of the log is a new one.
macro_rules! fresh {
    ($row:literal, $id:literal) => {
        concat!(
            " and (",
            $row,
            ".executed_at >= $3
                   or (select max(v.seq)
                         from event v
                        where v.entity_id = ",
            $id,
            "
                          and v.verb = 'execute'
                          and v.version = ",
            $row,
            ".version) > $4)"
        )
    };
}

const SQLITE: &str = ledger!("", "");
const SQLITE_FRESH: &str = ledger!(fresh!("e", "e.task_id"), fresh!("t", "t.id"));
const POSTGRES: &str = ledger_postgres!("", "");
const POSTGRES_FRESH: &str = ledger_postgres!(fresh!("e", "e.task_id"), fresh!("t", "t.id"));

/// Compares tasks, execution rows and the log of what was executed in that time.
pub async fn ledger(conn: Conn<'_>, span: &Span) -> Result<Audit, StoreError> {
    let Span { from, until, turned_until, turned_seq, .. } = *span;
    let all_counts = from >= turned_until;
    let statement = match conn {
        Conn::Sqlite(_) if all_counts => SQLITE,
        Conn::Sqlite(_) => SQLITE_FRESH,
        Conn::Postgres(_) if all_counts => POSTGRES,
        Conn::Postgres(_) => POSTGRES_FRESH,
    };
    let (rows, without_row, without_task, early, twice): (i64, i64, i64, i64, i64) = on!(conn, c => {
        let query = sqlx::query_as(statement).bind(from.millis()).bind(until.millis());
        let query = if all_counts { query } else { query.bind(turned_until.millis()).bind(turned_seq) };
        query.fetch_one(c).await
    })?;
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(Audit {
        rows: whole(rows),
        without_row: whole(without_row),
        without_task: whole(without_task),
        early: whole(early),
        twice: whole(twice),
    })
}

const DAY_MS: i64 = 24 * 3_600_000;

/// Forgets keys of requests older than a day, links that are no longer good, sessions older than seven days, empty
/// buckets of log-ins, and nodes that have been gone for a day.
/// Returns how many rows went.
pub async fn forget(mut conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    crate::channel::forget(conn.again(), now).await?;
    crate::node::forget(conn.again(), now).await?;
    crate::hands::forget(conn.again()).await?;
    crate::limit::forget(conn.again(), now).await?;
    let keys = on!(conn.again(), c => sqlx::query("delete from idempotency where created_at < $1")
        .bind(now.millis() - DAY_MS)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    let links = on!(conn.again(), c => sqlx::query("delete from invitation where expires_at < $1")
        .bind(now.millis())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    let sessions = on!(conn, c => sqlx::query("delete from session where created_at < $1")
        .bind(now.millis() - 7 * DAY_MS)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(keys + links + sessions)
}

impl Store {
    /// SQLite: moves the log into the file, beside the writer and the readers. PostgreSQL does so itself.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        if let Self::Sqlite { keeper, .. } = self {
            sqlx::query("pragma wal_checkpoint(passive)").execute(keeper).await?;
        }
        Ok(())
    }
}
