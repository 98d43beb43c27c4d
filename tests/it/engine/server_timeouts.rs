//! Slow servers: PostgreSQL connections that stop responding, as after a failover, and a
//! PostgreSQL or Redis with high latency.

use crate::{engine_page::assert_contains, sse_client::SseClient, test_server::TestServer};
use futures::future::join_all;
use presstime::process::config::Address;
use serde_json::json;
use std::time::Duration;
use store::PoolRole;
use test_support::Proxy;
use tokio::time::timeout;

/// Statement timeout in this test.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for recovery, with reserve for a busy machine.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(9);

/// Schedules a task and waits until it is executed.
async fn check_task_is_executed(server: &TestServer, stream: &mut SseClient, title: &str, millis: i64) {
    let (_, task) = server.schedule_new_article(title, millis).await;
    let executed = timeout(RECOVERY_TIMEOUT, stream.wait_until_executed(&task)).await;
    assert!(
        executed.is_ok(),
        "{title} was not executed: {}",
        server.as_anonymous().get("/readyz").await.text
    );
}

/// Takes all connections of a pool at once: none is lost.
async fn check_pool_size(server: &TestServer, role: PoolRole, count: usize) {
    let store = &server.app.parts.store;
    let leases = join_all((0..count).map(|_| store.read(role))).await;
    assert!(leases.iter().all(Result::is_ok), "{role:?}: {leases:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unresponsive_connections_block_no_longer_than_the_statement_timeout() {
    let postgres = test_support::postgres().await;
    let proxy = Proxy::to(postgres.port()).await;
    let server = TestServer::start_realtime_with(|config| {
        let direct = config.database_url.take().unwrap().0;
        let port = |port: u16| format!(":{port}/");
        config.database_url = Some(Address(direct.replace(&port(postgres.port()), &port(proxy.port()))));
        config.statement_timeout = STATEMENT_TIMEOUT;
    })
    .await;
    let mut stream = SseClient::open(&server.as_admin(), None).await;
    check_task_is_executed(&server, &mut stream, "Before", 500).await;
    let (_, meanwhile) = server.schedule_new_article("Meanwhile", 1_000).await;

    proxy.drop_silently();
    let executed = timeout(RECOVERY_TIMEOUT, stream.wait_until_executed(&meanwhile)).await;
    let ready = server.as_anonymous().get("/readyz").await;
    assert!(executed.is_ok(), "the task due in the meantime was not executed: {}", ready.text);
    check_task_is_executed(&server, &mut stream, "Afterwards", 500).await;
    let becomes_ready = async {
        while server.as_anonymous().get("/readyz").await.status != 200 {
            stream.next_event("heartbeat").await;
        }
    };
    timeout(RECOVERY_TIMEOUT, becomes_ready).await.expect("it is ready again");
    check_pool_size(&server, PoolRole::Engine, 8).await;
    check_pool_size(&server, PoolRole::Web, 4).await;
    server.assert_execution_records_match().await;

    // Web connections detect it themselves: none was used in the meantime.
    proxy.drop_silently();
    let draft = json!({"title": "Saved at once", "body": "A text."});
    let saved = timeout(RECOVERY_TIMEOUT, server.as_creator().post("/api/v1/articles", &draft)).await;
    saved.expect("an answer").expect(201);
    check_task_is_executed(&server, &mut stream, "After the second cut", 500).await;
}

/// Waits until `/readyz` answers 200 and contains this sentence or not. A busy machine may have other
/// reasons not to be ready for a moment.
async fn wait_until_readyz(server: &TestServer, stream: &mut SseClient, sentence: &str, contains_it: bool) {
    let comes = async {
        loop {
            let ready = server.as_anonymous().get("/readyz").await;
            if ready.status == 200 && ready.text.contains(sentence) == contains_it {
                return;
            }
            stream.next_event("heartbeat").await;
        }
    };
    timeout(3 * RECOVERY_TIMEOUT, comes)
        .await
        .unwrap_or_else(|_| panic!("/readyz does not reach {contains_it}: {sentence}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_server_is_reported_and_all_tasks_are_executed() {
    let (postgres, redis) = (test_support::postgres().await, test_support::redis().await);
    let (to_postgres, to_redis) = (Proxy::to(postgres.port()).await, Proxy::to(redis.port()).await);
    let server = TestServer::start_realtime_with(|config| {
        let through_proxy = |url: Option<Address>, from: u16, to: u16| {
            url.map(|Address(url)| Address(url.replace(&format!(":{from}"), &format!(":{to}"))))
        };
        config.database_url = through_proxy(config.database_url.take(), postgres.port(), to_postgres.port());
        config.redis_url = through_proxy(config.redis_url.take(), redis.port(), to_redis.port());
    })
    .await;
    let mut stream = SseClient::open(&server.as_admin(), None).await;
    for (proxy, delay, sentence) in
        [(&to_redis, 160, "Redis is slow"), (&to_postgres, 80, "The database is slow")]
    {
        proxy.delay(Duration::from_millis(delay));
        wait_until_readyz(&server, &mut stream, sentence, true).await;
        assert_contains(&server.page(&server.admin, "/engine").await, &[sentence]);
        check_task_is_executed(&server, &mut stream, sentence, 3_000).await;
        proxy.delay(Duration::ZERO);
        wait_until_readyz(&server, &mut stream, sentence, false).await;
    }
    server.assert_execution_records_match().await;
}
