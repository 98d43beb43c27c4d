//! Keys of requests: the same key of the same person means the same request, so it is done once.

use crate::{Conn, StoreError, db::on};
use domain::{PersonId, Timestamp, person::Idempotency};
use uuid::Uuid;

/// What a key says of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Never seen: go on. The key now stands for `result`, if the transaction commits.
    Fresh,
    /// Done before: what came of it.
    Repeat(Uuid),
    /// The key stands for another request.
    Reused,
}

/// Takes the key for `result` (the identity of what is about to be made), or says what it stands for already. First statement
/// of its transaction: a second request with the key waits here until the first has committed or given up.
pub async fn claim(
    mut conn: Conn<'_>,
    person: PersonId,
    idempotency: &Idempotency,
    result: Uuid,
    now: Timestamp,
) -> Result<Claim, StoreError> {
    if take(conn.again(), person, idempotency, result, now).await? {
        return Ok(Claim::Fresh);
    }
    let (fingerprint, result) = find(conn, person, &idempotency.key)
        .await?
        .ok_or_else(|| StoreError::Corrupt("an idempotency key is taken and absent".to_owned()))?;
    Ok(if fingerprint == idempotency.fingerprint { Claim::Repeat(result) } else { Claim::Reused })
}

async fn take(
    conn: Conn<'_>,
    person: PersonId,
    idempotency: &Idempotency,
    result: Uuid,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let taken: Option<i32> = on!(conn, c => sqlx::query_scalar(
        "insert into idempotency (person_id, key, fingerprint, result_id, created_at)
         values ($1, $2, $3, $4, $5)
         on conflict (person_id, key) do nothing
         returning 1")
        .bind(person.0).bind(&idempotency.key).bind(&idempotency.fingerprint).bind(result).bind(now.millis())
        .fetch_optional(c).await)?;
    Ok(taken.is_some())
}

async fn find(conn: Conn<'_>, person: PersonId, key: &str) -> Result<Option<(String, Uuid)>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select fingerprint, result_id from idempotency where person_id = $1 and key = $2")
        .bind(person.0).bind(key).fetch_optional(c).await)?)
}

/// Forgets keys older than `before`; answers how many.
pub async fn forget(conn: Conn<'_>, before: Timestamp) -> Result<u64, StoreError> {
    Ok(on!(conn, c => sqlx::query("delete from idempotency where created_at < $1")
        .bind(before.millis()).execute(c).await?.rows_affected()))
}
