//! Whether Redis was wiped: the first who finds no name for the time since then gives it one, and a node that knew another has been
//! forgotten with all else.

use domain::{Timestamp, fault::Fault};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// So long a wipe is told of on every page, milliseconds.
pub const NEWS_MS: i64 = 60_000;
/// And on the engine page.
const REMEMBERED_MS: i64 = 3_600_000;

/// Whether Redis has forgotten everything.
#[derive(Debug, Default)]
pub struct Wipe(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The name of this time, and when Redis last told it.
    era: Option<(Uuid, Timestamp)>,
    last: Option<Wiped>,
}

/// A time at which Redis forgot everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wiped {
    /// When it last held something.
    pub since: Timestamp,
    /// When it was found out.
    pub found_at: Timestamp,
}

impl Wipe {
    /// Notes the name that Redis tells; whether it has forgotten everything since it told the last one.
    pub fn note(&self, era: Uuid, now: Timestamp) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let former = known.era.replace((era, now)).filter(|(former, _)| *former != era);
        if let Some((_, since)) = former {
            known.last = Some(Wiped { since, found_at: now });
        }
        former.is_some()
    }

    /// The last time it happened, if that was within the last minute.
    #[must_use]
    pub fn news(&self, now: Timestamp) -> Option<Wiped> {
        self.within(NEWS_MS, now)
    }

    /// What happened, if it did within the hour.
    #[must_use]
    pub fn fault(&self, now: Timestamp) -> Option<Fault> {
        Some(Fault::HintsWiped { at: self.within(REMEMBERED_MS, now)?.found_at })
    }

    fn within(&self, span: i64, now: Timestamp) -> Option<Wiped> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back must not make it last.
        known.last.filter(|last| (0..span).contains(&now.since(last.found_at)))
    }
}
