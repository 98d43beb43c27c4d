//! The switch that pauses all publishing. Stored in SQL, so that it applies to every node and
//! survives a restart.

use crate::{Conn, StoreError, db::with_conn};

pub(crate) const PAUSED: &str = "1";

/// Whether the engine is paused.
pub async fn is_paused(conn: Conn<'_>) -> Result<bool, StoreError> {
    let value: Option<String> = with_conn!(conn, c => sqlx::query_scalar("select value from setting where name = 'engine.paused'")
            .fetch_optional(c)
            .await)?;
    Ok(value.as_deref() == Some(PAUSED))
}

/// Pauses or resumes the engine. False: it had that state already, nothing was changed.
pub async fn set(conn: Conn<'_>, is_paused: bool) -> Result<bool, StoreError> {
    let value = if is_paused { PAUSED } else { "0" };
    let changed = with_conn!(conn, c => sqlx::query(
        "insert into setting (name, value)
         select 'engine.paused', $1
          where $1 <> '0' or exists (select 1 from setting where name = 'engine.paused')
         on conflict (name) do update set value = excluded.value where setting.value <> excluded.value")
        .bind(value)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}
