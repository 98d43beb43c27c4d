//! Real servers for tests: PostgreSQL, Redis, RabbitMQ, an S3 server, WordPress, Ghost, and receivers of
//! webhooks and mail. They listen on free loopback ports and keep their data in temporary folders.
//!
//! The tests of one process share a server; it stops with its last handle, PostgreSQL with the process. A test that stops
//! or kills its server starts its own.

#![allow(clippy::string_slice, reason = "a test fails by a panic")]

mod clock;
mod cluster;
mod folder;
mod http;
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

pub use clock::FakeSystemClock;
pub use cluster::Cluster;
pub use folder::{SmallDisk, create_filled_sqlite, fast_folder};
pub use http::{CreatedPasskey, Ghost, PasskeyProof, S3, SoftPasskey, WordPress};
pub use network::{FakeDns, is_in_network_namespace};
pub use port::{free_port, until, wait_for_port};
pub use postgres::Postgres;
pub use proxy::Proxy;
pub use rabbit::Rabbit;
pub use redis::Redis;
pub use sentinel::Sentinel;
pub use sink::{Behaviour, Received, Sink};
pub use smtp::{ReceivedMail, SmtpBehaviour, SmtpSink, Stage};
pub use tls::{Authority, TlsProxy};

use std::{
    path::PathBuf,
    sync::{Arc, Weak},
};
use tokio::sync::Mutex;

/// Returns the program under test: `PRESSTIME_BIN`, with which `cargo xtask test` keeps a run apart from later builds, or
/// the one that cargo has built.
#[must_use]
pub fn program(built: &str) -> PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "the program under test is chosen by an environment variable"
    )]
    let chosen = std::env::var_os("PRESSTIME_BIN");
    chosen.map_or_else(|| PathBuf::from(built), PathBuf::from)
}

/// Returns the PostgreSQL server that the tests of this process share. Starting one takes a second, so it runs until the
/// process ends; but its databases are kept in memory, so it is replaced when it has many.
///
/// # Panics
/// If PostgreSQL is not installed or does not start.
pub async fn postgres() -> Arc<Postgres> {
    static SHARED: Mutex<Option<Arc<Postgres>>> = Mutex::const_new(None);
    let mut shared = SHARED.lock().await;
    if let Some(server) = shared.as_ref().filter(|server| !server.has_many_databases()) {
        return Arc::clone(server);
    }
    let server = Arc::new(Postgres::start_guarded().await);
    *shared = Some(Arc::clone(&server));
    server
}

/// Returns the Redis server that the tests of this process share.
///
/// # Panics
/// If Redis is not installed or does not start.
pub async fn redis() -> Arc<Redis> {
    static SHARED: Mutex<Weak<Redis>> = Mutex::const_new(Weak::new());
    shared(&SHARED, Redis::start()).await
}

/// Returns the Valkey server that the tests of this process share.
///
/// # Panics
/// If Valkey is not in the target directory or does not start.
pub async fn valkey() -> Arc<Redis> {
    static SHARED: Mutex<Weak<Redis>> = Mutex::const_new(Weak::new());
    shared(&SHARED, Redis::start_valkey()).await
}

/// Returns the Redis Cluster that the tests of this process share.
///
/// # Panics
/// If Redis is not installed or the cluster does not start.
pub async fn cluster() -> Arc<Cluster> {
    static SHARED: Mutex<Weak<Cluster>> = Mutex::const_new(Weak::new());
    shared(&SHARED, Cluster::start()).await
}

/// Returns the shared server, or starts it if no test holds it.
async fn shared<T>(slot: &Mutex<Weak<T>>, start: impl Future<Output = T>) -> Arc<T> {
    let mut slot = slot.lock().await;
    if let Some(server) = slot.upgrade() {
        return server;
    }
    let server = Arc::new(start.await);
    *slot = Arc::downgrade(&server);
    server
}
