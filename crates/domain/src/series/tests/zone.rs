//! A time zone with the transitions of the fixture.

use super::super::{ZoneRules, zone_rules::local_seconds};
use crate::{Timestamp, time::Meaning};
use jiff::civil::DateTime;
use std::sync::LazyLock;

const TRANSITIONS: &str = include_str!("../../../../../tests/zones/transitions.txt");

/// The rules of one zone of the fixture.
#[derive(Debug, Clone)]
pub(super) struct TestZone {
    first: i64,
    /// Instant, offset before it, offset from it on; in seconds.
    changes: Vec<(i64, i64, i64)>,
}

/// The zone of the tests of edits, parsed once.
pub(super) static BERLIN: LazyLock<TestZone> = LazyLock::new(|| TestZone::named("Europe/Berlin"));

impl TestZone {
    pub(super) fn named(name: &str) -> Self {
        let has_name =
            |line: &&str| line.split('|').next().unwrap().split_whitespace().any(|one| one == name);
        let line =
            TRANSITIONS.lines().find(has_name).unwrap_or_else(|| panic!("{name} is not in the fixture"));
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let change = |text: &str| {
            let numbers: Vec<i64> = text.split(':').map(|part| part.parse().unwrap()).collect();
            (numbers[0], numbers[1], numbers[2])
        };
        let changes = parts[2].split(", ").filter(|text| !text.is_empty()).map(change).collect();
        Self { first: parts[1].parse().unwrap(), changes }
    }

    fn last_offset(&self, changes: &[(i64, i64, i64)]) -> i64 {
        changes.last().map_or(self.first, |change| change.2)
    }
}

impl ZoneRules for TestZone {
    fn meaning(&self, local: DateTime) -> Option<Meaning> {
        let local = local_seconds(local);
        let instant = |offset: i64| Timestamp::from_millis((local - offset) * 1_000);
        let index = self.changes.partition_point(|(at, before, after)| at + before.max(after) <= local);
        let Some((at, before, after)) = self.changes.get(index) else {
            return Some(Meaning::Once(instant(self.last_offset(&self.changes))));
        };
        Some(if local < at + before.min(after) {
            Meaning::Once(instant(*before))
        } else if before < after {
            Meaning::Never { jump: Timestamp::from_millis(at * 1_000) }
        } else {
            Meaning::Twice { earlier: instant(*before), later: instant(*after) }
        })
    }

    fn offset_seconds(&self, at: Timestamp) -> i32 {
        let index = self.changes.partition_point(|change| change.0 * 1_000 <= at.millis());
        i32::try_from(self.last_offset(&self.changes[..index])).unwrap()
    }
}
