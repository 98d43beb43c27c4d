//! Registry of the nodes that use one Redis. Every node announces itself each second. This detects
//! nodes that use a different server, and other installations that use the same one.

use crate::{Member, Membership, QueueError, keys::Keys, redis::lazy_connection::LazyConnection};
use domain::Timestamp;
use std::time::Instant;
use uuid::Uuid;

/// A node that has not announced itself for this long is no longer listed as alive, milliseconds.
const DEAD_AFTER_MS: i64 = 10_000;
/// A node that has not announced itself for this long is removed from the registry, milliseconds.
const REMOVED_AFTER_MS: i64 = 3_600_000;
/// Maximum number of entries that are read, most recent first: other clients could also write to
/// the key.
const MAX_ENTRIES_READ: i64 = 1_000;

/// Announces a node, lists the others, and removes entries that are too old.
pub(crate) async fn announce(
    connection: &LazyConnection,
    keys: &Keys,
    member: Member,
    now: Timestamp,
) -> Result<Membership, QueueError> {
    let (mut open, key) = (connection.get().await?, keys.members());
    let started = Instant::now();
    let entries = entries(connection, &key).await?;
    let round_trip = started.elapsed();
    let own = member.to_string();
    let added = redis::cmd("ZADD").arg(&key).arg(now.millis()).arg(&own).exec_async(&mut open).await;
    connection.record(added)?;
    // The node's own entry is never removed, even if an old one was read before the write.
    let is_gone = |name: &str, at: i64| name != own && distance_ms(at, now) > REMOVED_AFTER_MS;
    let gone: Vec<&str> =
        entries.iter().filter(|(name, at)| is_gone(name, *at)).map(|(name, _)| name.as_str()).collect();
    if !gone.is_empty() {
        connection.record(redis::cmd("ZREM").arg(&key).arg(gone).exec_async(&mut open).await)?;
    }
    let data_id = data_id(connection, &keys.data_id()).await?;
    let others = live_members(entries, now).filter(|other| *other != member);
    Ok(Membership { data_id, members: others.chain([member]).collect(), round_trip })
}

/// Returns the data id stored under `key`; stores a new one if there is none. `None`: another
/// client wrote an invalid value at the same time.
async fn data_id(connection: &LazyConnection, key: &str) -> Result<Option<Uuid>, QueueError> {
    let known = get(connection, key).await?;
    if let Some(id) = known.as_deref().and_then(|text| text.parse().ok()) {
        return Ok(Some(id));
    }
    let (mut open, mut set) = (connection.get().await?, redis::cmd("SET"));
    set.arg(key).arg(Uuid::now_v7().simple().to_string());
    // NX: of two nodes that find no id, the first one wins. An invalid value is overwritten.
    if known.is_none() {
        set.arg("NX");
    }
    connection.record(set.exec_async(&mut open).await)?;
    Ok(get(connection, key).await?.and_then(|text| text.parse().ok()))
}

async fn get(connection: &LazyConnection, key: &str) -> Result<Option<String>, QueueError> {
    let mut open = connection.get().await?;
    connection.record(redis::cmd("GET").arg(key).query_async(&mut open).await)
}

/// Returns the live nodes of the registry under `key`.
pub(crate) async fn list(
    connection: &LazyConnection,
    key: &str,
    now: Timestamp,
) -> Result<Vec<Member>, QueueError> {
    Ok(live_members(entries(connection, key).await?, now).collect())
}

async fn entries(connection: &LazyConnection, key: &str) -> Result<Vec<(String, i64)>, QueueError> {
    let mut open = connection.get().await?;
    connection.record(
        redis::cmd("ZRANGE")
            .arg(key)
            .arg(-MAX_ENTRIES_READ)
            .arg(-1)
            .arg("WITHSCORES")
            .query_async(&mut open)
            .await,
    )
}

fn live_members(entries: Vec<(String, i64)>, now: Timestamp) -> impl Iterator<Item = Member> {
    let is_alive = move |(_, at): &(String, i64)| distance_ms(*at, now) < DEAD_AFTER_MS;
    entries.into_iter().filter(is_alive).filter_map(|(name, _)| name.parse().ok())
}

/// Absolute time difference: the clocks of other installations may be ahead or behind.
fn distance_ms(at: i64, now: Timestamp) -> i64 {
    (now.millis() - at).abs()
}
