//! Scenarios like those of the matrix that assert how long something takes: they run two at a time
//! while nothing else runs. The one that takes longest comes first in the order of their names.

mod all_data_lost;
mod clock;
mod debian_root;
mod full_disk;
mod litestream;
mod outage;
mod postgres_failover;
mod redis_cluster;
mod redis_failover;
mod redis_refusals;

use crate::faults::{cluster::Cluster, drafts, observer};
use uuid::Uuid;

/// Maximum lateness in milliseconds, whatever Redis does.
const MAX_LATENESS_MS: i64 = 5_000;

/// Starts two nodes with this mutant on this database and Redis, with the observer and drafts.
async fn start_cluster(
    database: String,
    redis_url: String,
    mutant: Option<&str>,
    count: usize,
) -> (Cluster, Vec<Uuid>) {
    let mut cluster = Cluster::open(Some(database), None).await;
    cluster.redis_url = Some(redis_url);
    cluster.use_mutant(mutant);
    observer::install(&cluster).await;
    let drafts = drafts::create(&cluster, count).await;
    for name in ["a", "b"] {
        cluster.start(name).await;
        cluster.wait_until_ready(name).await;
    }
    (cluster, drafts)
}
