//! Idempotency keys of requests.

use super::internal_error;
use domain::{Actor, DomainError, Timestamp};
use store::{
    Conn,
    idempotency::{self, KeyClaim},
};
use uuid::Uuid;

/// Returns the result of the same request if its idempotency key was used before. Otherwise stores
/// the key with `result`, the id of what the transaction creates.
pub async fn claimed_result(
    conn: Conn<'_>,
    actor: &Actor,
    result: Uuid,
    now: Timestamp,
) -> Result<Option<Uuid>, DomainError> {
    let Some(key) = &actor.idempotency else { return Ok(None) };
    match idempotency::claim(conn, actor.account, key, result, now).await.map_err(internal_error)? {
        KeyClaim::New => Ok(None),
        KeyClaim::Repeat(result) => Ok(Some(result)),
        KeyClaim::Reused => Err(DomainError::KeyReused),
    }
}
