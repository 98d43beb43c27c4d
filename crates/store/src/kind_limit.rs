//! How many tasks of a kind may be executed at once: what admins have decided. `execute` keeps to it.

use crate::{Conn, StoreError, db::on};

/// A limit as it stands in SQL: the kind, how many (`None`: as many as there are), its version.
pub type Row = (String, Option<i32>, i32);

/// All that were ever set; kinds of a newer release too.
pub async fn all(conn: Conn<'_>) -> Result<Vec<Row>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as("select kind, at_once, version from kind_limit").fetch_all(c).await)?)
}

/// Sets the limit of a kind and returns its new version. `None`: `seen` is not its version (0: never set).
pub async fn set(
    conn: Conn<'_>,
    kind: &str,
    at_once: Option<u16>,
    seen: i32,
) -> Result<Option<i32>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "insert into kind_limit (kind, at_once, version)
         select $1, $2, 1
          where $3 = 0 or exists (select 1 from kind_limit where kind = $1)
         on conflict (kind) do update
            set at_once = excluded.at_once, version = kind_limit.version + 1
          where kind_limit.version = $3
         returning version")
        .bind(kind)
        .bind(at_once.map(i32::from))
        .bind(seen)
        .fetch_optional(c)
        .await)?)
}
