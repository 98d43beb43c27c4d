//! Real servers for tests: PostgreSQL, Redis, RabbitMQ and sinks for webhooks and mails on free ports of the loopback, data in
//! a temporary folder.
//!
//! Tests of one process share a server; it ends with its last handle. A test that stops or kills its server starts its own.

mod clock;
mod cluster;
mod names;
mod network;
mod port;
mod postgres;
mod proxy;
mod rabbit;
mod redis;
mod sentinel;
mod sink;
mod smtp;
mod tls;

pub use clock::FalseClock;
pub use cluster::Cluster;
pub use names::Names;
pub use network::is_in_own_network;
pub use port::{answers, free_port};
pub use postgres::Postgres;
pub use proxy::Proxy;
pub use rabbit::Rabbit;
pub use redis::Redis;
pub use sentinel::Sentinel;
pub use sink::{Manner, Received, Sink};
pub use smtp::{Mailed, SmtpManner, SmtpSink, Stage};
pub use tls::{Authority, Front};

use std::sync::{Arc, Weak};
use tokio::sync::Mutex;

/// The PostgreSQL server this process's tests share.
///
/// # Panics
/// If PostgreSQL is not installed or does not start: the test cannot mean anything then.
pub async fn postgres() -> Arc<Postgres> {
    static SHARED: Mutex<Weak<Postgres>> = Mutex::const_new(Weak::new());
    let mut shared = SHARED.lock().await;
    if let Some(server) = shared.upgrade() {
        return server;
    }
    let server = Arc::new(Postgres::start().await);
    *shared = Arc::downgrade(&server);
    server
}

/// The Redis server this process's tests share.
///
/// # Panics
/// If Redis is not installed or does not start.
pub async fn redis() -> Arc<Redis> {
    static SHARED: Mutex<Weak<Redis>> = Mutex::const_new(Weak::new());
    let mut shared = SHARED.lock().await;
    if let Some(server) = shared.upgrade() {
        return server;
    }
    let server = Arc::new(Redis::start().await);
    *shared = Arc::downgrade(&server);
    server
}

/// The Valkey server this process's tests share.
///
/// # Panics
/// If Valkey is not in the target folder or does not start.
pub async fn valkey() -> Arc<Redis> {
    static SHARED: Mutex<Weak<Redis>> = Mutex::const_new(Weak::new());
    let mut shared = SHARED.lock().await;
    if let Some(server) = shared.upgrade() {
        return server;
    }
    let server = Arc::new(Redis::start_valkey().await);
    *shared = Arc::downgrade(&server);
    server
}

/// The cluster this process's tests share.
///
/// # Panics
/// If Redis is not installed or the cluster does not start.
pub async fn cluster() -> Arc<Cluster> {
    static SHARED: Mutex<Weak<Cluster>> = Mutex::const_new(Weak::new());
    let mut shared = SHARED.lock().await;
    if let Some(cluster) = shared.upgrade() {
        return cluster;
    }
    let cluster = Arc::new(Cluster::start().await);
    *shared = Arc::downgrade(&cluster);
    cluster
}
