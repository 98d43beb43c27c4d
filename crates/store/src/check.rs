//! What must agree, and what may be forgotten.

use crate::{Conn, Store, StoreError, db::on};
use domain::Timestamp;

/// What does not agree and must.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// Executed tasks without an execution row.
    pub without_row: u64,
    /// Execution rows whose task is not executed.
    pub without_task: u64,
}

impl Disagreement {
    /// Whether there is none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares tasks and execution rows of what was executed since `since`.
pub async fn ledger(conn: Conn<'_>, since: Timestamp) -> Result<Disagreement, StoreError> {
    let (without_row, without_task): (i64, i64) = on!(conn, c => sqlx::query_as(
        "select (select count(*)
                   from task t
                  where t.executed_at >= $1
                    and not exists (select 1
                                      from execution e
                                     where e.task_id = t.id
                                       and e.version = t.version
                                       and e.executed_at = t.executed_at)),
                (select count(*)
                   from execution e
                  where e.executed_at >= $1
                    and not exists (select 1 from task t where t.id = e.task_id and t.state = 'executed'))")
        .bind(since.millis())
        .fetch_one(c)
        .await)?;
    Ok(Disagreement {
        without_row: u64::try_from(without_row).unwrap_or(0),
        without_task: u64::try_from(without_task).unwrap_or(0),
    })
}

const DAY_MS: i64 = 24 * 3_600_000;

/// Forgets keys of requests older than a day, links that are no longer good, sessions older than seven days, and
/// nodes that have been gone for a day.
/// Returns how many rows went.
pub async fn forget(mut conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    crate::channel::forget(conn.again(), now).await?;
    crate::node::forget(conn.again(), now).await?;
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
