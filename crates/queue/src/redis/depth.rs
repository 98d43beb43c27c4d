//! Lengths of the future sets and publish lists, as Redis returns them.

use crate::{
    QueueDepth,
    codec::{self, RawHint},
    keys::Keys,
    order::{CLASSES, Rank},
};
use domain::KindClass;
use redis::Pipeline;

/// Length of the future set, length of the publish list and its first entry.
pub(crate) type RankCounts = (u64, u64, Option<RawHint>);

/// Adds the commands that return the [`RankCounts`] of one bucket, in the order of the ranks.
pub(crate) fn count(pipeline: &mut Pipeline, keys: &Keys, bucket: u16) {
    for rank in Rank::all() {
        pipeline.zcard(keys.future(bucket, rank));
        pipeline.llen(keys.publish(bucket, rank));
        pipeline.lindex(keys.publish(bucket, rank), 0);
    }
}

/// Sums the counts of all buckets.
pub(crate) fn sum(buckets: &[Vec<RankCounts>]) -> QueueDepth {
    let mut depth = QueueDepth::default();
    for (index, (future, publish, first)) in buckets.iter().flat_map(|ranks| ranks.iter().enumerate()) {
        depth.future += future;
        depth.publish += publish;
        if index % CLASSES == KindClass::Content as usize {
            depth.content += future + publish;
        }
        let moved_at = first.as_deref().and_then(codec::decode_due).map(|(_, _, moved_at)| moved_at);
        let oldest = &mut depth.oldest_moved_at[index % CLASSES];
        *oldest = (*oldest).into_iter().chain(moved_at).min();
    }
    depth
}
