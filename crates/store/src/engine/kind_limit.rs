//! Concurrency limits by task kind, set by admins and enforced by `execute`.

use crate::{Conn, StoreError, db::with_conn};

/// A row: the kind, the limit (`None`: unlimited), its version.
pub type Row = (String, Option<i32>, i32);

/// Returns all limits, including those of kinds that only a newer release knows.
pub async fn all(conn: Conn<'_>) -> Result<Vec<Row>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as("select kind, max_concurrency, version from kind_limit").fetch_all(c).await)?,
    )
}

/// Sets the limit of a kind and returns its new version. `None`: `seen` is not the current version
/// (0: never set).
pub async fn set(
    conn: Conn<'_>,
    kind: &str,
    max_concurrency: Option<u16>,
    seen: i32,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "insert into kind_limit (kind, max_concurrency, version)
         select $1, $2, 1
          where $3 = 0 or exists (select 1 from kind_limit where kind = $1)
         on conflict (kind) do update
            set max_concurrency = excluded.max_concurrency, version = kind_limit.version + 1
          where kind_limit.version = $3
         returning version")
        .bind(kind)
        .bind(max_concurrency.map(i32::from))
        .bind(seen)
        .fetch_optional(c)
        .await)?)
}
