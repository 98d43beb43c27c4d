//! Bad weather: what is done to the cluster, drawn from a seed.

use crate::{
    cluster::{Cluster, NODES},
    dice::Dice,
};
use domain::{Clock as _, Timestamp, clock::SystemClock};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What was done, how often, and when nothing could go out.
#[derive(Debug, Default)]
pub struct Weather {
    counts: Mutex<BTreeMap<&'static str, u32>>,
    outages: Mutex<Vec<(Timestamp, Timestamp)>>,
}

impl Weather {
    /// Blows until `end` and says so by `over`; then everything is there again.
    pub async fn blow(&self, cluster: &Cluster, seed: u64, end: Instant, over: &CancellationToken) {
        let dice = Dice::new(seed);
        while Instant::now() < end {
            pause(150 + dice.millis(350)).await;
            self.gust(cluster, &dice).await;
        }
        over.cancel();
        cluster.to_postgres.hold(false);
        cluster.to_redis.hold(false);
        cluster.revive_redis().await;
        for number in 0..NODES {
            cluster.signal(number, "CONT").await;
            cluster.revive(number).await;
            cluster.answers(number).await;
        }
    }

    async fn gust(&self, cluster: &Cluster, dice: &Dice) {
        let number = dice.below(NODES);
        match dice.below(100) {
            0..36 => {
                self.count("kill -9 of a node");
                cluster.kill(number).await;
                pause(dice.millis(400)).await;
                cluster.revive(number).await;
            }
            36..50 => {
                self.count("node stopped and let go (SIGSTOP)");
                cluster.signal(number, "STOP").await;
                pause(300 + dice.millis(2_000)).await;
                cluster.signal(number, "CONT").await;
            }
            50..64 => {
                self.count("connections to PostgreSQL cut");
                cluster.to_postgres.cut();
            }
            64..72 => {
                self.count("PostgreSQL does not answer");
                let began = SystemClock.now();
                cluster.to_postgres.hold(true);
                pause(200 + dice.millis(1_200)).await;
                cluster.to_postgres.hold(false);
                self.outage(began);
            }
            72..76 => {
                self.count("PostgreSQL stopped at once and started");
                let began = SystemClock.now();
                cluster.postgres.stop();
                cluster.postgres.start_again().await;
                self.outage(began);
            }
            76..86 => {
                self.count("Redis wiped");
                cluster.wipe_redis().await;
            }
            86..92 => {
                self.count("Redis killed and started empty");
                cluster.kill_redis().await;
                pause(dice.millis(1_500)).await;
                cluster.revive_redis().await;
            }
            92..96 => {
                self.count("connections to Redis cut");
                cluster.to_redis.cut();
            }
            _ => {
                self.count("Redis does not answer");
                cluster.to_redis.hold(true);
                pause(500 + dice.millis(2_000)).await;
                cluster.to_redis.hold(false);
            }
        }
    }

    fn count(&self, what: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(what).or_default() += 1;
    }

    fn outage(&self, began: Timestamp) {
        let outage = (began, SystemClock.now());
        self.outages.lock().unwrap_or_else(PoisonError::into_inner).push(outage);
    }

    /// The moment from which a lag is counted: when it was due, or the end of the last outage before it went out.
    pub fn counts_from(&self, due: Timestamp, at: Timestamp) -> Timestamp {
        let outages = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = outages.iter().filter(|(began, end)| *end > due && *began < at).map(|(_, end)| *end);
        ends.max().map_or(due, |end| end.min(at).max(due))
    }

    /// One line for each kind.
    pub fn table(&self) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(what, count)| format!("  {count:5}  {what}\n")).collect()
    }
}

/// Lets the weather be as it is. How long it lasts is part of it: there is nothing to wait for.
async fn pause(millis: i64) {
    tokio::time::sleep(Duration::from_millis(u64::try_from(millis).unwrap_or(0))).await;
}
