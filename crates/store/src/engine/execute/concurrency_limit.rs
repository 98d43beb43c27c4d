//! Concurrency limits: at most a given number of tasks of a kind are executed at the same time,
//! over all nodes. And their rates, see [`super::rate_limit`].
//!
//! SQLite has one writer and thus one transaction at a time, so the limit is the batch size. On
//! PostgreSQL each slot is an advisory lock that the transaction holds until it ends, so a node
//! that dies leaves no slot taken. No node waits for a slot.

use super::{
    Claim, claim,
    rate_limit::{self, WaitingTask},
};
use crate::{Conn, StoreError, Tx, json_rows::encode};
use domain::{Timestamp, rate::Rate};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// What limits the tasks of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The kind.
    pub kind: &'static str,
    /// Maximum number of tasks executed at the same time; `None`: unlimited.
    pub max_concurrency: Option<u16>,
    /// Maximum number of executions that start in a period; `None`: unlimited.
    pub rate: Option<Rate>,
}

/// The claims, split by the limits of their kinds.
#[derive(Default)]
pub(super) struct Admission {
    /// Within the limits.
    pub admitted: Vec<Claim>,
    /// Beyond the concurrency limits, in due order.
    pub over_limit: Vec<Claim>,
    /// Beyond the rates, and when it is their turn.
    pub over_rate: Vec<(Claim, Timestamp)>,
}

/// Splits the claims into those within the limits and those beyond them. Tasks that were due first
/// get the slots.
pub(super) async fn admit(
    tx: &mut Tx,
    claims: Vec<Claim>,
    limits: &[Limit],
    now: Timestamp,
) -> Result<Admission, StoreError> {
    if limits.is_empty() {
        return Ok(Admission { admitted: claims, ..Admission::default() });
    }
    let waiting = waiting(tx.conn(), &claims, limits, now).await?;
    let (mut over_limit, mut turns) = (HashSet::new(), HashMap::new());
    for limit in limits {
        let mut tasks: Vec<&WaitingTask> = waiting.iter().filter(|task| task.kind == limit.kind).collect();
        if tasks.is_empty() {
            continue;
        }
        if limit.rate.is_some() {
            let most = limit.max_concurrency.map_or(i64::MAX, i64::from);
            match rate_limit::take_turns(tx.conn(), limit.kind, most, &tasks, now).await? {
                Some(later) => turns.extend(later),
                // Another transaction gives turns at this moment.
                None => over_limit.extend(tasks.iter().filter(|task| task.is_due != 0).map(|task| task.id)),
            }
            tasks.retain(|task| !turns.contains_key(&task.id) && !over_limit.contains(&task.id));
        }
        let Some(most) = limit.max_concurrency.filter(|_| !tasks.is_empty()) else { continue };
        let slots = take_slots(tx.conn(), limit.kind, most, tasks.len()).await?;
        over_limit.extend(tasks.iter().skip(slots).map(|task| task.id));
    }
    let position: HashMap<Uuid, usize> = waiting.iter().enumerate().map(|(at, task)| (task.id, at)).collect();
    let mut admission = Admission::default();
    for claim in claims {
        match turns.get(&claim.task.0) {
            Some(at) => admission.over_rate.push((claim, *at)),
            None if over_limit.contains(&claim.task.0) => admission.over_limit.push(claim),
            None => admission.admitted.push(claim),
        }
    }
    admission.over_limit.sort_by_key(|one| position.get(&one.task.0).copied());
    Ok(admission)
}

/// Returns the scheduled tasks of a limited kind among the claims, in due order.
async fn waiting(
    conn: Conn<'_>,
    claims: &[Claim],
    limits: &[Limit],
    now: Timestamp,
) -> Result<Vec<WaitingTask>, StoreError> {
    macro_rules! columns {
        ($rest:literal) => {
            concat!(
                "select id, kind,
                        case when due_at > $3 or not_before > $3 or due_at + grace_ms < $3 then 0 else 1 end as is_due,
                        case when not_before is null then 0 else 1 end as has_turn
                   from task",
                $rest
            )
        };
    }
    let kinds: Vec<&str> = limits.iter().map(|limit| limit.kind).collect();
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(columns!(
                " where id in (select unhex(value ->> 0) from jsonb_each($1))
                    and +state = 'scheduled'
                    and kind in (select value from jsonb_each($2))
                  order by due_at, id"
            ))
            .bind(claim::packed(claims)?)
            .bind(encode(kinds)?)
            .bind(now.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(columns!(
                " where id = any($1::uuid[])
                    and state || '' = 'scheduled'
                    and kind = any($2::text[])
                  order by due_at, id"
            ))
            .bind(claim::ids(claims))
            .bind(kinds)
            .bind(now.millis())
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
