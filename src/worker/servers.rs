//! What this node finds out each second about the servers it stands on: whether they are slow, who uses the same
//! Redis, and whether it has forgotten them.

use crate::{presence::Apart, wipe::Wipe};
use domain::{Timestamp, engine::Weather};
use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

/// A beat is some ten round trips and one commit: what takes longer makes everything late.
const SLOW_DATABASE: Duration = Duration::from_secs(1);
/// What is due takes two round trips to Redis: with longer ones nothing is on time.
const SLOW_HINTS: Duration = Duration::from_millis(250);
/// So long after it should have come through, the canary is stuck: with the second between two times, a dead engine is
/// known within 5 s, milliseconds.
const STUCK_MS: i64 = 4_000;
/// The same while the database is slow: the canary is, too.
const STUCK_SLOW_MS: i64 = 15_000;
/// Once may be chance: so many times in a row, and it is slow.
const IN_A_ROW: u32 = 2;

/// How fast a server was the last times it was looked at.
#[derive(Debug)]
pub struct Pace {
    limit: Duration,
    in_a_row: AtomicU32,
}

impl Pace {
    /// Of a server whose answers may take so long.
    #[must_use]
    pub const fn within(limit: Duration) -> Self {
        Self { limit, in_a_row: AtomicU32::new(0) }
    }

    /// Notes how long an answer took; `None`: there was none, which others tell of.
    pub fn note(&self, took: Option<Duration>) {
        match took.is_some_and(|took| took > self.limit) {
            true => self.in_a_row.fetch_add(1, Relaxed),
            false => self.in_a_row.swap(0, Relaxed),
        };
    }

    /// Whether it is slow.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        self.in_a_row.load(Relaxed) >= IN_A_ROW
    }
}

/// The database and Redis.
#[derive(Debug)]
pub struct Servers {
    /// Of a beat in the database.
    pub database: Pace,
    /// Of a round trip to Redis.
    pub hints: Pace,
    /// Who does not use the same Redis.
    pub apart: Apart,
    /// Whether Redis has forgotten what it held.
    pub wipe: Wipe,
}

impl Default for Servers {
    fn default() -> Self {
        let (database, hints) = (Pace::within(SLOW_DATABASE), Pace::within(SLOW_HINTS));
        Self { database, hints, apart: Apart::default(), wipe: Wipe::default() }
    }
}

impl Servers {
    /// So long after it should have come through, the canary is stuck, milliseconds.
    #[must_use]
    pub fn canary_ms(&self) -> i64 {
        if self.database.is_slow() { STUCK_SLOW_MS } else { STUCK_MS }
    }

    /// What is wrong with them although they answer, the gravest.
    #[must_use]
    pub fn weather(&self, now: Timestamp) -> Option<Weather> {
        let database = self.database.is_slow().then_some(Weather::DatabaseSlow);
        let hints = self.hints.is_slow().then_some(Weather::HintsSlow);
        let apart = self.apart.fault(now).map(|_| Weather::HintsApart);
        database.or(hints).or(apart).or(self.wipe.news(now).map(|_| Weather::HintsWiped))
    }
}
