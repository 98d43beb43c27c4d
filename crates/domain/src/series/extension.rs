//! Which occurrences are stored ahead of time, for the task `series.extend`.

use super::{MAX_STORED_AHEAD, Occurrence, Series, Step, ZoneRules, zone_rules::add_days};
use crate::Timestamp;
use jiff::civil::DateTime;

/// What the task `series.extend` has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// Occurrences to store, in order. Storing one again has no effect: its identity is the series
    /// and its original local time.
    pub occurrences: Vec<Occurrence>,
    /// When the task is due again: at the middle one of those that are still to come. `None`: the
    /// series has no more occurrences.
    pub again_at: Option<Timestamp>,
}

impl Series {
    /// The occurrences to store: those after `stored_until` that are still to come, so that
    /// [`MAX_STORED_AHEAD`] are stored ahead of `now`. Occurrences that passed while no node ran
    /// are not among them. `stored_until`: the last original local time stored; `None`: none.
    #[must_use]
    pub fn extension(
        &self,
        zone: &dyn ZoneRules,
        stored_until: Option<DateTime>,
        now: Timestamp,
    ) -> Extension {
        let today = zone.local_at(now).map(|local| local.date());
        let date = today.and_then(|today| add_days(today, -2)).unwrap_or(self.starts_local.date());
        let upcoming = self.steps_from(zone, date).filter_map(Step::occurrence);
        let mut ahead: Vec<Occurrence> =
            upcoming.filter(|occurrence| occurrence.at > now).take(MAX_STORED_AHEAD + 1).collect();
        let has_more = ahead.len() > MAX_STORED_AHEAD;
        ahead.truncate(MAX_STORED_AHEAD);
        let again_at = has_more.then(|| ahead[MAX_STORED_AHEAD / 2].at);
        let is_new =
            |occurrence: &Occurrence| stored_until.is_none_or(|last| occurrence.original_local > last);
        ahead.retain(is_new);
        Extension { occurrences: ahead, again_at }
    }
}
