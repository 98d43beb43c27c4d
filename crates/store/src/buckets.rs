//! How many buckets the hints are spread over: one number for all nodes, changed while they work.

use crate::{Conn, StoreError, setting};
use domain::Timestamp;

const SETTING: &str = "buckets";

/// The number of buckets, and the one before: its hints are still on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buckets {
    /// New hints are placed in so many.
    pub count: u16,
    /// There were so many before.
    pub former: u16,
    /// When it was changed.
    pub since: Timestamp,
}

impl Buckets {
    /// How many must be served: for `settle_ms` after a change as many as there ever were around it.
    #[must_use]
    pub fn served(self, now: Timestamp, settle_ms: i64) -> u16 {
        if now.since(self.since) > settle_ms { self.count } else { self.count.max(self.former) }
    }

    fn text(self) -> String {
        format!("{} {} {}", self.count, self.former, self.since.millis())
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let count = parts.next()?.parse().ok()?;
        let former = parts.next()?.parse().ok()?;
        Some(Self { count, former, since: Timestamp::from_millis(parts.next()?.parse().ok()?) })
    }
}

/// The number; `None`: nobody has said one yet.
pub async fn find(conn: Conn<'_>) -> Result<Option<Buckets>, StoreError> {
    let text = setting::find(conn, SETTING).await?;
    text.map(|text| Buckets::read(&text).ok_or(StoreError::Corrupt(format!("the buckets {text:?}"))))
        .transpose()
}

/// Says the number unless somebody has said one; returns the one that holds.
pub async fn begin(conn: Conn<'_>, count: u16) -> Result<u16, StoreError> {
    let first = Buckets { count, former: count, since: Timestamp::from_millis(0) };
    let text = setting::put_first(conn, SETTING, &first.text()).await?;
    Ok(Buckets::read(&text).map_or(count, |held| held.count))
}

/// Changes the number. Two changes within `settle_ms` keep the larger of what was before.
pub async fn change(
    mut conn: Conn<'_>,
    count: u16,
    now: Timestamp,
    settle_ms: i64,
) -> Result<Buckets, StoreError> {
    let former = find(conn.again()).await?.map_or(count, |held| held.served(now, settle_ms));
    let changed = Buckets { count, former, since: now };
    setting::put(conn, SETTING, &changed.text()).await?;
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_buckets_are_served_until_their_hints_are_gone() {
        let at = Timestamp::from_millis;
        let fewer = Buckets { count: 4, former: 32, since: at(1_000) };
        assert_eq!(Buckets::read(&fewer.text()), Some(fewer));
        assert_eq!((fewer.served(at(2_000), 5_000), fewer.served(at(6_001), 5_000)), (32, 4));
        let more = Buckets { count: 64, ..fewer };
        assert_eq!((more.served(at(2_000), 5_000), more.served(at(6_001), 5_000)), (64, 64));
    }
}
