//! Lengths of the future sets and publish lists, as Redis returns them.

use crate::codec::RawHint;

/// Length of the future set, length of the publish list and its first entry, for each priority.
pub(crate) type PriorityCounts =
    (u64, u64, Option<RawHint>, u64, u64, Option<RawHint>, u64, u64, Option<RawHint>);

/// Groups the counts by priority.
pub(crate) fn triples((a, b, c, d, e, f, g, h, i): PriorityCounts) -> [(u64, u64, Option<RawHint>); 3] {
    [(a, b, c), (d, e, f), (g, h, i)]
}
