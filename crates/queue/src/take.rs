//! Taking due hints from a cluster: no command touches the keys of two buckets.

use crate::member::Raw;
use futures::future::try_join_all;
use redis::{RedisResult, cluster_async::ClusterConnection};
use std::num::NonZeroUsize;

/// Pops at most `limit` hints from `lists` (all buckets of a lane, then all of the next): for each list that gave some its
/// place, from 1, and the hints. The buckets of a lane are asked at once, each for its share.
pub(crate) async fn from_cluster(
    cluster: &ClusterConnection,
    lists: &[String],
    buckets: usize,
    limit: usize,
) -> RedisResult<Vec<(usize, Vec<Raw>)>> {
    let (mut taken, mut left) = (Vec::new(), limit);
    let places: Vec<usize> = (1..=lists.len()).collect();
    for lane in places.chunks(buckets.max(1)) {
        let mut lane = lane.to_vec();
        while left > 0 && !lane.is_empty() {
            let share = (left / lane.len()).max(1);
            // Those there is no room for wait for the next round.
            let mut more = lane.split_off(lane.len().min(left));
            let given = try_join_all(lane.iter().map(|place| pop(cluster.clone(), &lists[place - 1], share)));
            for (place, hints) in lane.into_iter().zip(given.await?) {
                left -= hints.len();
                if hints.len() == share {
                    more.push(place);
                }
                if !hints.is_empty() {
                    taken.push((place, hints));
                }
            }
            lane = more;
        }
    }
    Ok(taken)
}

async fn pop(mut cluster: ClusterConnection, list: &str, most: usize) -> RedisResult<Vec<Raw>> {
    let count = NonZeroUsize::new(most);
    let popped: Option<Vec<Raw>> = redis::cmd("LPOP").arg(list).arg(count).query_async(&mut cluster).await?;
    Ok(popped.unwrap_or_default())
}
