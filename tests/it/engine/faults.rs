//! The engine under faults: paused, stopped, killed, without Redis, without SQL, on two nodes.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    program::Program,
    sse_client::SseClient,
    test_server::TestServer,
};
use domain::{State, task::Change};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_paused_engine_executes_nothing_and_then_all_in_order,
    a_stopped_engine_is_not_ready_until_it_runs_again,
    tasks_that_fell_due_during_a_stop_are_executed_in_order,
    two_nodes_execute_each_task_once,
);

async fn executed(server: &TestServer) -> Vec<String> {
    let events = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let executed = events["items"].as_array().unwrap().iter().filter(|event| event["verb"] == "execute");
    executed.map(|event| event["entity_id"].as_str().unwrap().to_owned()).collect()
}

async fn a_paused_engine_executes_nothing_and_then_all_in_order(server: TestServer) {
    let (later, first) = (server.create_task("Later", 2_000).await, server.create_task("First", 1_000).await);
    server.app.services.engine.pause(&server.admin.actor, None).await.unwrap();
    server.advance(3_000).await;
    assert_eq!(server.find_task(first.id).await.state, State::Scheduled);
    assert!(executed(&server).await.is_empty());
    server.app.services.engine.resume(&server.admin.actor).await.unwrap();
    // A requeued task waits 250 ms.
    server.advance(1_000).await;
    server.advance(1_000).await;
    assert_eq!(executed(&server).await, [first.id.to_string(), later.id.to_string()]);
    server.assert_execution_records_match().await;
}

async fn a_stopped_engine_is_not_ready_until_it_runs_again(server: TestServer) {
    server.tick().await;
    server.as_anonymous().get("/readyz").await.expect(200);
    server.advance_without_loops(5_001);
    assert_eq!(server.as_anonymous().get("/readyz").await.status, 503);
    assert_eq!(server.as_anonymous().get("/healthz").await.status, 200);
    server.tick().await;
    server.as_anonymous().get("/readyz").await.expect(200);
}

async fn tasks_that_fell_due_during_a_stop_are_executed_in_order(server: TestServer) {
    let mut rows = Vec::new();
    for number in 0..5_i64 {
        rows.push(server.create_task(&format!("Number {number}"), 5_000 - number * 1_000).await);
    }
    let moved =
        server.change(&rows[0], Change::Reschedule { when: server.now().plus(500).into() }).await.unwrap();
    server.advance_without_loops(3_600_000);
    server.tick().await;
    let order: Vec<String> =
        [&moved, &rows[4], &rows[3], &rows[2], &rows[1]].map(|row| row.id.to_string()).into();
    assert_eq!(executed(&server).await, order);
    server.assert_execution_records_match().await;
}

async fn two_nodes_execute_each_task_once(server: TestServer) {
    let other = server.open_second_node().await;
    let mut expected = Vec::new();
    for number in 0..20 {
        expected.push(server.create_task(&format!("Number {number}"), 1_000).await.id.to_string());
    }
    server.advance_without_loops(1_000);
    server.align_database_clock(&other);
    tokio::join!(server.tick(), other.loops.tick(server.now()));
    other.loops.tick(server.now()).await;
    let mut executed = executed(&server).await;
    executed.sort();
    expected.sort();
    assert_eq!(executed, expected);
    other.close().await;
}

/// Schedules a new draft for `millis` from now.
async fn schedule(caller: &HttpClient, title: &str, millis: i64) -> Value {
    let article =
        caller.post("/api/v1/articles", &json!({"title": title, "body": "A text."})).await.expect(201);
    let now = caller.get("/api/v1/stats").await.expect(200)["engine"]["now"].as_str().unwrap().to_owned();
    let due = now.parse::<domain::Timestamp>().unwrap().plus(millis).to_string();
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due});
    caller.post("/api/v1/tasks", &task).await.expect(201)
}

/// Waits until the task is executed, and checks the public page.
async fn wait_until_public(caller: &HttpClient, task: &Value, slug: &str) -> Value {
    let mut stream = SseClient::open(caller, None).await;
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    if caller.get(&path).await.expect(200)["state"] != "executed" {
        stream.wait_until_executed(task).await;
    }
    caller.get(&format!("/site/{slug}")).await.expect(200);
    caller.get(&path).await.expect(200)
}

async fn check_a_killed_server_resumes(storage: &[&str]) {
    let program = Program::new();
    let token = Some(program.admin(storage).await);
    let serving = program.serve(storage).await;
    let caller = HttpClient { token: token.clone(), ..serving.client() };
    let (soon, later) = (schedule(&caller, "Soon", 700).await, schedule(&caller, "Later", 4_000).await);
    serving.kill().await;
    let serving = program.serve(storage).await;
    let caller = HttpClient { token, ..serving.client() };
    for (task, slug) in [(soon, "soon"), (later, "later")] {
        let task = wait_until_public(&caller, &task, slug).await;
        assert_eq!((&task["state"], &task["version"]), (&json!("executed"), &json!(1)));
        assert!(task["executed_at"].as_str() >= task["due_at"].as_str());
    }
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_killed_server_on_sqlite_resumes() {
    check_a_killed_server_resumes(&[]).await;
}

#[tokio::test]
async fn a_killed_server_on_postgresql_resumes() {
    let (postgres, redis) = (test_support::postgres().await, test_support::Redis::start().await);
    let (database, hints) = (postgres.create_database(), redis.url());
    check_a_killed_server_resumes(&["--database-url", &database, "--redis-url", &hints]).await;
}

#[tokio::test]
async fn a_killed_or_wiped_redis_delays_nothing() {
    let redis = test_support::Redis::start().await;
    let (url, port) = (redis.url(), redis.port());
    let program = Program::new();
    let storage = ["--redis-url", url.as_str()];
    let token = Some(program.admin(&storage).await);
    let serving = program.serve(&storage).await;
    let caller = HttpClient { token, ..serving.client() };
    let wiped = schedule(&caller, "Wiped", 2_000).await;
    redis.wipe().await;
    wait_until_public(&caller, &wiped, "wiped").await;
    let without = schedule(&caller, "Without Redis", 1_500).await;
    redis.kill().await;
    wait_until_public(&caller, &without, "without-redis").await;
    let meanwhile = schedule(&caller, "Meanwhile", 300).await;
    wait_until_public(&caller, &meanwhile, "meanwhile").await;
    let _again = test_support::Redis::start_with(port, &[]).await;
    let again = schedule(&caller, "Again", 1_000).await;
    wait_until_public(&caller, &again, "again").await;
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_database_restart_loses_nothing() {
    let postgres = test_support::Postgres::start_durable().await;
    let database = postgres.create_database();
    let program = Program::new();
    let storage = ["--database-url", database.as_str()];
    let token = Some(program.admin(&storage).await);
    let serving = program.serve(&storage).await;
    let caller = HttpClient { token, ..serving.client() };
    let task = schedule(&caller, "Patient", 1_500).await;
    let mut stream = SseClient::open(&caller, None).await;
    postgres.stop();
    wait_for_issue(&mut stream, &json!("database_unavailable")).await;
    let page = caller.request(Method::GET, "/engine").header("accept", "text/html");
    let page = Reply::of(page).await;
    assert!(page.status == 503 && page.text.contains("The database does not respond."), "{}", page.text);
    let refused = caller.post("/api/v1/articles", &json!({"title": "Not now", "body": ""})).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    postgres.restart().await;
    let task = wait_until_public(&caller, &task, "patient").await;
    assert_eq!(task["state"], "executed");
    wait_for_issue(&mut stream, &Value::Null).await;
    assert_eq!(serving.end().await, 0);
}

/// Waits up to 60 heartbeats (a minute) until the live stream reports this issue.
async fn wait_for_issue(stream: &mut SseClient, issue: &Value) {
    for _ in 0..60 {
        let heartbeat = stream.next_event("heartbeat").await.data;
        if heartbeat["issue"] == *issue {
            return;
        }
    }
    panic!("no heartbeat reports {issue}");
}
