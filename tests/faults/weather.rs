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

/// Puts what waits for its moment on the lists of what is due, and nonsense beside it.
const EARLY: &str = "
    for _, future in ipairs(redis.call('keys', 'pt:*:future:*')) do
        local publish = string.gsub(future, ':future:', ':publish:')
        for _, hint in ipairs(redis.call('zrange', future, 0, 99)) do
            redis.call('rpush', publish, hint .. '|0')
        end
        redis.call('rpush', publish, 'nonsense', '')
    end";

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
        match dice.below(120) {
            0..58 => self.at_a_node(cluster, dice).await,
            58..84 => self.at_postgres(cluster, dice).await,
            84..104 => self.at_redis(cluster, dice).await,
            _ => self.in_redis(cluster, dice).await,
        }
    }

    async fn at_a_node(&self, cluster: &Cluster, dice: &Dice) {
        let number = dice.below(NODES);
        if dice.below(58) < 44 {
            self.count("kill -9 of a node");
            cluster.kill(number).await;
            pause(dice.millis(400)).await;
            cluster.revive(number).await;
        } else {
            self.count("node stopped and let go (SIGSTOP)");
            cluster.signal(number, "STOP").await;
            pause(300 + dice.millis(2_000)).await;
            cluster.signal(number, "CONT").await;
        }
    }

    async fn at_postgres(&self, cluster: &Cluster, dice: &Dice) {
        let (kind, began) = (dice.below(26), SystemClock.now());
        match kind {
            0..12 => {
                self.count("connections to PostgreSQL cut");
                return cluster.to_postgres.cut();
            }
            12..19 => {
                self.count("PostgreSQL does not answer");
                cluster.to_postgres.hold(true);
                pause(200 + dice.millis(1_200)).await;
                cluster.to_postgres.hold(false);
            }
            19..23 => {
                self.count("PostgreSQL stopped at once and started");
                cluster.postgres.stop();
                cluster.postgres.start_again().await;
            }
            _ => {
                self.count("tasks locked by somebody else");
                tokio::task::block_in_place(|| cluster.lock(200 + dice.millis(1_200)));
            }
        }
        self.outage(began);
    }

    async fn at_redis(&self, cluster: &Cluster, dice: &Dice) {
        match dice.below(20) {
            0..8 => {
                self.count("Redis wiped");
                cluster.wipe_redis().await;
            }
            8..13 => {
                self.count("Redis killed and started empty");
                cluster.kill_redis().await;
                pause(dice.millis(1_500)).await;
                cluster.revive_redis().await;
            }
            13..17 => {
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

    async fn in_redis(&self, cluster: &Cluster, dice: &Dice) {
        let (kind, millis) = (dice.below(16), 200 + dice.millis(1_000));
        let policy = match kind {
            0..4 => "noeviction",
            4..7 => "allkeys-random",
            7..11 => {
                self.count("scripts of Redis forgotten");
                return cluster.ask_redis(&["script", "flush"]).await;
            }
            _ => {
                self.count("hints up before their moment, and nonsense");
                return cluster.ask_redis(&["eval", EARLY, "0"]).await;
            }
        };
        self.count(if kind < 4 { "Redis full" } else { "Redis full, evicting" });
        cluster.ask_redis(&["config", "set", "maxmemory-policy", policy]).await;
        cluster.ask_redis(&["config", "set", "maxmemory", "1"]).await;
        pause(millis).await;
        cluster.ask_redis(&["config", "set", "maxmemory", "0"]).await;
        cluster.ask_redis(&["config", "set", "maxmemory-policy", "noeviction"]).await;
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
