//! Retention: deletes rows that are no longer needed.

use crate::{Conn, StoreError, db::with_conn};
use domain::{Timestamp, account::PERSISTENT_SESSION_DAYS};

const DAY_MS: i64 = 24 * 3_600_000;
/// How long admins see that an invitation has expired, milliseconds.
const EXPIRED_INVITATIONS_KEPT_MS: i64 = 30 * DAY_MS;

/// How long an account sees that a mail was not sent because its address is blocked, milliseconds.
const BLOCKED_MAILS_KEPT_MS: i64 = 30 * DAY_MS;

/// Deletes idempotency keys older than a day, expired links (invitations 30 days later, because
/// admins see that they expired), expired sessions, signals older than 30 days, notifications older than 90
/// days, changes of many tasks that can no longer be undone, presence older than two minutes, locks of files that expired a day ago, mails that no limit counts any more, empty login rate limits, log-ins that awaited a code too long, answered challenges of passkeys that expired a day ago, and nodes that have
/// been gone for a day. Returns the number of deleted keys,
/// links and sessions.
pub async fn delete_expired(mut conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    crate::channel::delete_expired_secrets(conn.reborrow(), now).await?;
    crate::node::delete_old(conn.reborrow(), now).await?;
    crate::in_flight::forget(conn.reborrow()).await?;
    crate::login_rate_limit::delete_empty(conn.reborrow(), now).await?;
    crate::second_factor::delete_expired_pending(conn.reborrow(), now).await?;
    // On a node whose clock is behind they have not expired.
    crate::passkey::delete_expired_challenges(conn.reborrow(), now.plus(-DAY_MS)).await?;
    crate::sign_in_attempt::delete_expired(conn.reborrow(), now).await?;
    crate::signal::delete_expired(conn.reborrow(), now).await?;
    crate::batch::delete_expired(conn.reborrow(), now).await?;
    crate::notification::delete_expired(conn.reborrow(), now).await?;
    crate::presence::delete_old(conn.reborrow(), now).await?;
    crate::media_lock::delete_expired(conn.reborrow(), now.plus(-DAY_MS)).await?;
    crate::mail::usage::delete_old(conn.reborrow(), now).await?;
    crate::mail::held::delete_ended(conn.reborrow(), now.plus(-BLOCKED_MAILS_KEPT_MS)).await?;
    let keys = with_conn!(conn.reborrow(), c => sqlx::query("delete from idempotency where created_at < $1")
        .bind(now.millis() - DAY_MS)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    let links = with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from invitation where expires_at < $1 and (purpose <> 'invite' or expires_at < $2)")
        .bind(now.millis())
        .bind(now.millis() - EXPIRED_INVITATIONS_KEPT_MS)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    let sessions = with_conn!(conn, c => sqlx::query(
        "delete from session where created_at < $1 and (is_persistent = 0 or created_at < $2)")
        .bind(now.millis() - 7 * DAY_MS)
        .bind(now.millis() - i64::from(PERSISTENT_SESSION_DAYS) * DAY_MS)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(keys + links + sessions)
}
