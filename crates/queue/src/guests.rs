//! Who uses one Redis: every node shows itself there each second, so that nodes that use another one, and desks that use the same,
//! can be told.

use crate::{QueueError, link::Link};
use domain::Timestamp;
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Whoever has not shown itself for so long is gone, milliseconds.
const GONE_MS: i64 = 10_000;
/// So long after it was last seen it is taken off the list, milliseconds.
const FORGOTTEN_MS: i64 = 3_600_000;
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

/// Puts a node on the list under `key`, and takes those off it that have been gone for long.
pub(crate) async fn show(link: &Link, key: &str, guest: Guest, now: Timestamp) -> Result<(), QueueError> {
    let mut wire = link.connection().await?;
    let put =
        redis::cmd("ZADD").arg(key).arg(now.millis()).arg(guest.to_string()).exec_async(&mut wire).await;
    link.settle(put)?;
    let gone = listed(link, key).await?.into_iter().filter(|(_, at)| apart(*at, now) > FORGOTTEN_MS);
    let gone: Vec<String> = gone.map(|(name, _)| name).collect();
    if gone.is_empty() {
        return Ok(());
    }
    link.settle(redis::cmd("ZREM").arg(key).arg(gone).exec_async(&mut wire).await)
}

/// Who is on the list under `key` and not gone.
pub(crate) async fn seen(link: &Link, key: &str, now: Timestamp) -> Result<Vec<Guest>, QueueError> {
    let here = listed(link, key).await?.into_iter().filter(|(_, at)| apart(*at, now) < GONE_MS);
    Ok(here.filter_map(|(name, _)| name.parse().ok()).collect())
}

async fn listed(link: &Link, key: &str) -> Result<Vec<(String, i64)>, QueueError> {
    let mut wire = link.connection().await?;
    link.settle(
        redis::cmd("ZRANGE").arg(key).arg(-MOST).arg(-1).arg("WITHSCORES").query_async(&mut wire).await,
    )
}

/// Clocks of desks differ: ahead is as far away as behind.
fn apart(at: i64, now: Timestamp) -> i64 {
    (now.millis() - at).abs()
}
