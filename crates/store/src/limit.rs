//! How often somebody may try: a leaky bucket each name. Every try fills it by `cost` milliseconds; it leaks by itself.

use crate::{Conn, StoreError, db::on};
use domain::Timestamp;

/// The shape of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Milliseconds until one try has leaked out.
    pub cost: i64,
    /// Tries that fit in at once.
    pub tries: i64,
}

/// Takes one try. `None`: go on. Otherwise: how many milliseconds until the next one fits.
pub async fn take(
    mut conn: Conn<'_>,
    name: &str,
    bucket: Bucket,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let fits_until = now.plus(bucket.cost * (bucket.tries - 1));
    if fill(conn.again(), name, bucket.cost, now, fits_until).await? {
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
    let filled: Option<i64> = on!(conn, c => sqlx::query_scalar(
        "insert into log_in_limit as l (name, free_at) values ($1, $2 + $3)
         on conflict (name) do update
            set free_at = case when l.free_at < $2 then $2 else l.free_at end + $3
          where l.free_at <= $4
         returning free_at")
        .bind(name).bind(now.millis()).bind(cost).bind(fits_until.millis())
        .fetch_optional(c).await)?;
    Ok(filled.is_some())
}

/// When the bucket is empty again; `None`: it is.
async fn free_at(conn: Conn<'_>, name: &str) -> Result<Option<Timestamp>, StoreError> {
    let free_at: Option<i64> = on!(conn, c => sqlx::query_scalar("select free_at from log_in_limit where name = $1")
        .bind(name).fetch_optional(c).await)?;
    Ok(free_at.map(Timestamp::from_millis))
}

/// Gives one try back: it was a good one.
pub async fn give_back(conn: Conn<'_>, name: &str, bucket: Bucket) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("update log_in_limit set free_at = free_at - $2 where name = $1")
        .bind(name).bind(bucket.cost).execute(c).await?.rows_affected());
    Ok(())
}

/// Forgets buckets that are empty; answers how many there were.
pub async fn forget(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    Ok(on!(conn, c => sqlx::query("delete from log_in_limit where free_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected()))
}
