//! Several nodes on one database: states, failover, and no task late, lost or duplicate.

use crate::{
    engine_page::assert_contains,
    http_client::HttpClient,
    on_both,
    program::{Program, Serving},
    sse_client::SseClient,
    test_server::TestServer,
};
use domain::{
    KindClass, Priority, State, Timestamp, Version,
    engine::{NodeRole, NodeState},
    task::TaskRow,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    execute::Claim,
    in_flight::{self, InFlightWrite},
    node::{HeartbeatInput, request_drain},
};
use tokio::sync::Mutex;

on_both!(
    node_states_are_alive_lost_or_stopped,
    a_node_that_was_asked_to_stop_is_draining_until_it_has_stopped,
    a_task_that_crashes_nodes_is_quarantined_and_failed_at_the_fifth_crash,
);

async fn node_states_are_alive_lost_or_stopped(server: TestServer) {
    let other = server.open_second_node().await;
    let states = async || -> BTreeMap<String, NodeState> {
        let nodes = server.app.services.engine.nodes(&server.admin.actor).await.unwrap();
        nodes.into_iter().map(|node| (node.name, node.state)).collect()
    };
    assert!(states().await.is_empty());
    server.align_database_clock(&other);
    server.tick().await;
    other.loops.tick(server.now()).await;
    assert_eq!(states().await, [("another", NodeState::Alive), ("test", NodeState::Alive)].map(named).into());
    // The other node has stopped; the list says so before the event is logged.
    server.advance_without_loops(8_000);
    server.align_database_clock(&server.app);
    assert_eq!(states().await, [("another", NodeState::Lost), ("test", NodeState::Lost)].map(named).into());
    server.tick().await;
    assert_eq!(states().await, [("another", NodeState::Lost), ("test", NodeState::Alive)].map(named).into());
    server.align_database_clock(&other);
    other.loops.tick(server.now()).await;
    other.loops.tick(server.now()).await;
    assert_eq!(states().await["another"], NodeState::Alive);
    other.loops.heartbeat.leave().await;
    assert_eq!(states().await["another"], NodeState::Stopped);
    let events = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let events = events["items"].as_array().unwrap();
    let of_nodes = events.iter().filter(|event| event["entity"] == "node");
    let verbs: Vec<&str> = of_nodes.map(|event| event["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["lose", "return"]);
    let list = server.as_admin().get("/api/v1/nodes").await.expect(200);
    let own = list["items"].as_array().unwrap().iter().find(|node| node["is_self"] == true).unwrap();
    assert_eq!((&own["name"], &own["role"], &own["state"]), (&json!("test"), &json!("all"), &json!("alive")));
    other.close().await;
}

async fn a_node_that_was_asked_to_stop_is_draining_until_it_has_stopped(server: TestServer) {
    let other = server.open_second_node().await;
    server.align_database_clock(&other);
    server.tick().await;
    other.loops.tick(server.now()).await;
    let shown = async || -> BTreeMap<String, (Value, Value)> {
        let list = server.as_admin().get("/api/v1/nodes").await.expect(200);
        let nodes = list["items"].as_array().unwrap().iter();
        let name = |node: &Value| node["name"].as_str().unwrap().to_owned();
        nodes.map(|node| (name(node), (node["state"].clone(), node["is_draining"].clone()))).collect()
    };
    let sentence = "draining: stops when its work is finished";
    assert_eq!(shown().await["another"], (json!("alive"), json!(false)));
    assert!(!server.page(&server.admin, "/engine").await.contains(sentence));
    let parts = &other.parts;
    assert!(request_drain(&parts.store, parts.node.id.0, parts.clock.as_ref()).await.unwrap());
    let nodes = shown().await;
    assert_eq!(nodes["another"], (json!("alive"), json!(true)));
    assert_eq!(nodes["test"], (json!("alive"), json!(false)));
    assert!(server.page(&server.admin, "/engine").await.contains(sentence));
    other.loops.heartbeat.leave().await;
    assert_eq!(shown().await["another"], (json!("stopped"), json!(false)));
    other.close().await;
}

fn named((name, state): (&str, NodeState)) -> (String, NodeState) {
    (name.to_owned(), state)
}

async fn a_task_that_crashes_nodes_is_quarantined_and_failed_at_the_fifth_crash(server: TestServer) {
    let (poison, other) =
        (server.create_task("Poison", 1_000).await, server.create_task("Other", 3_600_000).await);
    // Paused, so that the task stays scheduled while nodes die.
    server.app.services.engine.pause(&server.admin.actor, None).await.unwrap();
    let (parts, clock) = (&server.app.parts, server.app.parts.clock.as_ref());
    for crashes in 1..=5 {
        assert_eq!(server.find_task(poison.id).await.state, State::Scheduled);
        let claims = [claim(&poison), Claim { version: Version(99), ..claim(&other) }];
        let (id, role) = (uuid::Uuid::now_v7(), NodeRole::Work);
        server.align_database_clock(&server.app);
        let dead = HeartbeatInput {
            id,
            name: "dead",
            role,
            version: "1",
            is_engine_alive: Some(true),
            overdue_checked_ago_ms: None,
            timeline: None,
        };
        store::node::heartbeat(&parts.store, dead, clock).await.unwrap();
        for (slot, claim) in claims.iter().enumerate() {
            let last = Arc::new(Mutex::default()).lock_owned().await;
            let write = InFlightWrite::new(id, slot, in_flight::encode([claim]), last).unwrap();
            write.write(&parts.store).await.unwrap();
        }
        server.advance_without_loops(11_000);
        server.tick().await;
        let quarantined = parts.execution.in_flight.split_quarantined(&[claim(&poison), claim(&other)]).1;
        assert_eq!(quarantined.len(), usize::from((2..5).contains(&crashes)), "after {crashes}");
    }
    let failed = server.find_task(poison.id).await;
    assert_eq!((failed.state, failed.reason.as_deref()), (State::Failed, Some("poison")));
    assert_eq!(server.find_task(other.id).await.state, State::Scheduled);
    let page = format!("/tasks/{}", poison.id);
    assert_contains(&server.page(&server.creator, &page).await, &["no longer retried.", "Retry"]);
    let (id, seen) = (poison.id.to_string(), failed.version.0.to_string());
    let form = [("id", id.as_str()), ("seen", &seen), ("what", "retry"), ("from", &page)];
    let reply = server.log_in_browser(&server.creator).await.form("/fn/change_task", &form).await;
    assert_eq!((reply.status, reply.result_location()), (303, format!("{page}?changed={id}")));
    server.app.services.engine.resume(&server.admin.actor).await.unwrap();
    server.tick().await;
    assert_eq!(server.find_task(poison.id).await.state, State::Executed);
}

fn claim(row: &TaskRow) -> Claim {
    let (task, version, priority, bucket) = (row.id, row.version, Priority::Normal, 0);
    let class = KindClass::Content;
    Claim { task, version, priority, class, bucket, hinted_at: None, moved_at: None, popped_at: None }
}

/// Creates drafts and, in one request, their tasks: the first is due after `first` ms, then one
/// every `every` ms.
pub async fn schedule(caller: &HttpClient, count: i64, first: i64, every: i64) -> Vec<String> {
    let mut drafts = Vec::new();
    for number in 0..count {
        let new = json!({"title": format!("Number {number}"), "body": "A text."});
        drafts.push(caller.post("/api/v1/articles", &new).await.expect(201)["id"].clone());
    }
    let now = caller.get("/api/v1/stats").await.expect(200)["engine"]["now"].clone();
    let now: Timestamp = now.as_str().unwrap().parse().unwrap();
    let items: Vec<Value> = (0..)
        .zip(&drafts)
        .map(|(number, draft)| {
            let due = now.plus(first + every * number).to_string();
            json!({"kind": "article.publish", "target_id": draft, "due_at": due})
        })
        .collect();
    let made = caller.post("/api/v1/tasks/bulk", &json!({"items": items})).await.expect(201);
    made["items"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}

/// Waits until all of these tasks are executed.
pub async fn wait_until_all_executed(caller: &HttpClient, tasks: &[String]) {
    let mut stream = SseClient::open(caller, None).await;
    let mut waiting = Vec::new();
    for task in tasks {
        if caller.get(&format!("/api/v1/tasks/{task}")).await.expect(200)["state"] != "executed" {
            waiting.push(task.as_str());
        }
    }
    while !waiting.is_empty() {
        let signals = stream.next_event("signals").await.data;
        for signal in signals.as_array().unwrap().iter().filter(|signal| signal["verb"] == "execute") {
            waiting.retain(|task| signal["entity_id"] != *task);
        }
    }
}

/// Returns the lateness of each task in ms, and how many executions the log has.
pub async fn outcome(caller: &HttpClient, tasks: &[String]) -> (Vec<i64>, usize) {
    let mut late = Vec::new();
    for task in tasks {
        let task = caller.get(&format!("/api/v1/tasks/{task}")).await.expect(200);
        assert_eq!(task["version"], 1);
        let at = |name: &str| task[name].as_str().unwrap().parse::<Timestamp>().unwrap();
        late.push(at("executed_at").since(at("due_at")));
    }
    let events = caller.get("/api/v1/events?limit=1000").await.expect(200);
    let events = events["items"].as_array().unwrap();
    (late, events.iter().filter(|event| event["verb"] == "execute").count())
}

/// Waits for an event about a node.
async fn wait_for_node_event(stream: &mut SseClient, verb: &str) {
    loop {
        let signals = stream.next_event("signals").await.data;
        let mut signals = signals.as_array().unwrap().iter();
        if signals.any(|signal| signal["entity"] == "node" && signal["verb"] == verb) {
            return;
        }
    }
}

pub fn client_with_token(serving: &Serving, token: &str) -> HttpClient {
    HttpClient { token: Some(token.to_owned()), ..serving.client() }
}

#[tokio::test]
async fn a_killed_node_is_lost_within_five_seconds_and_others_take_over() {
    let (postgres, redis) = (test_support::postgres().await, test_support::Redis::start().await);
    let (database, hints) = (postgres.create_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let [web, first, second, third] = [(); 4].map(|()| Program::new());
    let token = web.admin(&storage).await;
    let named = |name| [&storage[..], &["--node", name]].concat();
    let pages = web.serve(&[&named("pages")[..], &["--role", "web"]].concat()).await;
    let first = first.work(&named("first")).await;
    let second = second.work(&named("second")).await;
    let caller = client_with_token(&pages, &token);
    let tasks = schedule(&caller, 40, 500, 50).await;
    let mut stream = SseClient::open(&caller, None).await;
    wait_until_all_executed(&caller, &tasks[9..=9]).await;
    first.kill().await;
    let killed = Instant::now();
    wait_for_node_event(&mut stream, "lose").await;
    assert!(killed.elapsed() < Duration::from_secs(5), "{:?}", killed.elapsed());
    wait_until_all_executed(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    let nodes = caller.get("/api/v1/nodes").await.expect(200);
    let nodes: Vec<_> =
        nodes["items"].as_array().unwrap().iter().map(|node| (&node["name"], &node["state"])).collect();
    assert_eq!(nodes.len(), 3);
    assert!(nodes.contains(&(&json!("first"), &json!("lost"))), "{nodes:?}");
    // The node without an engine has learned by now that another one works.
    caller.get("/readyz").await.expect(200);
    assert_eq!(second.end().await, 0);
    let nodes = caller.get("/api/v1/nodes").await.expect(200);
    let stopped = nodes["items"].as_array().unwrap().iter().find(|node| node["name"] == "second").unwrap();
    assert_eq!(stopped["state"], "stopped");
    check_the_last_engine_is_killed(&caller, &mut stream, third.work(&named("third")).await).await;
    assert_eq!(pages.end().await, 0);
}

/// A node without an engine reports that none is alive: in `/readyz` and on the live stream.
async fn check_the_last_engine_is_killed(caller: &HttpClient, stream: &mut SseClient, last: Serving) {
    while stream.next_event("heartbeat").await.data["is_healthy"] != true {}
    caller.get("/readyz").await.expect(200);
    last.kill().await;
    let killed = Instant::now();
    while stream.next_event("heartbeat").await.data["is_healthy"] != false {}
    // Heartbeats come once a second.
    assert!(killed.elapsed() < Duration::from_secs(6), "{:?}", killed.elapsed());
    let ready = caller.get("/readyz").await.expect(503);
    assert!(ready["message"].as_str().is_some_and(|message| !message.is_empty()), "{ready}");
}

#[tokio::test]
async fn a_rolling_restart_makes_no_task_late() {
    let (postgres, redis) = (test_support::postgres().await, test_support::Redis::start().await);
    let (database, hints) = (postgres.create_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let (old, new) = (Program::new(), Program::new());
    let token = old.admin(&storage).await;
    let a = old.serve(&[&storage[..], &["--node", "a"]].concat()).await;
    let tasks = schedule(&client_with_token(&a, &token), 100, 1_000, 50).await;
    let b = new.serve(&[&storage[..], &["--node", "b"]].concat()).await;
    let caller = client_with_token(&b, &token);
    // The second node may have started after it.
    wait_until_all_executed(&caller, &tasks[20..=20]).await;
    assert_eq!(a.end().await, 0);
    wait_until_all_executed(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    assert_eq!(b.end().await, 0);
}
