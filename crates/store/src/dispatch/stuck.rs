//! Messages that could leave and do not.

use super::lanes;
use crate::{Conn, StoreError, db::on, row::row};
use domain::Timestamp;
use std::collections::BTreeSet;
use uuid::Uuid;

row! {
    /// A channel at which nothing moves.
    struct Still {
        id: Uuid,
        name: String,
    }
}

/// What does not move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stuck {
    /// Channels whose messages were due before that moment and whose attempts have not ended since, by name.
    pub channels: BTreeSet<String>,
    /// Attempts whose claim was over by then, and which nobody has given up.
    pub claims: i64,
}

/// What was due before that moment, may leave, and does not. Nothing while messages are held, paused or rest.
pub async fn stuck(mut conn: Conn<'_>, before: Timestamp) -> Result<Stuck, StoreError> {
    let is_before = |at: Option<i64>| at.is_some_and(|at| at < before.millis());
    let lanes = lanes(conn.again()).await?.into_iter();
    let due = lanes.filter(|lane| is_before(lane.next_at) && is_before(lane.rests_until.or(Some(0))));
    let due: BTreeSet<Uuid> = due.map(|lane| lane.id).collect();
    let claims = on!(conn.again(), c => sqlx::query_scalar(
        "select count(*) from delivery where state = 'sending' and lease_until < $1")
        .bind(before.millis()).fetch_one(c).await)?;
    if due.is_empty() {
        return Ok(Stuck { claims, ..Stuck::default() });
    }
    let still: Vec<Still> = on!(conn, c => sqlx::query_as(
        "select id, name from channel where coalesce(succeeded_at, 0) < $1 and coalesce(failed_at, 0) < $1")
        .bind(before.millis()).fetch_all(c).await)?;
    let channels = still.into_iter().filter(|one| due.contains(&one.id)).map(|one| one.name).collect();
    Ok(Stuck { channels, claims })
}
