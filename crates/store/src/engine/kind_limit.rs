//! Concurrency limits and grace by task kind, set by admins. `execute` enforces the limits; new tasks get the
//! grace, see [`crate::task::insert`].

use crate::{Conn, StoreError, db::with_conn, row::row};

row! {
    /// What admins have set for a kind.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KindLimitRow {
        /// The kind.
        pub kind: String,
        /// Maximum number of tasks executed at the same time; `None`: unlimited.
        pub max_concurrency: Option<i32>,
        /// How late new tasks may be executed, milliseconds; `None`: as the kind says.
        pub grace_ms: Option<i64>,
        /// Version, from 1.
        pub version: i32,
    }
}

/// Returns all rows, including those of kinds that only a newer release knows.
pub async fn all(conn: Conn<'_>) -> Result<Vec<KindLimitRow>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as("select kind, max_concurrency, grace_ms, version from kind_limit").fetch_all(c).await)?,
    )
}

/// Sets limit and grace of a kind and returns its new version. `None`: `seen` is not the current version
/// (0: never set).
pub async fn set(
    conn: Conn<'_>,
    kind: &str,
    max_concurrency: Option<u16>,
    grace_ms: Option<i64>,
    seen: i32,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "insert into kind_limit (kind, max_concurrency, grace_ms, version)
         select $1, $2, $4, 1
          where $3 = 0 or exists (select 1 from kind_limit where kind = $1)
         on conflict (kind) do update
            set max_concurrency = excluded.max_concurrency, grace_ms = excluded.grace_ms,
                version = kind_limit.version + 1
          where kind_limit.version = $3
         returning version")
        .bind(kind)
        .bind(max_concurrency.map(i32::from))
        .bind(seen)
        .bind(grace_ms)
        .fetch_optional(c)
        .await)?)
}
