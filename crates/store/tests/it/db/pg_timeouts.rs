//! PostgreSQL connections that stop responding, that are dropped in the middle of a statement, or
//! that are returned to the pool.

use futures::FutureExt as _;
use std::{sync::Arc, time::Duration};
use store::{Conn, Options, PoolRole, Store, StoreError, change_watch::ChangeWatch};
use test_support::Proxy;
use tokio::time::timeout;
use uuid::Uuid;

/// Long enough for a healthy response on a busy machine.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(1);

/// A database behind a proxy that can drop its connections silently.
struct ProxiedDatabase {
    store: Store,
    proxy: Proxy,
    _server: Arc<test_support::Postgres>,
}

/// Opens it with `connections` connections for the engine and for the web each.
async fn open_through_proxy(connections: u32) -> ProxiedDatabase {
    let server = test_support::postgres().await;
    let proxy = Proxy::to(server.port()).await;
    let [there, here] = [server.port(), proxy.port()].map(|port| format!(":{port}/"));
    let options = Options {
        web_connections: connections,
        engine_connections: connections,
        silence_timeout: SILENCE_TIMEOUT,
        ..Options::new(server.create_database().replace(&there, &here))
    };
    ProxiedDatabase { store: Store::open(&options).await.unwrap(), proxy, _server: server }
}

/// Waits until this many connections of the engine, and of the web, are idle.
async fn wait_until_idle(store: &Store, engine_idle: usize, web_idle: usize) {
    let Store::Postgres { engine, web, .. } = store else { unreachable!("it is PostgreSQL") };
    while (engine.pool().num_idle(), web.pool().num_idle()) != (engine_idle, web_idle) {
        tokio::task::yield_now().await;
    }
}

/// Returns the id of the server process of this connection.
async fn backend_pid(conn: Conn<'_>) -> Result<i32, StoreError> {
    let Conn::Postgres(c) = conn else { unreachable!("it is PostgreSQL") };
    Ok(sqlx::query_scalar("select pg_backend_pid()").fetch_one(c).await?)
}

/// Takes a lock that every caller competes for.
async fn lock(conn: Conn<'_>) -> Result<(), StoreError> {
    let Conn::Postgres(c) = conn else { unreachable!("it is PostgreSQL") };
    sqlx::query("select pg_advisory_xact_lock(1)").execute(c).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_without_a_response_fails_and_loses_no_connection() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(1).await;
    let mut tx = store.begin(PoolRole::Engine).await.unwrap();
    let first = backend_pid(tx.conn()).await.unwrap();
    proxy.drop_silently();
    let error = backend_pid(tx.conn()).await.unwrap_err();
    assert!(error.is_unavailable() && error.is_temporary(), "{error:?}");
    let again = backend_pid(tx.conn()).now_or_never().expect("the connection is not used again");
    assert!(again.unwrap_err().is_unavailable());
    assert!(tx.commit().await.unwrap_err().is_unavailable());
    let mut next = store.begin(PoolRole::Engine).await.unwrap();
    assert_ne!(backend_pid(next.conn()).await.unwrap(), first);
    next.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_without_a_response_is_an_error() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(1).await;
    let tx = store.begin(PoolRole::Engine).await.unwrap();
    proxy.drop_silently();
    assert!(tx.commit().await.unwrap_err().is_unavailable());
    store.begin(PoolRole::Engine).await.unwrap().commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_dies_while_it_is_returned_is_replaced() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(1).await;
    for has_begun in [false, true] {
        // It stops responding while it is in use. It is pinged when it is returned, which takes no
        // time if it is healthy.
        if has_begun {
            let mut tx = store.begin(PoolRole::Engine).await.unwrap();
            backend_pid(tx.conn()).await.unwrap();
            proxy.drop_silently();
        } else {
            let mut lease = store.read(PoolRole::Engine).await.unwrap();
            backend_pid(lease.conn()).await.unwrap();
            proxy.drop_silently();
        }
        let mut next = store.read(PoolRole::Engine).await.unwrap();
        backend_pid(next.conn()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_are_not_used_after_a_timeout() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(2).await;
    let mut one = store.read(PoolRole::Engine).await.unwrap();
    let other = store.read(PoolRole::Engine).await.unwrap();
    drop(other);
    wait_until_idle(&store, 1, 0).await;
    proxy.drop_silently();
    assert!(backend_pid(one.conn()).await.unwrap_err().is_unavailable());
    drop(one);
    let (mut one, mut other) =
        (store.read(PoolRole::Engine).await.unwrap(), store.read(PoolRole::Engine).await.unwrap());
    backend_pid(one.conn()).await.unwrap();
    backend_pid(other.conn()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn web_requests_never_get_a_dead_idle_connection() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(1).await;
    drop(store.read(PoolRole::Web).await.unwrap());
    wait_until_idle(&store, 1, 1).await;
    proxy.drop_silently();
    let mut lease = store.read(PoolRole::Web).await.unwrap();
    backend_pid(lease.conn()).await.unwrap();
    // The timeout marks connections of the engine as suspect as well.
    let mut lease = store.read(PoolRole::Engine).await.unwrap();
    backend_pid(lease.conn()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_may_be_quiet_but_detects_a_dead_connection() {
    let ProxiedDatabase { store, proxy, _server } = open_through_proxy(1).await;
    let mut watch = ChangeWatch::open(&store, Uuid::nil()).await.unwrap();
    assert!(
        timeout(2 * SILENCE_TIMEOUT, watch.changed()).await.is_err(),
        "it waits while there is no commit"
    );
    proxy.drop_silently();
    assert!(watch.changed().await.unwrap_err().is_unavailable());
    ChangeWatch::open(&store, Uuid::nil()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_dropped_during_a_statement_is_never_reused() {
    let ProxiedDatabase { store, proxy: _way, _server } = open_through_proxy(1).await;
    let mut holder = store.begin(PoolRole::Web).await.unwrap();
    lock(holder.conn()).await.unwrap();
    let mut tx = store.begin(PoolRole::Engine).await.unwrap();
    let first = backend_pid(tx.conn()).await.unwrap();
    assert!(lock(tx.conn()).now_or_never().is_none(), "it waits for the lock");
    let again = backend_pid(tx.conn()).now_or_never().expect("the connection is not used again");
    assert!(again.unwrap_err().is_unavailable());
    drop(tx);
    let mut next = store.begin(PoolRole::Engine).await.unwrap();
    assert_ne!(backend_pid(next.conn()).await.unwrap(), first);
    holder.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_transaction_is_rolled_back_and_its_connection_reused() {
    let ProxiedDatabase { store, proxy: _way, _server } = open_through_proxy(1).await;
    let mut tx = store.begin(PoolRole::Engine).await.unwrap();
    let first = backend_pid(tx.conn()).await.unwrap();
    lock(tx.conn()).await.unwrap();
    drop(tx);
    let mut next = store.begin(PoolRole::Engine).await.unwrap();
    assert_eq!(backend_pid(next.conn()).await.unwrap(), first);
    let mut other = store.begin(PoolRole::Web).await.unwrap();
    // If the first transaction were still open, it would hold the lock, and this one would fail
    // after 10 s.
    lock(other.conn()).await.unwrap();
}
