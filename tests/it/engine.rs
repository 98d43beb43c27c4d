//! The engine through bad days: paused, dead, killed, without Redis, without SQL, twice.

use crate::{
    caller::{Caller, Reply},
    ear::Ear,
    house::Story,
    on_both,
    program::Program,
};
use domain::{State, task::Change};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    while_it_is_paused_nothing_goes_out_and_then_all_in_order,
    an_engine_that_stands_still_is_red_until_it_moves,
    what_fell_due_while_it_stood_still_goes_out_in_order,
    two_nodes_execute_each_task_once,
);

async fn executed(story: &Story) -> Vec<String> {
    let events = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let executed = events["items"].as_array().unwrap().iter().filter(|event| event["verb"] == "execute");
    executed.map(|event| event["entity_id"].as_str().unwrap().to_owned()).collect()
}

async fn while_it_is_paused_nothing_goes_out_and_then_all_in_order(story: Story) {
    let (later, first) = (story.waiting("Later", 2_000).await, story.waiting("First", 1_000).await);
    story.house.desk.engine.pause(&story.admin.actor, true).await.unwrap();
    story.advance(3_000).await;
    assert_eq!(story.look(first.id).await.state, State::Scheduled);
    assert!(executed(&story).await.is_empty());
    story.house.desk.engine.pause(&story.admin.actor, false).await.unwrap();
    // What was given back waits a quarter of a second.
    story.advance(1_000).await;
    story.advance(1_000).await;
    assert_eq!(executed(&story).await, [first.id.to_string(), later.id.to_string()]);
    story.ledger_agrees().await;
}

async fn an_engine_that_stands_still_is_red_until_it_moves(story: Story) {
    story.tick().await;
    story.as_nobody().get("/readyz").await.expect(200);
    story.wait_without_loops(5_001);
    assert_eq!(story.as_nobody().get("/readyz").await.status, 503);
    assert_eq!(story.as_nobody().get("/healthz").await.status, 200);
    story.tick().await;
    story.as_nobody().get("/readyz").await.expect(200);
}

async fn what_fell_due_while_it_stood_still_goes_out_in_order(story: Story) {
    let mut rows = Vec::new();
    for place in 0..5_i64 {
        rows.push(story.waiting(&format!("Number {place}"), 5_000 - place * 1_000).await);
    }
    let moved =
        story.change(&rows[0], Change::Reschedule { when: story.now().plus(500).into() }).await.unwrap();
    story.wait_without_loops(3_600_000);
    story.tick().await;
    let order: Vec<String> =
        [&moved, &rows[4], &rows[3], &rows[2], &rows[1]].map(|row| row.id.to_string()).into();
    assert_eq!(executed(&story).await, order);
    story.ledger_agrees().await;
}

async fn two_nodes_execute_each_task_once(story: Story) {
    let other = story.another().await;
    let mut expected = Vec::new();
    for place in 0..20 {
        expected.push(story.waiting(&format!("Number {place}"), 1_000).await.id.to_string());
    }
    story.wait_without_loops(1_000);
    story.align(&other);
    tokio::join!(story.tick(), other.loops.tick(story.now()));
    other.loops.tick(story.now()).await;
    let mut executed = executed(&story).await;
    executed.sort();
    expected.sort();
    assert_eq!(executed, expected);
    other.close().await;
}

/// Schedules a new draft for `millis` from now.
async fn schedule(caller: &Caller, title: &str, millis: i64) -> Value {
    let article =
        caller.post("/api/v1/articles", &json!({"title": title, "body": "A text."})).await.expect(201);
    let now = caller.get("/api/v1/stats").await.expect(200)["heartbeat"]["now"].as_str().unwrap().to_owned();
    let due = now.parse::<domain::Timestamp>().unwrap().plus(millis).to_string();
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due});
    caller.post("/api/v1/tasks", &task).await.expect(201)
}

/// Waits until it is executed, and looks at what the public sees.
async fn goes_out(caller: &Caller, task: &Value, slug: &str) -> Value {
    let mut ear = Ear::open(caller, None).await;
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    if caller.get(&path).await.expect(200)["state"] != "executed" {
        ear.hear_executed(task).await;
    }
    caller.get(&format!("/site/{slug}")).await.expect(200);
    caller.get(&path).await.expect(200)
}

async fn a_killed_server_goes_on_where_it_was(storage: &[&str]) {
    let program = Program::new();
    let token = Some(program.admin(storage).await);
    let serving = program.serve(storage).await;
    let caller = Caller { token: token.clone(), ..serving.caller() };
    let (soon, later) = (schedule(&caller, "Soon", 700).await, schedule(&caller, "Later", 4_000).await);
    serving.kill().await;
    let serving = program.serve(storage).await;
    let caller = Caller { token, ..serving.caller() };
    for (task, slug) in [(soon, "soon"), (later, "later")] {
        let task = goes_out(&caller, &task, slug).await;
        assert_eq!((&task["state"], &task["version"]), (&json!("executed"), &json!(1)));
        assert!(task["executed_at"].as_str() >= task["due_at"].as_str());
    }
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_killed_server_on_sqlite_goes_on_where_it_was() {
    a_killed_server_goes_on_where_it_was(&[]).await;
}

#[tokio::test]
async fn a_killed_server_on_postgresql_goes_on_where_it_was() {
    let (postgres, redis) = (rig::postgres().await, rig::Redis::start().await);
    let (database, hints) = (postgres.fresh_database(), redis.url());
    a_killed_server_goes_on_where_it_was(&["--database-url", &database, "--redis-url", &hints]).await;
}

#[tokio::test]
async fn a_redis_that_dies_or_is_wiped_holds_up_nothing() {
    let redis = rig::Redis::start().await;
    let (url, port) = (redis.url(), redis.port());
    let program = Program::new();
    let storage = ["--redis-url", url.as_str()];
    let token = Some(program.admin(&storage).await);
    let serving = program.serve(&storage).await;
    let caller = Caller { token, ..serving.caller() };
    let wiped = schedule(&caller, "Wiped", 2_000).await;
    redis.wipe().await;
    goes_out(&caller, &wiped, "wiped").await;
    let without = schedule(&caller, "Without Redis", 1_500).await;
    redis.kill().await;
    goes_out(&caller, &without, "without-redis").await;
    let meanwhile = schedule(&caller, "Meanwhile", 300).await;
    goes_out(&caller, &meanwhile, "meanwhile").await;
    let _again = rig::Redis::start_with(port, &[]).await;
    let again = schedule(&caller, "Again", 1_000).await;
    goes_out(&caller, &again, "again").await;
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_database_that_stops_and_comes_back_loses_nothing() {
    let postgres = rig::Postgres::start_durable().await;
    let database = postgres.fresh_database();
    let program = Program::new();
    let storage = ["--database-url", database.as_str()];
    let token = Some(program.admin(&storage).await);
    let serving = program.serve(&storage).await;
    let caller = Caller { token, ..serving.caller() };
    let task = schedule(&caller, "Patient", 1_500).await;
    let mut ear = Ear::open(&caller, None).await;
    postgres.stop();
    hears_weather(&mut ear, &json!("database_away")).await;
    let page = caller.request(Method::GET, "/engine").header("accept", "text/html");
    let page = Reply::of(page).await;
    assert!(page.status == 503 && page.text.contains("The database does not answer."), "{}", page.text);
    let refused = caller.post("/api/v1/articles", &json!({"title": "Not now", "body": ""})).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    postgres.start_again().await;
    let task = goes_out(&caller, &task, "patient").await;
    assert_eq!(task["state"], "executed");
    hears_weather(&mut ear, &Value::Null).await;
    assert_eq!(serving.end().await, 0);
}

/// An open page hears of the weather within a minute.
async fn hears_weather(ear: &mut Ear, weather: &Value) {
    for _ in 0..60 {
        let beat = ear.hear("beat").await.data;
        assert_ne!(beat["weather"], "stuck", "the database is why");
        if beat["weather"] == *weather {
            return;
        }
    }
    panic!("the weather does not come to {weather}");
}
