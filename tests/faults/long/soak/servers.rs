//! One PostgreSQL and one Redis, each behind a proxy.

use crate::faults::cluster::Cluster;
use test_support::{Postgres, Proxy, Redis};
use tokio::sync::Mutex;

/// Names of the nodes.
pub const NODES: [&str; 3] = ["n0", "n1", "n2"];

/// The servers of a cluster of three nodes.
pub struct Servers {
    pub postgres: Postgres,
    pub to_postgres: Proxy,
    pub to_redis: Proxy,
    /// `None`: it was killed.
    redis: Mutex<Option<Redis>>,
    redis_port: u16,
}

impl Servers {
    pub async fn start() -> Self {
        let (postgres, redis) = (Postgres::start_durable().await, Redis::start().await);
        let (to_postgres, to_redis) = (Proxy::to(postgres.port()).await, Proxy::to(redis.port()).await);
        let redis_port = redis.port();
        Self { postgres, to_postgres, to_redis, redis: Mutex::new(Some(redis)), redis_port }
    }

    /// Returns a cluster without running nodes, which will run this mutant.
    pub async fn open_cluster(&self, mutant: Option<&str>) -> Cluster {
        let database = self.postgres.create_database();
        let [direct, proxied] =
            [self.postgres.port(), self.to_postgres.port()].map(|port| format!(":{port}/"));
        let mut cluster = Cluster::open(Some(database.clone()), None).await;
        cluster.node_database = Some(database.replace(&direct, &proxied));
        cluster.redis_url = Some(format!("redis://127.0.0.1:{}", self.to_redis.port()));
        cluster.use_mutant(mutant);
        cluster
    }

    /// Deletes all keys in Redis (FLUSHALL).
    pub async fn wipe_redis(&self) {
        if let Some(redis) = self.redis.lock().await.as_ref() {
            redis.wipe().await;
        }
    }

    /// Runs a Redis command if Redis runs.
    pub async fn query_redis(&self, command: &[&str]) {
        if let Some(redis) = self.redis.lock().await.as_ref() {
            redis.query(command).await;
        }
    }

    /// Kills Redis.
    pub async fn kill_redis(&self) {
        if let Some(redis) = self.redis.lock().await.take() {
            redis.kill().await;
        }
    }

    /// Starts an empty Redis on the same port unless Redis runs.
    pub async fn start_redis(&self) {
        let mut redis = self.redis.lock().await;
        if redis.is_none() {
            *redis = Some(Redis::start_with(self.redis_port, &[]).await);
        }
    }

    /// Locks all tasks of a cluster in another transaction for this time.
    pub fn lock_tasks(&self, cluster: &Cluster, millis: i64) {
        let database = cluster.database.as_deref().and_then(|url| url.rsplit('/').next());
        let wait = format!("select pg_sleep({millis} / 1000.0)");
        let lock = format!("lock table task in access exclusive mode; {wait}");
        self.postgres.sql(database.unwrap_or_default(), &lock);
    }
}
