//! Audit: tasks, execution rows and the event log must agree.

use crate::{Conn, StoreError, db::with_conn};
use domain::Timestamp;

/// The executions that one audit covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditSpan {
    /// Executions from this moment ...
    pub from: Timestamp,
    /// ... to just before this one.
    pub until: Timestamp,
    /// Seq of the newest event.
    pub seq: i64,
    /// A clock was set back: of the executions before this moment ...
    pub clock_rewind_until: Timestamp,
    /// ... those with an event up to this seq are counted already and left out.
    pub clock_rewind_seq: i64,
}

/// Result of an audit of executions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Audit {
    /// Number of execution rows checked.
    pub rows: u64,
    /// Number of executed tasks without an execution row.
    pub without_row: u64,
    /// Number of execution rows whose task is not executed.
    pub without_task: u64,
    /// Number of executions before the due time.
    pub early: u64,
    /// Number of executions with more than one event in the log.
    pub duplicates: u64,
}

impl Audit {
    /// Whether everything agrees.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self { rows: self.rows, ..Self::default() }
    }
}

/// SQL for SQLite that compares the executions of a period. `$row` and `$task` are further
/// conditions on execution rows and tasks.
///
/// The counterpart of a row is searched in the same period, so that a large table is never read as
/// a whole. `+ 0` keeps the planner from joining by time: all executions of a batch have the same
/// time, and each would be compared with each.
macro_rules! audit_sqlite {
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

/// The same for PostgreSQL, as one full join, which cannot become a nested loop. With statistics of
/// a time without executions it was one: 6.7 s for 20,000.
macro_rules! audit_postgres {
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

/// Condition: the execution was not counted before, because its event is newer, see
/// [`AuditSpan::clock_rewind_until`].
macro_rules! unaudited {
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

const SQLITE: &str = audit_sqlite!("", "");
const SQLITE_UNAUDITED: &str = audit_sqlite!(unaudited!("e", "e.task_id"), unaudited!("t", "t.id"));
const POSTGRES: &str = audit_postgres!("", "");
const POSTGRES_UNAUDITED: &str = audit_postgres!(unaudited!("e", "e.task_id"), unaudited!("t", "t.id"));

/// Compares tasks, execution rows and events of the executions in that period.
pub async fn audit_executions(conn: Conn<'_>, span: &AuditSpan) -> Result<Audit, StoreError> {
    let AuditSpan { from, until, clock_rewind_until, clock_rewind_seq, .. } = *span;
    let all_counts = from >= clock_rewind_until;
    let statement = match conn {
        Conn::Sqlite(_) if all_counts => SQLITE,
        Conn::Sqlite(_) => SQLITE_UNAUDITED,
        Conn::Postgres(_) if all_counts => POSTGRES,
        Conn::Postgres(_) => POSTGRES_UNAUDITED,
    };
    let (rows, without_row, without_task, early, duplicates): (i64, i64, i64, i64, i64) = with_conn!(conn, c => {
        let query = sqlx::query_as(statement).bind(from.millis()).bind(until.millis());
        let query = if all_counts { query } else { query.bind(clock_rewind_until.millis()).bind(clock_rewind_seq) };
        query.fetch_one(c).await
    })?;
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(Audit {
        rows: whole(rows),
        without_row: whole(without_row),
        without_task: whole(without_task),
        early: whole(early),
        duplicates: whole(duplicates),
    })
}
