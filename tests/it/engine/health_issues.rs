//! Health issues: every page explains them, tasks are executed while SQL works, and nothing is
//! lost.

use crate::{
    engine_page::assert_contains,
    http_client::HttpClient,
    test_server::{Backend, TestServer},
};
use domain::{
    State, TaskId,
    health::{HealthIssueKind, IssueDetail},
};
use presstime::process::config::Address;
use serde_json::json;
use store::{Conn, PoolRole};

/// A server with its own Redis.
async fn with_redis() -> (TestServer, test_support::Redis) {
    let redis = test_support::Redis::start().await;
    let url = redis.url();
    let server = TestServer::start_with(|config| config.redis_url = Some(Address(url))).await;
    server.tick().await;
    (server, redis)
}

/// Checks that a task is executed without Redis, the engine page names the cause, and `/readyz`
/// answers 200.
async fn check_task_runs_without_redis(server: &TestServer, why: &str) {
    let task = server.create_task("Without hints", 1_000).await;
    server.advance(1_000).await;
    server.tick().await;
    assert_eq!(server.find_task(task.id).await.state, State::Executed, "{why}");
    let report = server.engine_report().await;
    assert_eq!(report.status.issue, Some(HealthIssueKind::HintStoreUnavailable));
    let message_text = report.issues.first().map(|one| one.message.clone()).unwrap_or_default();
    assert!(message_text.contains(why), "{message_text}");
    let ready = server.as_anonymous().get("/readyz").await.expect(200);
    assert!(
        ready["message"].as_str().is_some_and(|message| message.starts_with("Redis is unavailable")),
        "{ready}"
    );
    assert_contains(&server.page(&server.admin, "/engine").await, &["Redis is unavailable", why]);
    assert_contains(&server.page(&server.admin, "/").await, &["Redis is unavailable"]);
    assert!(!server.page(&server.creator, "/").await.contains("Redis"), "only admins see it");
}

#[tokio::test]
async fn an_unavailable_redis_is_reported_and_delays_nothing() {
    let (server, redis) = with_redis().await;
    assert_eq!(server.engine_report().await.status.issue, None);
    redis.kill().await;
    check_task_runs_without_redis(&server, "Redis").await;
}

#[tokio::test]
async fn a_full_redis_is_reported_and_delays_nothing() {
    let (server, redis) = with_redis().await;
    let waits = server.create_task("Has a hint", 1_000).await;
    redis.command(&["config", "set", "maxmemory", "1"]).await;
    server.advance(1_000).await;
    assert_eq!(server.find_task(waits.id).await.state, State::Executed);
    check_task_runs_without_redis(&server, "Redis is full").await;
    set_language_to_chinese(&server).await;
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["目前没有使用", "Redis 已满，拒绝写入"]);
    assert!(!page.contains("refuses writes"), "{page}");
    // The data for an open page is translated, too.
    let cookie = server.session_cookie(&server.admin).await;
    let request = server.as_anonymous().request(reqwest::Method::POST, "/fn/engine").header("cookie", cookie);
    let reply = crate::http_client::Reply::of(request.header("origin", &server.url)).await;
    assert!(reply.status == 200 && reply.text.contains("Redis 已满，拒绝写入"), "{}", reply.text);
}

#[tokio::test]
async fn a_wiped_and_full_redis_is_reported_and_delays_nothing() {
    let (server, redis) = with_redis().await;
    redis.command(&["config", "set", "maxmemory", "1"]).await;
    redis.wipe().await;
    server.tick().await;
    check_task_runs_without_redis(&server, "Redis is full").await;
    let feeder = server.engine_report().await.loops.into_iter().find(|one| one.name == "feeder").unwrap();
    assert_eq!(feeder.error.unwrap().issue.issue, IssueDetail::RedisFull.into());
    redis.command(&["config", "set", "maxmemory", "0"]).await;
    server.advance(10_000).await;
    assert_eq!(server.engine_report().await.status.issue, Some(HealthIssueKind::RedisDataLoss));
}

#[tokio::test]
async fn a_wiped_redis_is_reported_for_a_minute_and_delays_nothing() {
    const WIPED: &str = "Redis was wiped, or restarted without its data.";
    let (server, redis) = with_redis().await;
    let [soon, late] = [server.create_task("Soon", 1_000).await, server.create_task("Late", 90_000).await];
    server.tick().await;
    assert_eq!(server.engine_report().await.status.issue, None, "a new node was never listed in Redis");
    let begun = server.now();
    redis.wipe().await;
    server.advance(1_000).await;
    assert_eq!(server.find_task(soon.id).await.state, State::Executed);
    let report = server.engine_report().await;
    assert_eq!(report.status.issue, Some(HealthIssueKind::RedisDataLoss));
    assert!(report.status.is_healthy);
    assert_eq!(report.hint_counts.future, 2, "the scheduled task and the canary are reloaded");
    let ready = server.as_anonymous().get("/readyz").await.expect(200);
    assert!(ready["message"].as_str().is_some_and(|message| message.starts_with(WIPED)), "{ready}");
    assert_eq!(
        server.as_admin().get("/api/v1/stats").await.expect(200)["engine"]["issue"],
        "redis_data_loss"
    );
    assert_contains(&server.page(&server.admin, "/").await, &[WIPED]);
    let when = format!("Redis was empty at {} UTC", server.now().utc().format("%Y-%m-%d %H:%M:%S"));
    assert_contains(&server.page(&server.admin, "/engine").await, &[WIPED, &when]);
    assert!(!server.page(&server.creator, "/").await.contains("Redis"), "only admins see it");
    server.advance(60_000).await;
    assert_eq!(server.engine_report().await.status.issue, None);
    assert_contains(&server.page(&server.admin, "/engine").await, &[&when]);
    server.advance(29_000).await;
    assert_eq!(server.find_task(late.id).await.state, State::Executed);
    server.advance(3_600_000).await;
    assert_eq!(server.engine_report().await.issues, []);
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let events = store::event::engine_events(lease.conn(), server.now(), 100).await.unwrap();
    drop(lease);
    let losses: Vec<_> = events.iter().filter(|event| event.verb == "forget_hints").collect();
    assert_eq!(losses.iter().map(|event| event.since).collect::<Vec<_>>(), [Some(begun)]);
    server.assert_execution_records_match().await;
}

#[tokio::test]
async fn a_read_only_redis_is_reported_and_delays_nothing() {
    let (server, redis) = with_redis().await;
    server.create_task("Has a hint", 1_000).await;
    redis.command(&["replicaof", "127.0.0.1", "1"]).await;
    server.advance(1_000).await;
    check_task_runs_without_redis(&server, "read-only replica").await;
}

#[tokio::test]
async fn an_evicting_redis_is_reported() {
    let (server, redis) = with_redis().await;
    redis.command(&["config", "set", "maxmemory", "1gb"]).await;
    redis.command(&["config", "set", "maxmemory-policy", "allkeys-lru"]).await;
    let task = server.create_task("Without hints", 1_000).await;
    server.advance(1_000).await;
    assert_eq!(server.find_task(task.id).await.state, State::Executed);
    assert_contains(
        &server.page(&server.admin, "/engine").await,
        &["evicts keys", "set maxmemory-policy to noeviction"],
    );
}

#[tokio::test]
async fn a_read_only_database_is_reported_and_loses_nothing() {
    let server = TestServer::start(Backend::Servers).await;
    let postgres = test_support::postgres().await;
    let url = server.config.database_url.as_ref().unwrap().0.clone();
    let name = url.rsplit('/').next().unwrap();
    let switch = |to: &str| {
        postgres.sql("postgres", &format!("alter database {name} set default_transaction_read_only = {to}"));
        let others =
            format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'");
        postgres.sql("postgres", &others);
    };
    let task = server.create_task("Patient", 1_000).await;
    server.tick().await;
    let cookie = server.session_cookie(&server.admin).await;
    switch("on");
    server.advance(1_000).await;
    server.tick().await;
    let ready = server.as_anonymous().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "database_read_only", "{ready}");
    assert!(ready["message"].as_str().is_some_and(|message| message.contains("read-only")), "{ready}");
    let refused =
        server.as_creator().post("/api/v1/articles", &json!({"title": "Not now", "body": ""})).await;
    assert_eq!(refused.refused(503), "unavailable");
    let page = page(&server.as_anonymous(), &cookie, "/engine").await;
    assert_contains(&page, &["The database is read-only."]);
    assert_eq!(server.find_task(task.id).await.state, State::Scheduled);
    switch("off");
    server.advance(1_000).await;
    server.tick().await;
    server.as_anonymous().get("/readyz").await.expect(200);
    assert_eq!(server.find_task(task.id).await.state, State::Executed);
    server.assert_execution_records_match().await;
}

#[tokio::test]
async fn overdue_tasks_of_a_newer_release_are_reported_and_executed_by_it() {
    let server = TestServer::start(Backend::Embedded).await;
    let (newer, known) = (server.create_task("Newer", 1_000).await, server.create_task("Known", 7_000).await);
    set_kind(&server, newer.id, "item.of_a_newer_release").await;
    server.advance(7_000).await;
    server.tick().await;
    assert_eq!(server.find_task(known.id).await.state, State::Executed);
    let ready = server.as_anonymous().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "newer_release", "{ready}");
    let sentence = "Overdue tasks need a newer version of Presstime and are not listed here.";
    for account in [&server.admin, &server.creator] {
        assert_contains(&server.page(account, "/").await, &[sentence]);
    }
    set_kind(&server, newer.id, "article.publish").await;
    server.advance(1_000).await;
    server.tick().await;
    assert_eq!(server.find_task(newer.id).await.state, State::Executed);
    server.as_anonymous().get("/readyz").await.expect(200);
    server.assert_execution_records_match().await;
}

#[tokio::test]
async fn an_issue_that_stops_the_engine_is_shown_on_every_page_to_every_user() {
    let server = TestServer::start(Backend::Embedded).await;
    server.tick().await;
    let engine = &server.app.parts.engine;
    for (issue, sentence) in [
        (HealthIssueKind::DatabaseUnavailable, "The database does not respond."),
        (HealthIssueKind::DatabaseReadOnly, "The database is read-only."),
        (HealthIssueKind::DatabaseFull, "The database disk is full."),
        (HealthIssueKind::ClockSkew, "The clocks of the database and this machine differ by more than 30 s."),
    ] {
        match issue {
            HealthIssueKind::ClockSkew => engine.set_offset_ms(31_000),
            _ => engine.set_database_issue(Some(issue.into())),
        }
        for account in [&server.admin, &server.creator] {
            for path in ["/", "/articles", "/tasks"] {
                assert_contains(&server.page(account, path).await, &[sentence]);
            }
        }
        let ready = server.as_anonymous().get("/readyz").await.expect(503);
        assert_eq!(ready["reason"], issue.as_str());
        assert!(ready["message"].as_str().is_some_and(|message| message.starts_with(sentence)), "{ready}");
        engine.set_database_issue(None);
    }
}

#[tokio::test]
async fn held_deliveries_are_shown_to_admins_until_one_confirms() {
    const HELD: &str = "Messages are held until an admin confirms on the engine page.";
    let server = TestServer::start(Backend::Embedded).await;
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this test runs on SQLite") };
    sqlx::query("insert into setting (name, value) values ('delivery_hold', '1')").execute(c).await.unwrap();
    tx.commit().await.unwrap();
    server.tick().await;
    let report = server.engine_report().await;
    assert_eq!(report.status.issue, Some(HealthIssueKind::DeliveriesHeld));
    let ready = server.as_anonymous().get("/readyz").await.expect(200);
    assert!(ready["message"].as_str().is_some_and(|message| message.starts_with(HELD)), "{ready}");
    assert_contains(&server.page(&server.admin, "/").await, &[HELD]);
    assert!(!server.page(&server.creator, "/").await.contains(HELD), "only admins see it");
    server.app.parts.engine.set_hints_unavailable(true);
    assert_eq!(
        server.engine_report().await.status.issue,
        Some(HealthIssueKind::HintStoreUnavailable),
        "the more severe issue is shown"
    );
    server.app.parts.engine.set_hints_unavailable(false);
    server.as_admin().post("/api/v1/delivery-hold/confirm", &json!(null)).await.expect(200);
    assert_eq!(server.engine_report().await.status.issue, None);
}

async fn set_kind(server: &TestServer, task: TaskId, kind: &str) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this test runs on SQLite") };
    sqlx::query("update task set kind = $1 where id = $2").bind(kind).bind(task.0).execute(c).await.unwrap();
    tx.commit().await.unwrap();
}

/// Sets the language of all accounts to Chinese.
async fn set_language_to_chinese(server: &TestServer) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this test runs on SQLite") };
    sqlx::query("update account set language = 'zh'").execute(c).await.unwrap();
    tx.commit().await.unwrap();
}

async fn page(caller: &HttpClient, cookie: &str, path: &str) -> String {
    let request = caller.request(reqwest::Method::GET, path).header("cookie", cookie);
    crate::http_client::Reply::of(request).await.expect_page()
}
