//! The rules of a time zone for the next 13 months, which the server sends to browsers.

use crate::{
    Timestamp,
    base::{calendar::local_seconds, zone_rules::ZoneRules},
    time::Meaning,
};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// How far ahead a window reaches, in milliseconds: 400 days.
pub const WINDOW_MS: i64 = 400 * 86_400_000;

/// The UTC offsets of a zone in a window of time. Before and after it, the first and the last offset
/// hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneWindow {
    /// IANA name of the zone.
    pub zone: String,
    /// Seconds east of UTC at the beginning.
    pub first_offset: i32,
    /// The changes, in order of time: the instant, and the seconds east of UTC from then on.
    pub changes: Vec<(Timestamp, i32)>,
}

impl ZoneWindow {
    /// A zone without changes.
    #[must_use]
    pub fn fixed(zone: &str, offset_seconds: i32) -> Self {
        Self { zone: zone.to_owned(), first_offset: offset_seconds, changes: Vec::new() }
    }

    /// Reads the offsets of `rules` from `from` on.
    #[must_use]
    pub fn new(zone: &str, rules: &dyn ZoneRules, from: Timestamp) -> Self {
        const STEP_MS: i64 = 6 * 3_600_000;
        let mut window = Self::fixed(zone, rules.offset_seconds(from));
        let (mut at, end) = (from, from.plus(WINDOW_MS));
        while at < end {
            let next = at.plus(STEP_MS);
            let (before, after) = (rules.offset_seconds(at), rules.offset_seconds(next));
            if before != after {
                // The instant of the change, by bisection.
                let (mut low, mut high) = (at.millis(), next.millis());
                while high - low > 1 {
                    let middle = low.midpoint(high);
                    let is_before = rules.offset_seconds(Timestamp::from_millis(middle)) == before;
                    *if is_before { &mut low } else { &mut high } = middle;
                }
                window.changes.push((Timestamp::from_millis(high), after));
            }
            at = next;
        }
        window
    }
}

impl ZoneRules for ZoneWindow {
    fn meaning(&self, local: DateTime) -> Option<Meaning> {
        let as_utc = local_seconds(local) * 1_000;
        let mut found: Option<Timestamp> = None;
        let (mut from, mut offset) = (i64::MIN, self.first_offset);
        let ends = self.changes.iter().map(Some).chain([None]);
        for end in ends {
            let at = as_utc - i64::from(offset) * 1_000;
            let until = end.map_or(i64::MAX, |(change, _)| change.millis());
            if (from..until).contains(&at) {
                match found {
                    None => found = Some(at.into()),
                    Some(earlier) => return Some(Meaning::Twice { earlier, later: at.into() }),
                }
            } else if at < from && found.is_none() {
                return Some(Meaning::Never { jump: from.into() });
            }
            if let Some((change, next)) = end {
                (from, offset) = (change.millis(), *next);
            }
        }
        found.map(Meaning::Once)
    }

    fn offset_seconds(&self, at: Timestamp) -> i32 {
        let last = self.changes.iter().take_while(|(change, _)| *change <= at).last();
        last.map_or(self.first_offset, |(_, offset)| *offset)
    }
}
