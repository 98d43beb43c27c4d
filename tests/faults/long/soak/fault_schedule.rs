//! Faults of the soak test, drawn from a seed.

use super::servers::{NODES, Servers};
use crate::faults::{
    REQUEST_TIMEOUT,
    cluster::{Cluster, now},
    rng::Rng,
};
use domain::Timestamp;
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    net::TcpStream,
    time::{Instant, interval},
};
use tokio_util::sync::CancellationToken;

/// Copies hints of the future set to the publish lists too early, and adds invalid entries.
const PROMOTE_EARLY: &str = "
    for _, future in ipairs(redis.call('keys', 'pt:*:future:*')) do
        local publish = string.gsub(future, ':future:', ':publish:')
        for _, hint in ipairs(redis.call('zrange', future, 0, 99)) do
            redis.call('rpush', publish, hint .. '|0')
        end
        redis.call('rpush', publish, 'invalid', '')
    end";

/// A cluster and its servers, into which faults are injected.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub cluster: &'a Cluster,
    pub servers: &'a Servers,
}

/// Injected faults with their counts, and the outages in which nothing could be published.
#[derive(Debug, Default)]
pub struct FaultSchedule {
    counts: Mutex<BTreeMap<&'static str, u32>>,
    outages: Mutex<Vec<(Timestamp, Timestamp)>>,
}

impl FaultSchedule {
    /// Injects faults until `end`, cancels `stop`, then repairs everything.
    pub async fn run(&self, target: Target<'_>, seed: u64, end: Instant, stop: &CancellationToken) {
        let (rng, Target { cluster, servers }) = (Rng::new(seed), target);
        while Instant::now() < end {
            pause(150 + rng.millis(350)).await;
            self.inject(target, &rng).await;
        }
        stop.cancel();
        servers.to_postgres.hold(false);
        servers.to_redis.hold(false);
        servers.start_redis().await;
        for node in NODES {
            cluster.signal(node, "CONT").await;
            wait_until_listening(cluster, node).await;
        }
    }

    async fn inject(&self, target: Target<'_>, rng: &Rng) {
        match rng.below(120) {
            0..58 => self.inject_node_fault(target.cluster, rng).await,
            58..84 => self.inject_postgres_fault(target, rng).await,
            84..104 => self.inject_redis_fault(target.servers, rng).await,
            _ => self.inject_redis_state_fault(target.servers, rng).await,
        }
    }

    async fn inject_node_fault(&self, cluster: &Cluster, rng: &Rng) {
        let node = NODES[rng.below(NODES.len())];
        if rng.below(58) < 44 {
            self.count("kill -9 of a node");
            cluster.kill(node).await;
            pause(rng.millis(400)).await;
            cluster.spawn(node);
        } else {
            self.count("node paused (SIGSTOP)");
            cluster.signal(node, "STOP").await;
            pause(300 + rng.millis(2_000)).await;
            cluster.signal(node, "CONT").await;
        }
    }

    async fn inject_postgres_fault(&self, target: Target<'_>, rng: &Rng) {
        let (kind, began, Target { cluster, servers }) = (rng.below(26), now(), target);
        match kind {
            0..12 => {
                self.count("connections to PostgreSQL cut");
                return servers.to_postgres.cut();
            }
            12..19 => {
                self.count("PostgreSQL does not respond");
                servers.to_postgres.hold(true);
                pause(200 + rng.millis(1_200)).await;
                servers.to_postgres.hold(false);
            }
            19..23 => {
                self.count("PostgreSQL crashed and restarted");
                servers.postgres.stop();
                servers.postgres.restart().await;
            }
            _ => {
                self.count("tasks locked by another transaction");
                tokio::task::block_in_place(|| servers.lock_tasks(cluster, 200 + rng.millis(1_200)));
            }
        }
        self.outage(began);
    }

    async fn inject_redis_fault(&self, servers: &Servers, rng: &Rng) {
        match rng.below(20) {
            0..8 => {
                self.count("Redis wiped");
                servers.wipe_redis().await;
            }
            8..13 => {
                self.count("Redis killed and restarted empty");
                servers.kill_redis().await;
                pause(rng.millis(1_500)).await;
                servers.start_redis().await;
            }
            13..17 => {
                self.count("connections to Redis cut");
                servers.to_redis.cut();
            }
            _ => {
                self.count("Redis does not respond");
                servers.to_redis.hold(true);
                pause(500 + rng.millis(2_000)).await;
                servers.to_redis.hold(false);
            }
        }
    }

    async fn inject_redis_state_fault(&self, servers: &Servers, rng: &Rng) {
        let (kind, millis) = (rng.below(16), 200 + rng.millis(1_000));
        let policy = match kind {
            0..4 => "noeviction",
            4..7 => "allkeys-random",
            7..11 => {
                self.count("Redis scripts flushed");
                return servers.query_redis(&["script", "flush"]).await;
            }
            _ => {
                self.count("hints promoted early, and invalid entries");
                return servers.query_redis(&["eval", PROMOTE_EARLY, "0"]).await;
            }
        };
        self.count(if kind < 4 { "Redis full" } else { "Redis full, evicting" });
        servers.query_redis(&["config", "set", "maxmemory-policy", policy]).await;
        servers.query_redis(&["config", "set", "maxmemory", "1"]).await;
        pause(millis).await;
        servers.query_redis(&["config", "set", "maxmemory", "0"]).await;
        servers.query_redis(&["config", "set", "maxmemory-policy", "noeviction"]).await;
    }

    fn count(&self, fault: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(fault).or_default() += 1;
    }

    fn outage(&self, began: Timestamp) {
        let outage = (began, now());
        self.outages.lock().unwrap_or_else(PoisonError::into_inner).push(outage);
    }

    /// Returns the time from which lateness counts: the due time, or the end of the last outage
    /// before the publication.
    pub fn lateness_start(&self, due: Timestamp, at: Timestamp) -> Timestamp {
        let outages = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = outages.iter().filter(|(began, end)| *end > due && *began < at).map(|(_, end)| *end);
        ends.max().map_or(due, |end| end.min(at).max(due))
    }

    /// Returns one line for each kind of fault.
    pub fn table(&self) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(fault, count)| format!("  {count:5}  {fault}\n")).collect()
    }
}

/// Waits until a node listens. A node that exited because of a fault during its start is started
/// again.
async fn wait_until_listening(cluster: &Cluster, node: &str) {
    let (mut polls, end) = (interval(Duration::from_millis(50)), Instant::now() + REQUEST_TIMEOUT);
    cluster.spawn(node);
    while TcpStream::connect(("127.0.0.1", cluster.port(node))).await.is_err() {
        assert!(Instant::now() < end, "{node} does not listen:\n{}", cluster.log(node));
        polls.tick().await;
        cluster.spawn(node);
    }
}

/// Waits for the duration of a fault.
async fn pause(millis: i64) {
    tokio::time::sleep(Duration::from_millis(u64::try_from(millis).unwrap_or(0))).await;
}
