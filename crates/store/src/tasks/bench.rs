//! Executed tasks, for the benchmark.

use crate::{Conn, StoreError, db::with_conn};
use uuid::Uuid;

/// Returns the targets of the executed tasks of a kind, oldest first.
pub async fn executed_targets(conn: Conn<'_>, kind: &str) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select target_id from task where state = 'executed' and kind = $1 order by due_at, id")
        .bind(kind).fetch_all(c).await)?)
}
