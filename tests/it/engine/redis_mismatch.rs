//! Redis mismatch: nodes with different Redis servers, and installations that share one, are
//! reported and delay nothing.

use crate::{engine_page::assert_contains, test_server::TestServer};
use domain::{
    Clock as _, State,
    clock::{ManualClock, SystemClock},
    health::HealthIssueKind,
};
use engine::Loop as _;
use presstime::{
    process::config::{Address, Config},
    server::{
        Server,
        doctor::{Finding, Mark, examine},
    },
};
use std::sync::Arc;

const MISMATCH: &str = "does not use this Redis, or another desk uses it";

fn at(redis: &test_support::Redis) -> Option<Address> {
    Some(Address(redis.url()))
}

/// Advances eleven seconds, with a heartbeat in each.
async fn advance_eleven_seconds(server: &TestServer, others: &[&Server]) {
    for _ in 0..11 {
        server.advance(1_000).await;
        for other in others {
            other.loops.heartbeat.tick(server.now()).await;
        }
    }
}

#[tokio::test]
async fn nodes_with_different_redis_servers_are_reported_and_delay_nothing() {
    let (redis, wrong) = (test_support::Redis::start().await, test_support::Redis::start().await);
    let server = TestServer::start_with(|config| config.redis_url = at(&redis)).await;
    let config = Config { node: "another".to_owned(), redis_url: at(&wrong), ..server.config.clone() };
    let clock = Arc::clone(&server.app.parts.clock);
    let other = Server::open_with(&config, Arc::clone(&clock)).await.unwrap();
    let right = server.open_second_node().await;
    advance_eleven_seconds(&server, &[&right]).await;
    assert_eq!(server.engine_report().await.status.issue, None, "two nodes with one Redis");
    right.loops.heartbeat.leave().await;
    advance_eleven_seconds(&server, &[&other]).await;
    let task = server.create_task("Despite the mismatch", 1_000).await;
    server.advance(1_000).await;
    assert_eq!(server.find_task(task.id).await.state, State::Executed);
    other.loops.heartbeat.tick(server.now()).await;
    let report = server.engine_report().await;
    assert_eq!(report.status.issue, Some(HealthIssueKind::RedisMismatch));
    assert!(report.issues[0].message.contains("not in this Redis: another."));
    assert!(
        other
            .parts
            .engine
            .server_health
            .redis_mismatch
            .issue(server.now())
            .unwrap()
            .to_string()
            .contains("Redis: test.")
    );
    let ready = server.as_anonymous().get("/readyz").await.expect(200);
    assert!(ready["message"].as_str().is_some_and(|message| message.contains(MISMATCH)), "{ready}");
    assert_contains(&server.page(&server.admin, "/").await, &[MISMATCH]);
    assert_contains(&server.page(&server.admin, "/engine").await, &[MISMATCH, "not in this Redis: another"]);
    assert!(!server.page(&server.creator, "/").await.contains("Redis"), "only admins see it");
    other.loops.heartbeat.leave().await;
    server.advance(1_000).await;
    assert_eq!(server.engine_report().await.status.issue, None);
    other.close().await;
    right.close().await;
}

#[tokio::test]
async fn installations_that_share_one_redis_are_reported_and_delay_nothing() {
    let redis = test_support::Redis::start().await;
    let server = TestServer::start_with(|config| config.redis_url = at(&redis)).await;
    let other = TestServer::start_with(|config| config.redis_url = at(&redis)).await;
    for _ in 0..11 {
        server.advance(1_000).await;
        other.advance(1_000).await;
    }
    let task = server.create_task("Despite the mismatch", 1_000).await;
    // The other installation removes the hint.
    server.advance_without_loops(1_000);
    other.advance(1_000).await;
    server.tick().await;
    assert_eq!(server.find_task(task.id).await.state, State::Scheduled);
    server.advance(1_500).await;
    other.advance(1_500).await;
    assert_eq!(server.find_task(task.id).await.state, State::Executed);
    for installation in [&server, &other] {
        let report = installation.engine_report().await;
        assert_eq!(report.status.issue, Some(HealthIssueKind::RedisMismatch));
        assert!(report.issues[0].message.contains("used by 1 nodes of another installation"));
    }
    advance_eleven_seconds(&server, &[]).await;
    assert_eq!(server.engine_report().await.status.issue, None, "the other installation is gone");
}

#[tokio::test]
async fn doctor_reports_nodes_with_another_redis() {
    let (redis, wrong) = (test_support::Redis::start().await, test_support::Redis::start().await);
    let data = tempfile::tempdir().unwrap();
    let here = Config {
        listen: "127.0.0.1:0".to_owned(),
        redis_url: at(&redis),
        node: "here".to_owned(),
        ..Config::new(data.path())
    };
    // To the doctor's clock, this node started 12 s ago.
    let clock = Arc::new(ManualClock::at(SystemClock.now().plus(-12_000)));
    let server = Server::open_with(&here, Arc::clone(&clock) as _).await.unwrap();
    server.loops.heartbeat.tick(clock.now()).await;
    clock.advance(12_000);
    server.loops.heartbeat.tick(clock.now()).await;
    let warnings = async |config: &Config| -> Vec<String> {
        let warns = |finding: &Finding| finding.mark == Mark::Warn && finding.what == "redis";
        examine(config).await.into_iter().filter(warns).map(|finding| finding.how).collect()
    };
    assert_eq!(warnings(&here).await, Vec::<String>::new());
    let found = warnings(&Config { redis_url: at(&wrong), ..here }).await;
    assert!(found.len() == 1 && found[0].contains("not in this Redis: here."), "{found:?}");
    server.close().await;
}
