//! Why the compare-and-set did not take what it did not take.

use super::claim::{self, Bounds, Claim, Stale};
use crate::{Conn, StoreError, row::row};
use std::collections::HashMap;
use uuid::Uuid;

/// How long a due task may wait for its approval before it is missed, milliseconds.
pub(super) const APPROVAL_GRACE_MS: i64 = 5_000;

/// What is to be done with a claim that was not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing, or nothing yet.
    Stale(Stale),
    /// It is too late for it.
    Lost,
}

/// A claim that was not granted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leftover {
    pub claim: Claim,
    pub target: Option<Uuid>,
    pub fate: Fate,
}

row! {
    /// A task as the compare-and-set sees it.
    struct Seen {
        id: Uuid,
        kind: String,
        target_id: Uuid,
        state: String,
        version: i32,
        approved_version: Option<i32>,
        due_at: i64,
        not_before: Option<i64>,
        late_grace: i64,
        sql_now: i64,
    }
}

/// Why each of the claims was not granted, in the transaction that did not grant it.
pub(super) async fn explain(
    conn: Conn<'_>,
    claims: &[Claim],
    bounds: Bounds,
) -> Result<Vec<Leftover>, StoreError> {
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let seen: Vec<Seen> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, kind, target_id, state, version, approved_version, due_at, not_before, late_grace, $2 as sql_now
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
                "select id, kind, target_id, state, version, approved_version, due_at, not_before, late_grace,
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
    let seen: HashMap<Uuid, Seen> = seen.into_iter().map(|row| (row.id, row)).collect();
    Ok(claims
        .iter()
        .map(|claim| {
            let row = seen.get(&claim.task.0);
            let fate = row.map_or(Fate::Stale(Stale::Gone), |row| fate(claim, row, bounds));
            Leftover { claim: *claim, target: row.map(|row| row.target_id), fate }
        })
        .collect())
}

fn fate(claim: &Claim, row: &Seen, Bounds { now, kinds, .. }: Bounds) -> Fate {
    let ready_at = row.due_at.max(row.not_before.unwrap_or(row.due_at));
    let early = ready_at - row.sql_now.min(now.millis());
    let late = row.sql_now - row.due_at;
    let is_approved = row.approved_version == Some(row.version);
    Fate::Stale(match () {
        () if row.state != "scheduled" => Stale::Ended,
        () if row.version != claim.version.0 => Stale::Changed,
        () if !kinds.contains(&row.kind.as_str()) => Stale::Foreign,
        () if early > 0 => Stale::Early { until: now.plus(early) },
        () if late > row.late_grace => return Fate::Lost,
        () if !is_approved && late >= APPROVAL_GRACE_MS => return Fate::Lost,
        () if !is_approved => Stale::Unapproved,
        () => Stale::Waits,
    })
}
