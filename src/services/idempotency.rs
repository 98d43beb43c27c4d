//! Idempotency keys of requests.

use super::internal_error;
use domain::{Actor, DomainError, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use store::{
    Conn, PoolRole, Store, StoreError,
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

/// Returns the answer of the same request if its idempotency key was used before. Otherwise makes a
/// change that takes several transactions, and stores its answer with the key. A refused change leaves
/// the key free; one that failed may have changed a part, and keeps it. `KeyUnfinished`: the first request
/// is still running, or was interrupted.
pub async fn answered_once<T: Serialize + DeserializeOwned>(
    store: &Store,
    actor: &Actor,
    now: Timestamp,
    change: impl Future<Output = Result<T, DomainError>>,
) -> Result<T, DomainError> {
    let Some(idempotency) = &actor.idempotency else { return change.await };
    let (account, key) = (actor.account, idempotency.key.as_str());
    let mut tx = store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let claim = idempotency::claim(tx.conn(), account, idempotency, Uuid::nil(), now).await;
    match claim.map_err(internal_error)? {
        KeyClaim::New => tx.commit().await.map_err(internal_error)?,
        KeyClaim::Reused => return Err(DomainError::KeyReused),
        KeyClaim::Repeat(_) => {
            let answer = idempotency::answer(tx.conn(), account, key).await.map_err(internal_error)?;
            let answer = answer.ok_or(DomainError::KeyUnfinished)?;
            return serde_json::from_str(&answer).map_err(|error| corrupt(&error));
        }
    }
    let outcome = change.await;
    if matches!(outcome, Err(DomainError::Internal { .. } | DomainError::Unavailable)) {
        return outcome;
    }
    let mut tx = store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let stored = match &outcome {
        Ok(answer) => {
            let answer = serde_json::to_string(answer).map_err(|error| corrupt(&error))?;
            idempotency::set_answer(tx.conn(), account, key, &answer).await
        }
        Err(_) => idempotency::release(tx.conn(), account, key).await,
    };
    stored.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    outcome
}

fn corrupt(error: &serde_json::Error) -> DomainError {
    internal_error(StoreError::Corrupt(format!("the answer of an idempotency key: {error}")))
}
