//! Changes of the UTC offset of a zone, for programs that do not know the zone by its name.

use super::{Zone, instant};
use domain::Timestamp;
use jiff::{civil::DateTime, tz::Offset};

/// Maximum number of changes that are read.
const MAX_CHANGES: usize = 64;

/// A change of the UTC offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OffsetChange {
    /// Local time of the change, by the offset before it; `None`: before all times in question.
    pub local: Option<DateTime>,
    /// Seconds east of UTC before it.
    pub before: i32,
    /// Seconds east of UTC after it.
    pub after: i32,
    /// Abbreviation after it, e.g. `CEST`.
    pub name: String,
    /// Whether daylight saving time begins.
    pub is_dst: bool,
}

impl Zone {
    /// Returns the offset that applies at `from`, then the changes until `to`, oldest first.
    #[must_use]
    pub fn changes(self, from: Timestamp, to: Timestamp) -> Vec<OffsetChange> {
        let (from, to) = (instant(from), instant(to));
        let first = self.rules.to_offset_info(from);
        let mut before = first.offset().seconds();
        let mut all = vec![OffsetChange {
            local: None,
            before,
            after: before,
            name: first.abbreviation().to_owned(),
            is_dst: first.dst().is_dst(),
        }];
        let changes = self.rules.following(from).take_while(|change| change.timestamp() <= to);
        for change in changes.take(MAX_CHANGES) {
            let offset = Offset::from_seconds(before).ok();
            let after = change.offset().seconds();
            all.push(OffsetChange {
                local: offset.map(|offset| offset.to_datetime(change.timestamp())),
                before,
                after,
                name: change.abbreviation().to_owned(),
                is_dst: change.dst().is_dst(),
            });
            before = after;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_of_a_year_are_listed() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let zone = Zone::stored("Europe/Berlin");
        let all = zone.changes(at("2027-01-01T00:00:00Z"), at("2027-12-31T00:00:00Z"));
        let facts = |one: &OffsetChange| (one.local.map(|at| at.to_string()), one.after, one.is_dst);
        let local = |text: &str| Some(text.to_owned());
        assert_eq!(
            all.iter().map(facts).collect::<Vec<_>>(),
            [
                (None, 3_600, false),
                (local("2027-03-28T02:00:00"), 7_200, true),
                (local("2027-10-31T03:00:00"), 3_600, false),
            ]
        );
        assert_eq!(Zone::UTC.changes(at("2027-01-01T00:00:00Z"), at("2028-01-01T00:00:00Z")).len(), 1);
    }
}
