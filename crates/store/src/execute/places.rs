//! Places: of a kind that is limited, only as many tasks are executed at once as there are places, over all nodes.
//!
//! SQLite has one writer, so one transaction at a time: its size is the limit. On PostgreSQL each place is an advisory lock
//! that the transaction holds until it ends, however it ends: a node that dies leaves none behind. A place is never waited
//! for.

use super::{Claim, claim};
use crate::{Conn, StoreError, Tx, batch::pack};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// So many tasks of a kind at once.
pub type Limit = (&'static str, u16);

/// The claims for which there is room, and those for which there is none. Those that were due first go first.
pub(super) async fn admit(
    tx: &mut Tx,
    claims: Vec<Claim>,
    limits: &[Limit],
) -> Result<(Vec<Claim>, Vec<Claim>), StoreError> {
    if limits.is_empty() {
        return Ok((claims, Vec::new()));
    }
    let waiting = waiting(tx.conn(), &claims, limits).await?;
    let mut full = HashSet::new();
    for (kind, most) in limits {
        let ids: Vec<Uuid> = waiting.iter().filter(|(_, other)| other == kind).map(|(id, _)| *id).collect();
        if ids.is_empty() {
            continue;
        }
        let places = take(tx.conn(), kind, *most, ids.len()).await?;
        full.extend(ids.into_iter().skip(places));
    }
    let place: HashMap<Uuid, usize> = waiting.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let (mut full, admitted): (Vec<Claim>, Vec<Claim>) =
        claims.into_iter().partition(|one| full.contains(&one.task.0));
    full.sort_by_key(|one| place.get(&one.task.0).copied());
    Ok((admitted, full))
}

/// Those of the claims that wait and are of a limited kind, in the order in which they were due.
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
            .bind(pack(kinds)?)
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

/// Takes free places until the transaction ends, `wanted` at most; returns how many it got.
async fn take(conn: Conn<'_>, kind: &str, most: u16, wanted: usize) -> Result<usize, StoreError> {
    let wanted = wanted.min(usize::from(most));
    let Conn::Postgres(c) = conn else { return Ok(wanted) };
    // Behind a limit, rows are tried one by one: no more places are locked than are wanted.
    let got: i64 = sqlx::query_scalar(
        "select count(*)
           from (select 1
                   from generate_series(1, $2) as place
                  where pg_try_advisory_xact_lock($1, place)
                  limit $3) as taken",
    )
    .bind(family(kind))
    .bind(i32::from(most))
    .bind(i64::try_from(wanted).unwrap_or(i64::MAX))
    .fetch_one(c)
    .await?;
    Ok(usize::try_from(got).unwrap_or(0))
}

/// The first half of the keys of a kind's locks: the same in every release.
fn family(kind: &str) -> i32 {
    let hash =
        kind.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    i32::from_ne_bytes(hash.to_ne_bytes())
}
