//! Pops due hints from a cluster, where one command cannot use the keys of two buckets.

use crate::{
    HintScope,
    codec::RawHint,
    order::{CLASSES, divide},
};
use domain::Priority;
use futures::future::try_join_all;
use redis::{RedisResult, cluster_async::ClusterConnection};
use std::num::NonZeroUsize;

/// Pops at most `limit` hints from `lists`, those of the scope: each rank with its buckets. Returns the
/// hints for each non-empty list, with the index of the list, from 1. The lists of a priority are queried
/// concurrently.
pub(crate) async fn pop_from_cluster(
    cluster: &ClusterConnection,
    lists: &[String],
    scope: HintScope,
    (limit, round): (usize, usize),
) -> RedisResult<Vec<(usize, Vec<RawHint>)>> {
    let (mut popped, mut left, mut first) = (Vec::new(), limit, 0);
    let buckets = lists.len() / scope.ranks().count();
    for priority in Priority::ALL {
        let indexes: Vec<usize> = (first..first + scope.classes(*priority) * buckets).collect();
        first += indexes.len();
        if left == 0 || indexes.is_empty() {
            continue;
        }
        let lengths = indexes.iter().map(|index| length(cluster.clone(), &lists[*index]));
        let lengths = try_join_all(lengths).await?;
        let mut waiting = [0; CLASSES];
        for (waiting, lengths) in waiting.iter_mut().zip(lengths.chunks(buckets)) {
            *waiting = lengths.iter().sum();
        }
        let counts = divide(left, waiting, round);
        let mut pops = Vec::new();
        for ((indexes, lengths), count) in indexes.chunks(buckets).zip(lengths.chunks(buckets)).zip(counts) {
            pops.extend(indexes.iter().copied().zip(spread(count, lengths)).filter(|(_, count)| *count > 0));
        }
        let responses = pops.iter().map(|(index, count)| pop(cluster.clone(), &lists[*index], *count));
        for ((index, _), hints) in pops.iter().zip(try_join_all(responses).await?) {
            left -= hints.len().min(left);
            if !hints.is_empty() {
                popped.push((index + 1, hints));
            }
        }
    }
    Ok(popped)
}

/// Spreads `count` over lists of these lengths, as evenly as they allow.
fn spread(count: usize, lengths: &[usize]) -> Vec<usize> {
    let (mut parts, mut left) = (vec![0; lengths.len()], count.min(lengths.iter().sum()));
    while left > 0 {
        let open = parts.iter().zip(lengths).filter(|(part, length)| part < length).count();
        let share = (left / open.max(1)).max(1);
        for (part, length) in parts.iter_mut().zip(lengths) {
            let more = (length - *part).min(share).min(left);
            *part += more;
            left -= more;
        }
    }
    parts
}

async fn length(mut cluster: ClusterConnection, list: &str) -> RedisResult<usize> {
    redis::cmd("LLEN").arg(list).query_async(&mut cluster).await
}

async fn pop(mut cluster: ClusterConnection, list: &str, limit: usize) -> RedisResult<Vec<RawHint>> {
    let count = NonZeroUsize::new(limit);
    let hints: Option<Vec<RawHint>> =
        redis::cmd("LPOP").arg(list).arg(count).query_async(&mut cluster).await?;
    Ok(hints.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_count_is_spread_over_the_lists_that_have_hints() {
        assert_eq!(spread(10, &[100, 0, 100]), [5, 0, 5]);
        assert_eq!(spread(10, &[1, 2, 100]), [1, 2, 7]);
        assert_eq!(spread(2, &[9, 9, 9]), [1, 1, 0]);
        assert_eq!(spread(10, &[1, 1]), [1, 1]);
        assert_eq!(spread(0, &[1]), [0]);
    }
}
