//! Whether Redis was wiped: a node that was on its list of those who use it, and is there no more, has been forgotten with all else.

use domain::Timestamp;
use queue::{Guest, LISTED_MS};
use std::sync::{Mutex, PoisonError};

/// So long a wipe is told of on every page, milliseconds.
const NEWS_MS: i64 = 60_000;
/// And on the engine page.
const REMEMBERED_MS: i64 = 3_600_000;

/// Whether Redis has forgotten this node, and everything else.
#[derive(Debug, Default)]
pub struct Wipe(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Who was put on its list, and when.
    listed: Option<(Guest, Timestamp)>,
    /// When it was last there before it was forgotten, and when that was found out.
    wiped: Option<(Timestamp, Timestamp)>,
}

impl Wipe {
    /// Notes that a node was put on the list, on which it was not before if `is_new`; whether it should have been.
    pub fn note(&self, own: Guest, is_new: bool, now: Timestamp) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let was_listed = |(guest, at): &(Guest, Timestamp)| *guest == own && now.since(*at) < LISTED_MS;
        let last = known.listed.replace((own, now)).filter(was_listed).filter(|_| is_new);
        if let Some((_, at)) = last {
            known.wiped = Some((at, now));
        }
        last.is_some()
    }

    /// When Redis still held something, if it has forgotten everything a moment ago.
    #[must_use]
    pub fn since(&self, now: Timestamp) -> Option<Timestamp> {
        self.within(NEWS_MS, now).map(|(since, _)| since)
    }

    /// What happened, if it did within the hour.
    #[must_use]
    pub fn words(&self, now: Timestamp) -> Option<String> {
        let (_, at) = self.within(REMEMBERED_MS, now)?;
        let at = at.utc().format("%Y-%m-%d %H:%M:%S");
        Some(format!(
            "Found empty at {at} UTC: it was wiped, or restarted without its data. The hints were loaded again"
        ))
    }

    fn within(&self, span: i64, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.wiped.filter(|(_, at)| now.since(*at) < span)
    }
}
