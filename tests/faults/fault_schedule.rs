//! Faults of the soak test, drawn from a seed.

use crate::{
    cluster::{Cluster, NODES},
    rng::Rng,
};
use domain::{Clock as _, Timestamp, clock::SystemClock};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;
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

/// Injected faults with their counts, and the outages in which nothing could be published.
#[derive(Debug, Default)]
pub struct FaultSchedule {
    counts: Mutex<BTreeMap<&'static str, u32>>,
    outages: Mutex<Vec<(Timestamp, Timestamp)>>,
}

impl FaultSchedule {
    /// Injects faults until `end`, cancels `stop`, then repairs everything.
    pub async fn run(&self, cluster: &Cluster, seed: u64, end: Instant, stop: &CancellationToken) {
        let rng = Rng::new(seed);
        while Instant::now() < end {
            pause(150 + rng.millis(350)).await;
            self.inject(cluster, &rng).await;
        }
        stop.cancel();
        cluster.to_postgres.hold(false);
        cluster.to_redis.hold(false);
        cluster.start_redis().await;
        for number in 0..NODES {
            cluster.signal(number, "CONT").await;
            cluster.start_node(number).await;
            cluster.wait_until_listening(number).await;
        }
    }

    async fn inject(&self, cluster: &Cluster, rng: &Rng) {
        match rng.below(120) {
            0..58 => self.inject_node_fault(cluster, rng).await,
            58..84 => self.inject_postgres_fault(cluster, rng).await,
            84..104 => self.inject_redis_fault(cluster, rng).await,
            _ => self.inject_redis_state_fault(cluster, rng).await,
        }
    }

    async fn inject_node_fault(&self, cluster: &Cluster, rng: &Rng) {
        let number = rng.below(NODES);
        if rng.below(58) < 44 {
            self.count("kill -9 of a node");
            cluster.kill(number).await;
            pause(rng.millis(400)).await;
            cluster.start_node(number).await;
        } else {
            self.count("node paused (SIGSTOP)");
            cluster.signal(number, "STOP").await;
            pause(300 + rng.millis(2_000)).await;
            cluster.signal(number, "CONT").await;
        }
    }

    async fn inject_postgres_fault(&self, cluster: &Cluster, rng: &Rng) {
        let (kind, began) = (rng.below(26), SystemClock.now());
        match kind {
            0..12 => {
                self.count("connections to PostgreSQL cut");
                return cluster.to_postgres.cut();
            }
            12..19 => {
                self.count("PostgreSQL does not respond");
                cluster.to_postgres.hold(true);
                pause(200 + rng.millis(1_200)).await;
                cluster.to_postgres.hold(false);
            }
            19..23 => {
                self.count("PostgreSQL crashed and restarted");
                cluster.postgres.stop();
                cluster.postgres.restart().await;
            }
            _ => {
                self.count("tasks locked by another transaction");
                tokio::task::block_in_place(|| cluster.lock_tasks(200 + rng.millis(1_200)));
            }
        }
        self.outage(began);
    }

    async fn inject_redis_fault(&self, cluster: &Cluster, rng: &Rng) {
        match rng.below(20) {
            0..8 => {
                self.count("Redis wiped");
                cluster.wipe_redis().await;
            }
            8..13 => {
                self.count("Redis killed and restarted empty");
                cluster.kill_redis().await;
                pause(rng.millis(1_500)).await;
                cluster.start_redis().await;
            }
            13..17 => {
                self.count("connections to Redis cut");
                cluster.to_redis.cut();
            }
            _ => {
                self.count("Redis does not respond");
                cluster.to_redis.hold(true);
                pause(500 + rng.millis(2_000)).await;
                cluster.to_redis.hold(false);
            }
        }
    }

    async fn inject_redis_state_fault(&self, cluster: &Cluster, rng: &Rng) {
        let (kind, millis) = (rng.below(16), 200 + rng.millis(1_000));
        let policy = match kind {
            0..4 => "noeviction",
            4..7 => "allkeys-random",
            7..11 => {
                self.count("Redis scripts flushed");
                return cluster.query_redis(&["script", "flush"]).await;
            }
            _ => {
                self.count("hints promoted early, and invalid entries");
                return cluster.query_redis(&["eval", PROMOTE_EARLY, "0"]).await;
            }
        };
        self.count(if kind < 4 { "Redis full" } else { "Redis full, evicting" });
        cluster.query_redis(&["config", "set", "maxmemory-policy", policy]).await;
        cluster.query_redis(&["config", "set", "maxmemory", "1"]).await;
        pause(millis).await;
        cluster.query_redis(&["config", "set", "maxmemory", "0"]).await;
        cluster.query_redis(&["config", "set", "maxmemory-policy", "noeviction"]).await;
    }

    fn count(&self, fault: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(fault).or_default() += 1;
    }

    fn outage(&self, began: Timestamp) {
        let outage = (began, SystemClock.now());
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

/// Waits for the duration of a fault.
async fn pause(millis: i64) {
    tokio::time::sleep(Duration::from_millis(u64::try_from(millis).unwrap_or(0))).await;
}
