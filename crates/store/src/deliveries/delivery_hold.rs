//! The hold on all deliveries after a restore, until an admin confirms.

use crate::{Conn, StoreError, db::with_conn};
use domain::Timestamp;

/// Setting that holds all deliveries: when the backup was restored, milliseconds.
pub(crate) const DELIVERY_HOLD: &str = "delivery_hold";

/// Returns when a backup was restored that no admin has confirmed yet; `None`: deliveries are sent.
pub async fn delivery_hold_since(conn: Conn<'_>) -> Result<Option<Timestamp>, StoreError> {
    let at = crate::setting::find(conn, DELIVERY_HOLD).await?;
    Ok(at.map(|at| Timestamp::from_millis(at.parse().unwrap_or(0))))
}

/// Releases the held deliveries. False: nothing was held.
pub async fn release_delivery_hold(conn: Conn<'_>) -> Result<bool, StoreError> {
    let gone = with_conn!(conn, c => sqlx::query("delete from setting where name = $1")
        .bind(DELIVERY_HOLD).execute(c).await?.rows_affected());
    Ok(gone > 0)
}
