//! Idempotency keys: a request with the same key and account is executed once.

use crate::{Conn, StoreError, db::with_conn};
use domain::{AccountId, Timestamp, account::Idempotency};
use uuid::Uuid;

/// Maximum number of attempts to claim a key that a refused request makes free meanwhile (PostgreSQL only).
const MAX_CLAIMS: usize = 3;
/// Maximum size of a stored answer, bytes: a backup with a longer text could not be restored.
const MAX_ANSWER_BYTES: usize = 4_000_000;

/// Whether a request with this key was executed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyClaim {
    /// The key is new: execute the request. The key belongs to `result` once the transaction
    /// commits.
    New,
    /// The request was executed before; its result.
    Repeat(Uuid),
    /// The key was used for a different request.
    Reused,
}

/// Claims the key for `result` (the id of the row to create), or returns its earlier use. Must be
/// the first statement of its transaction: a second request with the key waits here until the first
/// one commits or rolls back.
pub async fn claim(
    mut conn: Conn<'_>,
    account: AccountId,
    idempotency: &Idempotency,
    result: Uuid,
    now: Timestamp,
) -> Result<KeyClaim, StoreError> {
    for _ in 0..MAX_CLAIMS {
        if take(conn.reborrow(), account, idempotency, result, now).await? {
            return Ok(KeyClaim::New);
        }
        if let Some((fingerprint, result)) = find(conn.reborrow(), account, &idempotency.key).await? {
            let is_same = fingerprint == idempotency.fingerprint;
            return Ok(if is_same { KeyClaim::Repeat(result) } else { KeyClaim::Reused });
        }
    }
    Err(StoreError::Corrupt("an idempotency key is neither new nor stored".to_owned()))
}

async fn take(
    conn: Conn<'_>,
    account: AccountId,
    idempotency: &Idempotency,
    result: Uuid,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let taken: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "insert into idempotency (account_id, key, fingerprint, result_id, created_at)
         values ($1, $2, $3, $4, $5)
         on conflict (account_id, key) do nothing
         returning 1")
        .bind(account.0).bind(&idempotency.key).bind(&idempotency.fingerprint).bind(result).bind(now.millis())
        .fetch_optional(c).await)?;
    Ok(taken.is_some())
}

async fn find(conn: Conn<'_>, account: AccountId, key: &str) -> Result<Option<(String, Uuid)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select fingerprint, result_id from idempotency where account_id = $1 and key = $2")
        .bind(account.0).bind(key).fetch_optional(c).await)?)
}

/// Returns the stored answer of the request with this key; `None`: it has not ended.
pub async fn answer(conn: Conn<'_>, account: AccountId, key: &str) -> Result<Option<String>, StoreError> {
    let found: Option<Option<String>> = with_conn!(conn, c => sqlx::query_scalar(
        "select answer from idempotency where account_id = $1 and key = $2")
        .bind(account.0).bind(key).fetch_optional(c).await)?;
    Ok(found.flatten())
}

/// Stores the answer of the request that claimed this key. One that is too long for a backup is not stored: a
/// repetition learns only that it must look at what was changed.
pub async fn set_answer(
    conn: Conn<'_>,
    account: AccountId,
    key: &str,
    answer: &str,
) -> Result<(), StoreError> {
    if answer.len() > MAX_ANSWER_BYTES {
        return Ok(());
    }
    with_conn!(conn, c => sqlx::query("update idempotency set answer = $3 where account_id = $1 and key = $2")
        .bind(account.0).bind(key).bind(answer).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes a key free again: its request was refused.
pub async fn release(conn: Conn<'_>, account: AccountId, key: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from idempotency where account_id = $1 and key = $2")
        .bind(account.0).bind(key).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes keys older than `before`; returns how many.
pub async fn delete_older(conn: Conn<'_>, before: Timestamp) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from idempotency where created_at < $1")
        .bind(before.millis()).execute(c).await?.rows_affected()))
}
