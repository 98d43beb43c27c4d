//! Connections to PostgreSQL that fall silent, that are left in the middle of a statement, and that go back as they came.

use futures::FutureExt as _;
use rig::Proxy;
use std::{sync::Arc, time::Duration};
use store::{Conn, Options, Store, StoreError, Who, tail::Watch};
use tokio::time::timeout;
use uuid::Uuid;

/// Long enough for a healthy answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(1);

/// A database behind a way that can forget its connections.
struct Far {
    store: Store,
    way: Proxy,
    _server: Arc<rig::Postgres>,
}

/// With so many connections for the engine and for people each.
async fn far(connections: u32) -> Far {
    let server = rig::postgres().await;
    let way = Proxy::to(server.port()).await;
    let [there, here] = [server.port(), way.port()].map(|port| format!(":{port}/"));
    let options = Options {
        people: connections,
        engine: connections,
        patience: PATIENCE,
        ..Options::new(server.fresh_database().replace(&there, &here))
    };
    Far { store: Store::open(&options).await.unwrap(), way, _server: server }
}

/// Waits until as many connections of the engine, and of people, rest in their pools.
async fn rest(store: &Store, of_engine: usize, of_people: usize) {
    let Store::Postgres { engine, people, .. } = store else { unreachable!("it is PostgreSQL") };
    while (engine.pool().num_idle(), people.pool().num_idle()) != (of_engine, of_people) {
        tokio::task::yield_now().await;
    }
}

/// Asks something: the number of the process that answers on this connection.
async fn process(conn: Conn<'_>) -> Result<i32, StoreError> {
    let Conn::Postgres(c) = conn else { unreachable!("it is PostgreSQL") };
    Ok(sqlx::query_scalar("select pg_backend_pid()").fetch_one(c).await?)
}

/// Locks the same thing as everybody who asks for it.
async fn lock(conn: Conn<'_>) -> Result<(), StoreError> {
    let Conn::Postgres(c) = conn else { unreachable!("it is PostgreSQL") };
    sqlx::query("select pg_advisory_xact_lock(1)").execute(c).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_is_never_answered_fails_and_costs_no_connection() {
    let Far { store, way, _server } = far(1).await;
    let mut tx = store.begin(Who::Engine).await.unwrap();
    let first = process(tx.conn()).await.unwrap();
    way.forget();
    let error = process(tx.conn()).await.unwrap_err();
    assert!(error.is_away() && error.is_temporary(), "{error:?}");
    let again = process(tx.conn()).now_or_never().expect("it is not asked again");
    assert!(again.unwrap_err().is_away());
    assert!(tx.commit().await.unwrap_err().is_away());
    let mut next = store.begin(Who::Engine).await.unwrap();
    assert_ne!(process(next.conn()).await.unwrap(), first);
    next.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_is_never_answered_is_an_error() {
    let Far { store, way, _server } = far(1).await;
    let tx = store.begin(Who::Engine).await.unwrap();
    way.forget();
    assert!(tx.commit().await.unwrap_err().is_away());
    store.begin(Who::Engine).await.unwrap().commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_falls_silent_on_its_way_back_is_replaced() {
    let Far { store, way, _server } = far(1).await;
    for has_begun in [false, true] {
        // Silent while it is out: it is asked for a sign of life when it comes back, which takes no time where it is well.
        if has_begun {
            let mut tx = store.begin(Who::Engine).await.unwrap();
            process(tx.conn()).await.unwrap();
            way.forget();
        } else {
            let mut lease = store.read(Who::Engine).await.unwrap();
            process(lease.conn()).await.unwrap();
            way.forget();
        }
        let mut next = store.read(Who::Engine).await.unwrap();
        process(next.conn()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_one_is_silent_those_that_rest_are_not_used() {
    let Far { store, way, _server } = far(2).await;
    let mut one = store.read(Who::Engine).await.unwrap();
    let other = store.read(Who::Engine).await.unwrap();
    drop(other);
    rest(&store, 1, 0).await;
    way.forget();
    assert!(process(one.conn()).await.unwrap_err().is_away());
    drop(one);
    let (mut one, mut other) =
        (store.read(Who::Engine).await.unwrap(), store.read(Who::Engine).await.unwrap());
    process(one.conn()).await.unwrap();
    process(other.conn()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_never_meet_a_silent_connection_that_rested() {
    let Far { store, way, _server } = far(1).await;
    drop(store.read(Who::People).await.unwrap());
    rest(&store, 1, 1).await;
    way.forget();
    let mut lease = store.read(Who::People).await.unwrap();
    process(lease.conn()).await.unwrap();
    // What they found out holds for the engine as well.
    let mut lease = store.read(Who::Engine).await.unwrap();
    process(lease.conn()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_may_be_quiet_but_not_silent() {
    let Far { store, way, _server } = far(1).await;
    let mut watch = Watch::open(&store, Uuid::nil()).await.unwrap();
    assert!(timeout(2 * PATIENCE, watch.changed()).await.is_err(), "nobody commits, and it waits");
    way.forget();
    assert!(watch.changed().await.unwrap_err().is_away());
    Watch::open(&store, Uuid::nil()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_left_in_the_middle_of_a_statement_is_never_used_again() {
    let Far { store, way: _way, _server } = far(1).await;
    let mut holder = store.begin(Who::People).await.unwrap();
    lock(holder.conn()).await.unwrap();
    let mut tx = store.begin(Who::Engine).await.unwrap();
    let first = process(tx.conn()).await.unwrap();
    assert!(lock(tx.conn()).now_or_never().is_none(), "it waits for the lock");
    let again = process(tx.conn()).now_or_never().expect("it is not asked again");
    assert!(again.unwrap_err().is_away());
    drop(tx);
    let mut next = store.begin(Who::Engine).await.unwrap();
    assert_ne!(process(next.conn()).await.unwrap(), first);
    holder.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_transaction_is_undone_and_its_connection_used_again() {
    let Far { store, way: _way, _server } = far(1).await;
    let mut tx = store.begin(Who::Engine).await.unwrap();
    let first = process(tx.conn()).await.unwrap();
    lock(tx.conn()).await.unwrap();
    drop(tx);
    let mut next = store.begin(Who::Engine).await.unwrap();
    assert_eq!(process(next.conn()).await.unwrap(), first);
    let mut other = store.begin(Who::People).await.unwrap();
    // Would the first one still be open, it had the lock, and the server refused this one after 10 s.
    lock(other.conn()).await.unwrap();
}
