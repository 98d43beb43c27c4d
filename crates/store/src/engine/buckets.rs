//! The number of buckets over which hints are spread. One number for all nodes; it can be changed
//! while they run.

use crate::{Conn, StoreError, setting};
use domain::Timestamp;

const SETTING: &str = "buckets";

/// The number of buckets and the previous one, whose hints may still be queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buckets {
    /// Number of buckets for new hints.
    pub count: u16,
    /// Number of buckets before the change.
    pub previous: u16,
    /// When the number was changed.
    pub changed_at: Timestamp,
}

impl Buckets {
    /// Returns the number of buckets that nodes must serve: the larger of both for `settle_ms`
    /// after a change, then the new one.
    #[must_use]
    pub fn served_count(self, now: Timestamp, settle_ms: i64) -> u16 {
        if now.since(self.changed_at) > settle_ms { self.count } else { self.count.max(self.previous) }
    }

    fn text(self) -> String {
        format!("{} {} {}", self.count, self.previous, self.changed_at.millis())
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let count = parts.next()?.parse().ok()?;
        let previous = parts.next()?.parse().ok()?;
        Some(Self { count, previous, changed_at: Timestamp::from_millis(parts.next()?.parse().ok()?) })
    }
}

/// Returns the number of buckets; `None`: not set yet.
pub async fn find(conn: Conn<'_>) -> Result<Option<Buckets>, StoreError> {
    let text = setting::find(conn, SETTING).await?;
    text.map(|text| Buckets::read(&text).ok_or(StoreError::Corrupt(format!("bucket setting {text:?}"))))
        .transpose()
}

/// Sets the number if it is not set yet; returns the number in effect.
pub async fn initialize(conn: Conn<'_>, count: u16) -> Result<u16, StoreError> {
    let first = Buckets { count, previous: count, changed_at: Timestamp::from_millis(0) };
    let text = setting::put_if_absent(conn, SETTING, &first.text()).await?;
    Ok(Buckets::read(&text).map_or(count, |current| current.count))
}

/// Changes the number. After two changes within `settle_ms`, the larger previous number stays in
/// effect.
pub async fn change(
    mut conn: Conn<'_>,
    count: u16,
    now: Timestamp,
    settle_ms: i64,
) -> Result<Buckets, StoreError> {
    let previous = find(conn.reborrow()).await?.map_or(count, |current| current.served_count(now, settle_ms));
    let changed = Buckets { count, previous, changed_at: now };
    setting::put(conn, SETTING, &changed.text()).await?;
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previous_buckets_are_served_until_their_hints_are_gone() {
        let at = Timestamp::from_millis;
        let fewer = Buckets { count: 4, previous: 32, changed_at: at(1_000) };
        assert_eq!(Buckets::read(&fewer.text()), Some(fewer));
        assert_eq!((fewer.served_count(at(2_000), 5_000), fewer.served_count(at(6_001), 5_000)), (32, 4));
        let more = Buckets { count: 64, ..fewer };
        assert_eq!((more.served_count(at(2_000), 5_000), more.served_count(at(6_001), 5_000)), (64, 64));
    }
}
