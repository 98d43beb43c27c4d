//! Rate of the signals of an account, and of the waits that a rule opens: one leaky bucket for each. Each
//! signal or wait adds `cost_ms` milliseconds; the bucket drains with time.

use crate::{Conn, StoreError, db::with_conn};
use domain::Timestamp;
use uuid::Uuid;

/// Parameters of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalRate {
    /// Time in which one drains, milliseconds.
    pub cost_ms: i64,
    /// Maximum number at once.
    pub capacity: i64,
}

/// Adds `count` to the bucket of an account or rule, whose row is locked afterwards. `None`: they are
/// allowed. Otherwise nothing was added: returns the milliseconds until they are.
pub async fn acquire(
    mut conn: Conn<'_>,
    id: Uuid,
    (rate, count): (SignalRate, i64),
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let fits_until = now.plus(rate.cost_ms * (rate.capacity - count));
    let filled: Option<i64> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "insert into signal_rate as r (id, available_at) values ($1, $2 + $3)
         on conflict (id) do update
            set available_at = case when r.available_at < $2 then $2 else r.available_at end + $3
          where r.available_at <= $4
         returning available_at")
        .bind(id).bind(now.millis()).bind(rate.cost_ms * count).bind(fits_until.millis())
        .fetch_optional(c).await)?;
    if filled.is_some() {
        return Ok(None);
    }
    let available_at: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select available_at from signal_rate where id = $1")
        .bind(id).fetch_one(c).await)?;
    Ok(Some(Timestamp::from_millis(available_at).since(fits_until).max(1)))
}
