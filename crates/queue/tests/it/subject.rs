//! Stores under test: hints in memory, or hints in a real Redis or Valkey under a random prefix.

use domain::{Clock, Hint, KindClass, Priority, TaskId, Timestamp, Version, clock::SystemClock};
use queue::{HintScope, Hints, InProcessHints, RedisHints};
use std::{sync::Arc, time::Duration};

pub const BUCKETS: u16 = 4;

/// A hint store, with the server that it uses.
pub struct Subject {
    pub hints: Arc<dyn Hints>,
    wipe: Wipe,
}

enum Wipe {
    Memory(Arc<InProcessHints>),
    Server(Arc<test_support::Redis>, String),
    Cluster(Arc<test_support::Cluster>, String),
}

impl Subject {
    /// Returns empty stores: in memory, in Redis, in Valkey, in a cluster.
    pub async fn each() -> [Self; 4] {
        [Self::in_process(), Self::redis().await, Self::valkey().await, Self::cluster().await]
    }

    pub fn in_process() -> Self {
        let hints = Arc::new(InProcessHints::new(BUCKETS, Arc::new(SystemClock)));
        Self { hints: Arc::clone(&hints) as Arc<dyn Hints>, wipe: Wipe::Memory(hints) }
    }

    pub async fn redis() -> Self {
        Self::server(test_support::redis().await)
    }

    pub async fn valkey() -> Self {
        Self::server(test_support::valkey().await)
    }

    fn server(server: Arc<test_support::Redis>) -> Self {
        let prefix = TaskId::generate().to_string();
        let hints = RedisHints::new(&server.url(), &prefix, BUCKETS).unwrap();
        Self { hints: Arc::new(hints), wipe: Wipe::Server(server, prefix) }
    }

    pub async fn cluster() -> Self {
        let (cluster, prefix) = (test_support::cluster().await, TaskId::generate().to_string());
        let hints = RedisHints::new(&cluster.url(), &prefix, BUCKETS).unwrap();
        Self { hints: Arc::new(hints), wipe: Wipe::Cluster(cluster, prefix) }
    }

    /// Deletes all data of the store.
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

    pub async fn pop(&self, limit: usize) -> Vec<domain::DueHint> {
        self.hints.pop(HintScope::All, limit, &SystemClock, Duration::ZERO).await.unwrap()
    }
}

/// Deletes the keys of one prefix. Not FLUSHALL: other tests share the server.
async fn wipe(url: &str, prefix: &str) {
    let mut connection = connect(url).await;
    let keys: Vec<String> =
        redis::cmd("KEYS").arg(format!("{prefix}:*")).query_async(&mut connection).await.unwrap();
    for key in keys {
        // Replicas also list keys, but refuse to delete them.
        let _ = redis::cmd("DEL").arg(key).exec_async(&mut connection).await;
    }
}

pub async fn connect(url: &str) -> redis::aio::MultiplexedConnection {
    redis::Client::open(url).unwrap().get_multiplexed_async_connection().await.unwrap()
}

/// A time relative to a fixed start.
pub fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000 + millis)
}

/// A hint for a new task in bucket 0.
pub fn hint(due: i64) -> Hint {
    Hint {
        task: TaskId::generate(),
        version: Version(1),
        due_at: at(due),
        priority: Priority::Normal,
        class: KindClass::Content,
        bucket: 0,
    }
}

pub fn now() -> Timestamp {
    SystemClock.now()
}
