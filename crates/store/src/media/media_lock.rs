//! Locks of uploaded files by their hash, over all nodes. A lock of a node that died expires.

use crate::{Conn, StoreError, db::with_conn};
use domain::Timestamp;
use uuid::Uuid;

/// Takes a lock until `until`. `false`: another change has it.
pub async fn take(
    conn: Conn<'_>,
    hash: &str,
    holder: Uuid,
    (now, until): (Timestamp, Timestamp),
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "insert into media_lock (hash, holder, expires_at)
         values ($1, $2, $4)
             on conflict (hash) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where media_lock.expires_at <= $3")
        .bind(hash).bind(holder).bind(now.millis()).bind(until.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Keeps the locks of a change until `until`. Returns their number.
pub async fn keep(conn: Conn<'_>, holder: Uuid, until: Timestamp) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("update media_lock set expires_at = $2 where holder = $1")
            .bind(holder).bind(until.millis()).execute(c).await?.rows_affected()))
}

/// Deletes locks that expired before this moment: their node died, and no other change took them.
pub async fn delete_expired(conn: Conn<'_>, before: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from media_lock where expires_at < $1")
        .bind(before.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Releases the locks of a change.
pub async fn release(conn: Conn<'_>, holder: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from media_lock where holder = $1")
        .bind(holder).execute(c).await.map(drop))?;
    Ok(())
}
