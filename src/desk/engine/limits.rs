//! How many tasks of a kind may be executed at once: read, decided by admins, kept to by every node.

use crate::{desk::broken, parts::Parts};
use domain::{Actor, Kind, Refusal, Version, kind::KindLimit, limit::AT_ONCE_MAX, refusal::Problem};
use serde_json::json;
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    execute::Limit,
    kind_limit::{self, Row},
};
use uuid::Uuid;

/// The limits the engine keeps to, of the kinds this release knows.
#[must_use]
pub fn known(rows: &[Row]) -> Vec<Limit> {
    let limit = |(kind, at_once, _): &Row| {
        let kind: Kind = kind.parse().ok()?;
        Some((kind.as_str(), u16::try_from((*at_once)?).ok()?))
    };
    rows.iter().filter_map(limit).collect()
}

/// The limit of each kind.
pub async fn read(parts: &Parts) -> Result<Vec<KindLimit>, StoreError> {
    let mut lease = parts.store.read(Who::People).await?;
    let rows = kind_limit::all(lease.conn()).await?;
    let of = |kind: Kind| {
        let row = rows.iter().find(|(name, ..)| name == kind.as_str());
        let at_once = row.and_then(|(_, at_once, _)| u16::try_from((*at_once)?).ok());
        KindLimit { kind, at_once, version: Version(row.map_or(0, |(.., version)| *version)) }
    };
    Ok(Kind::ALL.iter().map(|kind| of(*kind)).collect())
}

/// The limit, if it can be one.
pub fn checked(at_once: Option<u16>) -> Result<Option<u16>, Refusal> {
    if at_once.is_none_or(|most| (1..=AT_ONCE_MAX).contains(&most)) {
        return Ok(at_once);
    }
    let why = format!("at_once must be between 1 and {AT_ONCE_MAX}, or empty");
    Err(Refusal::invalid("at_once", Problem::Unreadable { why }))
}

/// Sets the limit of a kind, if `seen` is its version.
pub async fn change(
    parts: &Parts,
    actor: &Actor,
    kind: Kind,
    at_once: Option<u16>,
    seen: Version,
) -> Result<KindLimit, Refusal> {
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let set = kind_limit::set(tx.conn(), kind.as_str(), at_once, seen.0).await.map_err(broken)?;
    let version = Version(set.ok_or(Refusal::Changed)?);
    let mut event = NewEvent::plain(parts.clock.now(), Some(actor.person), "engine", Uuid::nil(), "limit");
    event.detail = json!({"kind": kind, "at_once": at_once}).to_string();
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    parts.pulse.set_limits(known(&rows));
    parts.committed.notify_waiters();
    Ok(KindLimit { kind, at_once, version })
}
