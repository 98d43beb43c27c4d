//! Explains why the compare-and-set did not grant a claim.

use super::{
    Claim,
    claim::{self, Stale, TimeBounds},
};
use crate::{Conn, StoreError, row::row};
use std::collections::HashMap;
use uuid::Uuid;

/// How long a due task waits for its approval before it is missed, milliseconds.
pub(super) const APPROVAL_GRACE_MS: i64 = 5_000;

/// Why a claim was not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnclaimedReason {
    /// The task is not executed, or not yet.
    Stale(Stale),
    /// The task is too late and becomes *missed*.
    TooLate,
}

/// A claim that was not granted.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnclaimedTask {
    pub claim: Claim,
    pub target: Option<Uuid>,
    pub reason: UnclaimedReason,
}

row! {
    /// A task as the compare-and-set sees it.
    struct TaskRow {
        id: Uuid,
        kind: String,
        target_id: Uuid,
        state: String,
        version: i32,
        approved_version: Option<i32>,
        due_at: i64,
        not_before: Option<i64>,
        grace_ms: i64,
        sql_now: i64,
    }
}

/// Explains each of the claims, in the transaction that did not grant them.
pub(super) async fn explain(
    conn: Conn<'_>,
    claims: &[Claim],
    bounds: TimeBounds,
) -> Result<Vec<UnclaimedTask>, StoreError> {
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let seen: Vec<TaskRow> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, kind, target_id, state, version, approved_version, due_at, not_before, grace_ms, $2 as sql_now
                   from task
                  where id in (select unhex(value ->> 0) from jsonb_each($1))",
            )
            .bind(claim::packed(claims)?)
            .bind(bounds.sql_now)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, kind, target_id, state, version, approved_version, due_at, not_before, grace_ms,
                        floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $2 as sql_now
                   from task
                  where id = any($1::uuid[])",
            )
            .bind(claim::ids(claims))
            .bind(bounds.sql_now)
            .fetch_all(c)
            .await?
        }
    };
    let seen: HashMap<Uuid, TaskRow> = seen.into_iter().map(|row| (row.id, row)).collect();
    Ok(claims
        .iter()
        .map(|claim| {
            let row = seen.get(&claim.task.0);
            let reason = row.map_or(UnclaimedReason::Stale(Stale::Gone), |row| reason(claim, row, bounds));
            UnclaimedTask { claim: *claim, target: row.map(|row| row.target_id), reason }
        })
        .collect())
}

fn reason(claim: &Claim, row: &TaskRow, TimeBounds { now, kinds, .. }: TimeBounds) -> UnclaimedReason {
    let ready_at = row.due_at.max(row.not_before.unwrap_or(row.due_at));
    let early = ready_at - row.sql_now.min(now.millis());
    let late = row.sql_now - row.due_at;
    let is_approved = row.approved_version == Some(row.version);
    UnclaimedReason::Stale(match () {
        () if row.state != "scheduled" => Stale::Ended,
        () if row.version != claim.version.0 => Stale::Changed,
        () if !kinds.contains(&row.kind.as_str()) => Stale::UnknownKind,
        () if early > 0 => Stale::Early { until: now.plus(early) },
        () if late > row.grace_ms => return UnclaimedReason::TooLate,
        () if !is_approved && late >= APPROVAL_GRACE_MS => return UnclaimedReason::TooLate,
        () if !is_approved => Stale::Unapproved,
        () => Stale::AfterEarlierTask,
    })
}
