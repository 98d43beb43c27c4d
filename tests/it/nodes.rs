//! Many nodes on one database: who lives, who fell silent, and nothing late, lost or doubled while they come and go.

use crate::{
    caller::Caller,
    ear::Ear,
    house::Story,
    on_both,
    program::{Program, Serving},
    sheet::says,
};
use domain::{
    Lane, State, Timestamp, Version,
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
    hands::{self, Note},
    node::Beat,
};
use tokio::sync::Mutex;

on_both!(nodes_are_alive_lost_or_stopped, a_task_that_nodes_die_with_runs_alone_and_is_failed_at_the_fifth,);

async fn nodes_are_alive_lost_or_stopped(story: Story) {
    let other = story.another().await;
    let states = async || -> BTreeMap<String, NodeState> {
        let nodes = story.house.desk.engine.nodes(&story.admin.actor).await.unwrap();
        nodes.into_iter().map(|node| (node.name, node.state)).collect()
    };
    assert!(states().await.is_empty());
    story.align(&other);
    story.tick().await;
    other.loops.tick(story.now()).await;
    assert_eq!(
        states().await,
        [("another", NodeState::Alive), ("story", NodeState::Alive)].map(named).into()
    );
    // The other one stands still; before anybody has noted it, the list says so.
    story.wait_without_loops(8_000);
    story.align(&story.house);
    assert_eq!(states().await, [("another", NodeState::Lost), ("story", NodeState::Lost)].map(named).into());
    story.tick().await;
    assert_eq!(states().await, [("another", NodeState::Lost), ("story", NodeState::Alive)].map(named).into());
    story.align(&other);
    other.loops.tick(story.now()).await;
    other.loops.tick(story.now()).await;
    assert_eq!(states().await["another"], NodeState::Alive);
    other.loops.roster.leave().await;
    assert_eq!(states().await["another"], NodeState::Stopped);
    let events = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let events = events["items"].as_array().unwrap();
    let of_nodes = events.iter().filter(|event| event["entity"] == "node");
    let verbs: Vec<&str> = of_nodes.map(|event| event["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["lose", "return"]);
    let list = story.as_admin().get("/api/v1/nodes").await.expect(200);
    let own = list["items"].as_array().unwrap().iter().find(|node| node["is_self"] == true).unwrap();
    assert_eq!(
        (&own["name"], &own["role"], &own["state"]),
        (&json!("story"), &json!("all"), &json!("alive"))
    );
    other.close().await;
}

fn named((name, state): (&str, NodeState)) -> (String, NodeState) {
    (name.to_owned(), state)
}

async fn a_task_that_nodes_die_with_runs_alone_and_is_failed_at_the_fifth(story: Story) {
    let (poison, other) = (story.waiting("Poison", 1_000).await, story.waiting("Other", 3_600_000).await);
    // So that it waits while nodes die with it.
    story.house.desk.engine.pause(&story.admin.actor, true).await.unwrap();
    let (parts, clock) = (&story.house.parts, story.house.parts.clock.as_ref());
    for deaths in 1..=5 {
        assert_eq!(story.look(poison.id).await.state, State::Scheduled);
        let held = [claim(&poison), Claim { version: Version(99), ..claim(&other) }];
        let (id, role) = (uuid::Uuid::now_v7(), NodeRole::Work);
        story.align(&story.house);
        let dead =
            Beat { id, name: "dead", role, version: "1", works: Some(true), looked: None, timeline: None };
        store::node::beat(&parts.store, dead, clock).await.unwrap();
        for (place, held) in held.iter().enumerate() {
            let last = Arc::new(Mutex::default()).lock_owned().await;
            let note = Note::new(id, place, hands::packed([held]), last).unwrap();
            note.write(&parts.store).await.unwrap();
        }
        story.wait_without_loops(11_000);
        story.tick().await;
        let alone = parts.hands.sort(&[claim(&poison), claim(&other)]).1;
        assert_eq!(alone.len(), usize::from((2..5).contains(&deaths)), "after {deaths}");
    }
    let failed = story.look(poison.id).await;
    assert_eq!((failed.state, failed.reason.as_deref()), (State::Failed, Some("poison")));
    assert_eq!(story.look(other.id).await.state, State::Scheduled);
    let page = format!("/tasks/{}", poison.id);
    says(&story.page(&story.creator, &page).await, &["taken out.", "Try again"]);
    let (id, seen) = (poison.id.to_string(), failed.version.0.to_string());
    let form = [("id", id.as_str()), ("seen", &seen), ("what", "retry"), ("from", &page)];
    let reply = story.browser_of(&story.creator).await.form("/fn/change_task", &form).await;
    assert_eq!((reply.status, reply.header("location")), (303, format!("{page}?changed={id}").as_str()));
    story.house.desk.engine.pause(&story.admin.actor, false).await.unwrap();
    story.tick().await;
    assert_eq!(story.look(poison.id).await.state, State::Executed);
}

fn claim(row: &TaskRow) -> Claim {
    let (task, version, lane, bucket) = (row.id, row.version, Lane::Normal, 0);
    Claim { task, version, lane, bucket, hinted_at: None, moved_at: None, popped_at: None }
}

/// Drafts and, in one call, the tasks that publish them: the first one after `first` ms, then one each `every` ms.
pub async fn schedule(caller: &Caller, count: i64, first: i64, every: i64) -> Vec<String> {
    let mut drafts = Vec::new();
    for place in 0..count {
        let new = json!({"title": format!("Number {place}"), "body": "A text."});
        drafts.push(caller.post("/api/v1/articles", &new).await.expect(201)["id"].clone());
    }
    let now = caller.get("/api/v1/stats").await.expect(200)["heartbeat"]["now"].clone();
    let now: Timestamp = now.as_str().unwrap().parse().unwrap();
    let items: Vec<Value> = (0..)
        .zip(&drafts)
        .map(|(place, draft)| {
            let due = now.plus(first + every * place).to_string();
            json!({"kind": "article.publish", "target_id": draft, "due_at": due})
        })
        .collect();
    let made = caller.post("/api/v1/tasks/bulk", &json!({"items": items})).await.expect(201);
    made["items"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}

/// Listens until all of them were executed.
pub async fn all_go_out(caller: &Caller, tasks: &[String]) {
    let mut ear = Ear::open(caller, None).await;
    let mut waiting = Vec::new();
    for task in tasks {
        if caller.get(&format!("/api/v1/tasks/{task}")).await.expect(200)["state"] != "executed" {
            waiting.push(task.as_str());
        }
    }
    while !waiting.is_empty() {
        let signals = ear.hear("signals").await.data;
        for signal in signals.as_array().unwrap().iter().filter(|signal| signal["verb"] == "execute") {
            waiting.retain(|task| signal["entity_id"] != *task);
        }
    }
}

/// How late each was, and how often the log says that it happened.
pub async fn outcome(caller: &Caller, tasks: &[String]) -> (Vec<i64>, usize) {
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

/// Waits until the log tells of that, about a node.
async fn hear_of_node(ear: &mut Ear, verb: &str) {
    loop {
        let signals = ear.hear("signals").await.data;
        let mut signals = signals.as_array().unwrap().iter();
        if signals.any(|signal| signal["entity"] == "node" && signal["verb"] == verb) {
            return;
        }
    }
}

pub fn asks(serving: &Serving, token: &str) -> Caller {
    Caller { token: Some(token.to_owned()), ..serving.caller() }
}

#[tokio::test]
async fn a_killed_node_is_lost_within_five_seconds_and_the_others_do_its_work() {
    let (postgres, redis) = (rig::postgres().await, rig::Redis::start().await);
    let (database, hints) = (postgres.fresh_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let [desk, first, second, third] = [(); 4].map(|()| Program::new());
    let token = desk.admin(&storage).await;
    let named = |name| [&storage[..], &["--node", name]].concat();
    let pages = desk.serve(&[&named("pages")[..], &["--role", "web"]].concat()).await;
    let first = first.work(&named("first")).await;
    let second = second.work(&named("second")).await;
    let caller = asks(&pages, &token);
    let tasks = schedule(&caller, 40, 500, 50).await;
    let mut ear = Ear::open(&caller, None).await;
    ear.hear_executed(&json!({"id": tasks[9]})).await;
    first.kill().await;
    let killed = Instant::now();
    hear_of_node(&mut ear, "lose").await;
    assert!(killed.elapsed() < Duration::from_secs(5), "{:?}", killed.elapsed());
    all_go_out(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    let nodes = caller.get("/api/v1/nodes").await.expect(200);
    let nodes: Vec<_> =
        nodes["items"].as_array().unwrap().iter().map(|node| (&node["name"], &node["state"])).collect();
    assert_eq!(nodes.len(), 3);
    assert!(nodes.contains(&(&json!("first"), &json!("lost"))), "{nodes:?}");
    // The desk without an engine knows by now that one works elsewhere.
    caller.get("/readyz").await.expect(200);
    assert_eq!(second.end().await, 0);
    let nodes = caller.get("/api/v1/nodes").await.expect(200);
    let stopped = nodes["items"].as_array().unwrap().iter().find(|node| node["name"] == "second").unwrap();
    assert_eq!(stopped["state"], "stopped");
    the_last_engine_dies(&caller, &mut ear, third.work(&named("third")).await).await;
    assert_eq!(pages.end().await, 0);
}

/// A node without an engine says so: to programs, and to every page that listens.
async fn the_last_engine_dies(caller: &Caller, ear: &mut Ear, last: Serving) {
    while ear.hear("beat").await.data["is_healthy"] != true {}
    caller.get("/readyz").await.expect(200);
    last.kill().await;
    let killed = Instant::now();
    while ear.hear("beat").await.data["is_healthy"] != false {}
    // Beats come once a second.
    assert!(killed.elapsed() < Duration::from_secs(6), "{:?}", killed.elapsed());
    let ready = caller.get("/readyz").await.expect(503);
    assert!(ready["says"].as_str().is_some_and(|says| !says.is_empty()), "{ready}");
}

#[tokio::test]
async fn a_rolling_restart_makes_nothing_late() {
    let (postgres, redis) = (rig::postgres().await, rig::Redis::start().await);
    let (database, hints) = (postgres.fresh_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let (old, new) = (Program::new(), Program::new());
    let token = old.admin(&storage).await;
    let a = old.serve(&[&storage[..], &["--node", "a"]].concat()).await;
    let tasks = schedule(&asks(&a, &token), 100, 1_000, 50).await;
    let b = new.serve(&[&storage[..], &["--node", "b"]].concat()).await;
    let caller = asks(&b, &token);
    Ear::open(&caller, None).await.hear_executed(&json!({"id": tasks[20]})).await;
    assert_eq!(a.end().await, 0);
    all_go_out(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    assert_eq!(b.end().await, 0);
}
