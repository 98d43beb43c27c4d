//! What has been executed, for whoever keeps a list of it elsewhere.

use crate::{Conn, StoreError, db::on};
use uuid::Uuid;

/// What the executed tasks of a kind were about, oldest first.
pub async fn targets(conn: Conn<'_>, kind: &str) -> Result<Vec<Uuid>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "select target_id from task where state = 'executed' and kind = $1 order by due_at, id")
        .bind(kind).fetch_all(c).await)?)
}
