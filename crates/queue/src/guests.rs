//! Who uses one Redis: every node shows itself there each second, so that nodes that use another one, and desks that use the same,
//! can be told.

use crate::{QueueError, keys::Keys, link::Link};
use domain::Timestamp;
use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Whoever has not shown itself for so long is gone, milliseconds.
const GONE_MS: i64 = 10_000;
/// So long after it last showed itself a node is taken off the list, milliseconds.
const LISTED_MS: i64 = 3_600_000;
/// So many of the list are read, those seen last: somebody else may write there, too.
const MOST: i64 = 1_000;

/// A node that showed itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guest {
    /// The desk it serves.
    pub desk: Uuid,
    /// Which process.
    pub node: Uuid,
}

/// What a node finds when it shows itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The name of the time since the server last forgot everything: another one than before, and it has done so since. In process
    /// there is none.
    pub era: Option<Uuid>,
    /// Who has shown itself in the last 10 s, of this desk and others, itself included.
    pub seen: Vec<Guest>,
    /// How long the server took for an answer.
    pub round_trip: Duration,
}

impl fmt::Display for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.desk.simple(), self.node.simple())
    }
}

impl FromStr for Guest {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        let (desk, node) = text.split_once('/').unwrap_or((text, ""));
        Ok(Self { desk: desk.parse()?, node: node.parse()? })
    }
}

/// Puts a node on the list, sees who else is there, and takes those off it that have been gone for long.
pub(crate) async fn show(
    link: &Link,
    keys: &Keys,
    guest: Guest,
    now: Timestamp,
) -> Result<Shown, QueueError> {
    let (mut wire, key) = (link.connection().await?, keys.nodes());
    let asked = Instant::now();
    let listed = listed(link, &key).await?;
    let round_trip = asked.elapsed();
    let own = guest.to_string();
    let put = redis::cmd("ZADD").arg(&key).arg(now.millis()).arg(&own).exec_async(&mut wire).await;
    link.settle(put)?;
    // Its own line is as young as can be, whatever was read of it before.
    let is_gone = |name: &str, at: i64| name != own && apart(at, now) > LISTED_MS;
    let gone: Vec<&str> =
        listed.iter().filter(|(name, at)| is_gone(name, *at)).map(|(name, _)| name.as_str()).collect();
    if !gone.is_empty() {
        link.settle(redis::cmd("ZREM").arg(&key).arg(gone).exec_async(&mut wire).await)?;
    }
    let era = era(link, &keys.era()).await?;
    let others = here(listed, now).filter(|other| *other != guest);
    Ok(Shown { era, seen: others.chain([guest]).collect(), round_trip })
}

/// The name under `key`; who finds none makes one up. `None`: somebody else wrote something there just now.
async fn era(link: &Link, key: &str) -> Result<Option<Uuid>, QueueError> {
    let known = read(link, key).await?;
    if let Some(era) = known.as_deref().and_then(|text| text.parse().ok()) {
        return Ok(Some(era));
    }
    let (mut wire, mut put) = (link.connection().await?, redis::cmd("SET"));
    put.arg(key).arg(Uuid::now_v7().simple().to_string());
    // Of two who find none one is first; what is no name may go.
    if known.is_none() {
        put.arg("NX");
    }
    link.settle(put.exec_async(&mut wire).await)?;
    Ok(read(link, key).await?.and_then(|text| text.parse().ok()))
}

async fn read(link: &Link, key: &str) -> Result<Option<String>, QueueError> {
    let mut wire = link.connection().await?;
    link.settle(redis::cmd("GET").arg(key).query_async(&mut wire).await)
}

/// Who is on the list under `key` and not gone.
pub(crate) async fn seen(link: &Link, key: &str, now: Timestamp) -> Result<Vec<Guest>, QueueError> {
    Ok(here(listed(link, key).await?, now).collect())
}

async fn listed(link: &Link, key: &str) -> Result<Vec<(String, i64)>, QueueError> {
    let mut wire = link.connection().await?;
    link.settle(
        redis::cmd("ZRANGE").arg(key).arg(-MOST).arg(-1).arg("WITHSCORES").query_async(&mut wire).await,
    )
}

fn here(listed: Vec<(String, i64)>, now: Timestamp) -> impl Iterator<Item = Guest> {
    let lives = move |(_, at): &(String, i64)| apart(*at, now) < GONE_MS;
    listed.into_iter().filter(lives).filter_map(|(name, _)| name.parse().ok())
}

/// Clocks of desks differ: ahead is as far away as behind.
fn apart(at: i64, now: Timestamp) -> i64 {
    (now.millis() - at).abs()
}
