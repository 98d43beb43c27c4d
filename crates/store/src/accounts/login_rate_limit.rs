//! Rate limit of login attempts: one leaky bucket per name. Each attempt adds `cost_ms`
//! milliseconds; the bucket drains with time.

use crate::{Conn, StoreError, db::with_conn};
use domain::Timestamp;

/// Parameters of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBucket {
    /// Time in which one attempt drains, milliseconds.
    pub cost_ms: i64,
    /// Maximum number of attempts in a burst.
    pub capacity: i64,
}

/// Adds one attempt. `None`: it is allowed. Otherwise returns the milliseconds until the next
/// attempt is allowed.
pub async fn acquire(
    mut conn: Conn<'_>,
    name: &str,
    bucket: TokenBucket,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let fits_until = now.plus(bucket.cost_ms * (bucket.capacity - 1));
    if fill(conn.reborrow(), name, bucket.cost_ms, now, fits_until).await? {
        return Ok(None);
    }
    let free_at = free_at(conn, name).await?.unwrap_or(now);
    Ok(Some(free_at.since(fits_until).max(1)))
}

async fn fill(
    conn: Conn<'_>,
    name: &str,
    cost: i64,
    now: Timestamp,
    fits_until: Timestamp,
) -> Result<bool, StoreError> {
    let filled: Option<i64> = with_conn!(conn, c => sqlx::query_scalar(
        "insert into login_rate_limit as l (name, available_at) values ($1, $2 + $3)
         on conflict (name) do update
            set available_at = case when l.available_at < $2 then $2 else l.available_at end + $3
          where l.available_at <= $4
         returning available_at")
        .bind(name).bind(now.millis()).bind(cost).bind(fits_until.millis())
        .fetch_optional(c).await)?;
    Ok(filled.is_some())
}

/// Returns when the bucket will be empty; `None`: it is empty.
async fn free_at(conn: Conn<'_>, name: &str) -> Result<Option<Timestamp>, StoreError> {
    let free_at: Option<i64> = with_conn!(conn, c => sqlx::query_scalar(
        "select available_at from login_rate_limit where name = $1")
        .bind(name).fetch_optional(c).await)?;
    Ok(free_at.map(Timestamp::from_millis))
}

/// Removes one attempt, after a successful login.
pub async fn refund(conn: Conn<'_>, name: &str, bucket: TokenBucket) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update login_rate_limit set available_at = available_at - $2 where name = $1")
        .bind(name).bind(bucket.cost_ms).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes empty buckets; returns how many.
pub async fn delete_empty(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from login_rate_limit where available_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected()))
}
