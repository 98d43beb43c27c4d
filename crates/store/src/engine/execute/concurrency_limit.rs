//! Concurrency limits: at most a given number of tasks of a kind are executed at the same time,
//! over all nodes.
//!
//! SQLite has one writer and thus one transaction at a time, so the limit is the batch size. On
//! PostgreSQL each slot is an advisory lock that the transaction holds until it ends, so a node
//! that dies leaves no slot taken. No node waits for a slot.

use super::{Claim, claim};
use crate::{Conn, StoreError, Tx, json_rows::encode};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A kind, and the maximum number of its tasks executed at the same time.
pub type Limit = (&'static str, u16);

/// Splits the claims into those within the limits and those beyond them. Tasks that were due first
/// get the slots.
pub(super) async fn admit(
    tx: &mut Tx,
    claims: Vec<Claim>,
    limits: &[Limit],
) -> Result<(Vec<Claim>, Vec<Claim>), StoreError> {
    if limits.is_empty() {
        return Ok((claims, Vec::new()));
    }
    let waiting = waiting(tx.conn(), &claims, limits).await?;
    let mut over_limit = HashSet::new();
    for (kind, most) in limits {
        let ids: Vec<Uuid> = waiting.iter().filter(|(_, other)| other == kind).map(|(id, _)| *id).collect();
        if ids.is_empty() {
            continue;
        }
        let slots = take_slots(tx.conn(), kind, *most, ids.len()).await?;
        over_limit.extend(ids.into_iter().skip(slots));
    }
    let position: HashMap<Uuid, usize> = waiting.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let (mut beyond, admitted): (Vec<Claim>, Vec<Claim>) =
        claims.into_iter().partition(|one| over_limit.contains(&one.task.0));
    beyond.sort_by_key(|one| position.get(&one.task.0).copied());
    Ok((admitted, beyond))
}

/// Returns the scheduled tasks of a limited kind among the claims, in due order.
async fn waiting(
    conn: Conn<'_>,
    claims: &[Claim],
    limits: &[Limit],
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let kinds: Vec<&str> = limits.iter().map(|(kind, _)| *kind).collect();
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, kind
                   from task
                  where id in (select unhex(value ->> 0) from jsonb_each($1))
                    and +state = 'scheduled'
                    and kind in (select value from jsonb_each($2))
                  order by due_at, id",
            )
            .bind(claim::packed(claims)?)
            .bind(encode(kinds)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, kind
                   from task
                  where id = any($1::uuid[])
                    and state || '' = 'scheduled'
                    and kind = any($2::text[])
                  order by due_at, id",
            )
            .bind(claim::ids(claims))
            .bind(kinds)
            .fetch_all(c)
            .await?
        }
    })
}

/// Takes up to `wanted` free slots until the transaction ends; returns how many.
async fn take_slots(conn: Conn<'_>, kind: &str, most: u16, wanted: usize) -> Result<usize, StoreError> {
    let wanted = wanted.min(usize::from(most));
    let Conn::Postgres(c) = conn else { return Ok(wanted) };
    // With a limit, rows are tried one by one, so no more slots are locked than wanted.
    let got: i64 = sqlx::query_scalar(
        "select count(*)
           from (select 1
                   from generate_series(1, $2) as slot
                  where pg_try_advisory_xact_lock($1, slot)
                  limit $3) as slots",
    )
    .bind(lock_class(kind))
    .bind(i32::from(most))
    .bind(i64::try_from(wanted).unwrap_or(i64::MAX))
    .fetch_one(c)
    .await?;
    Ok(usize::try_from(got).unwrap_or(0))
}

/// First half of the lock keys of a kind. It must be the same in every release.
fn lock_class(kind: &str) -> i32 {
    let hash =
        kind.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    i32::from_ne_bytes(hash.to_ne_bytes())
}
