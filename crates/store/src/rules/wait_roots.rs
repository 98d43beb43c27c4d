//! Waits to which signals led through other rules.

use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
};
use domain::SignalId;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Returns the number of waits to which each of these signals led.
pub async fn count(
    conn: Conn<'_>,
    roots: &HashSet<SignalId>,
) -> Result<HashMap<SignalId, usize>, StoreError> {
    let roots: Vec<SignalId> = roots.iter().copied().collect();
    let rows: Vec<(Uuid, i64)> = match conn {
        _ if roots.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select root_id, count(*)
                   from wait indexed by wait_root
                  where root_id is not null and root_id in (select unhex(value) from jsonb_each($1))
                  group by root_id",
            )
            .bind(encode(roots.iter().map(|root| root.0.simple()))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select root_id, count(*) from wait where root_id = any($1) group by root_id")
                .bind(column(&roots, |root| root.0))
                .fetch_all(c)
                .await?
        }
    };
    let count = |(root, count): (Uuid, i64)| (SignalId(root), usize::try_from(count).unwrap_or(usize::MAX));
    Ok(rows.into_iter().map(count).collect())
}
