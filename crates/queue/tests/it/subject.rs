//! What is tested: in-process hints, or hints in a real Redis or Valkey under a prefix of their own.

use domain::{Clock, Hint, Lane, TaskId, Timestamp, Version, clock::SystemClock};
use queue::{Hints, InProcess, RedisHints};
use std::{sync::Arc, time::Duration};

pub const BUCKETS: u16 = 4;

/// Hints with what keeps their server alive.
pub struct Subject {
    pub hints: Arc<dyn Hints>,
    wipe: Wipe,
}

enum Wipe {
    Memory(Arc<InProcess>),
    Server(Arc<rig::Redis>, String),
    Cluster(Arc<rig::Cluster>, String),
}

impl Subject {
    /// In process, in Redis, in Valkey, in a cluster: empty.
    pub async fn each() -> [Self; 4] {
        [Self::in_process(), Self::redis().await, Self::valkey().await, Self::cluster().await]
    }

    pub fn in_process() -> Self {
        let hints = Arc::new(InProcess::new(BUCKETS, Arc::new(SystemClock)));
        Self { hints: Arc::clone(&hints) as Arc<dyn Hints>, wipe: Wipe::Memory(hints) }
    }

    pub async fn redis() -> Self {
        Self::server(rig::redis().await)
    }

    pub async fn valkey() -> Self {
        Self::server(rig::valkey().await)
    }

    fn server(server: Arc<rig::Redis>) -> Self {
        let prefix = TaskId::fresh().to_string();
        let hints = RedisHints::new(&server.url(), &prefix, BUCKETS).unwrap();
        Self { hints: Arc::new(hints), wipe: Wipe::Server(server, prefix) }
    }

    pub async fn cluster() -> Self {
        let (cluster, prefix) = (rig::cluster().await, TaskId::fresh().to_string());
        let hints = RedisHints::new(&cluster.url(), &prefix, BUCKETS).unwrap();
        Self { hints: Arc::new(hints), wipe: Wipe::Cluster(cluster, prefix) }
    }

    /// What is only in the store goes away at once.
    pub async fn wipe(&self) {
        match &self.wipe {
            Wipe::Memory(hints) => hints.wipe(),
            Wipe::Server(server, prefix) => {
                wipe(&server.url(), prefix).await;
            }
            Wipe::Cluster(cluster, prefix) => {
                for url in cluster.urls() {
                    wipe(&url, prefix).await;
                }
            }
        }
    }

    pub async fn take(&self, limit: usize) -> Vec<domain::DueHint> {
        self.hints.take(Lane::ALL, limit, &SystemClock, Duration::ZERO).await.unwrap()
    }
}

/// Not FLUSHALL: other tests share the server.
async fn wipe(url: &str, prefix: &str) {
    let mut connection = connect(url).await;
    let keys: Vec<String> =
        redis::cmd("KEYS").arg(format!("{prefix}:*")).query_async(&mut connection).await.unwrap();
    for key in keys {
        // Replicas show keys, too, and send everybody who would change them away.
        let _ = redis::cmd("DEL").arg(key).exec_async(&mut connection).await;
    }
}

pub async fn connect(url: &str) -> redis::aio::MultiplexedConnection {
    redis::Client::open(url).unwrap().get_multiplexed_async_connection().await.unwrap()
}

/// A moment on a scale of its own.
pub fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000 + millis)
}

/// A hint of a new task in bucket 0.
pub fn hint(due: i64) -> Hint {
    Hint { task: TaskId::fresh(), version: Version(1), due_at: at(due), lane: Lane::Normal, bucket: 0 }
}

pub fn now() -> Timestamp {
    SystemClock.now()
}
