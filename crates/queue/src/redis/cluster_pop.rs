//! Pops due hints from a cluster, where one command cannot use the keys of two buckets.

use crate::codec::RawHint;
use futures::future::try_join_all;
use redis::{RedisResult, cluster_async::ClusterConnection};
use std::num::NonZeroUsize;

/// Pops at limit `limit` hints from `lists` (all buckets of a priority, then all of the next).
/// Returns the hints for each non-empty list, with the index of the list, from 1. The buckets of a
/// priority are queried concurrently, each for a part of the limit.
pub(crate) async fn pop_from_cluster(
    cluster: &ClusterConnection,
    lists: &[String],
    buckets: usize,
    limit: usize,
) -> RedisResult<Vec<(usize, Vec<RawHint>)>> {
    let (mut popped, mut left) = (Vec::new(), limit);
    let indexes: Vec<usize> = (1..=lists.len()).collect();
    for lists_of_priority in indexes.chunks(buckets.max(1)) {
        let mut pending = lists_of_priority.to_vec();
        while left > 0 && !pending.is_empty() {
            let share = (left / pending.len()).max(1);
            // Lists beyond the limit are left for the next round.
            let mut more = pending.split_off(pending.len().min(left));
            let responses =
                try_join_all(pending.iter().map(|index| pop(cluster.clone(), &lists[index - 1], share)));
            for (index, hints) in pending.into_iter().zip(responses.await?) {
                left -= hints.len();
                if hints.len() == share {
                    more.push(index);
                }
                if !hints.is_empty() {
                    popped.push((index, hints));
                }
            }
            pending = more;
        }
    }
    Ok(popped)
}

async fn pop(mut cluster: ClusterConnection, list: &str, limit: usize) -> RedisResult<Vec<RawHint>> {
    let count = NonZeroUsize::new(limit);
    let hints: Option<Vec<RawHint>> =
        redis::cmd("LPOP").arg(list).arg(count).query_async(&mut cluster).await?;
    Ok(hints.unwrap_or_default())
}
