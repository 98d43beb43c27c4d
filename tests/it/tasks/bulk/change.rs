//! One change of many tasks, its preview, and its undo.

use crate::{new_task::publish, on_both, test_server::TestServer};
use domain::{State, task::TaskRow};
use serde_json::{Value, json};

on_both!(
    a_preview_changes_nothing_and_says_who_moves_where,
    days_keep_the_wall_clock_time_and_a_skipped_time_is_refused,
    one_undo_restores_what_was_not_changed_since,
    cancelled_tasks_are_scheduled_again_unless_their_place_is_taken,
    what_may_not_be_changed_is_named_and_the_rest_is_changed,
    publications_move_to_free_slots_in_their_order,
    failed_tasks_are_tried_again_and_scheduled_ones_run_now,
    three_thousand_tasks_are_moved_and_restored,
    bad_requests_are_refused_with_the_field,
    the_pages_preview_change_and_undo,
);

const PATH: &str = "/api/v1/tasks/bulk-change";
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

impl TestServer {
    /// Changes these tasks as the creator.
    async fn bulk(&self, ids: &[&TaskRow], change: Value, dry_run: bool) -> Value {
        let ids: Vec<String> = ids.iter().map(|row| row.id.to_string()).collect();
        let body = json!({"ids": ids, "change": change, "dry_run": dry_run});
        self.as_creator().post(PATH, &body).await.expect(200)
    }

    async fn undo_batch(&self, done: &Value) -> Value {
        let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
        self.as_creator().post(&path, &json!({})).await.expect(200)
    }
}

fn numbers(outcome: &Value) -> (u64, u64, usize) {
    let number = |name: &str| outcome[name].as_u64().unwrap();
    (number("matched"), number("changed"), outcome["refused"].as_array().unwrap().len())
}

fn codes(outcome: &Value) -> Vec<&str> {
    let mut codes: Vec<&str> =
        outcome["refused"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    codes.sort_unstable();
    codes
}

async fn a_preview_changes_nothing_and_says_who_moves_where(server: TestServer) {
    let one = server.create_task("One", HOUR_MS).await;
    let two = server.create_task("Two", 2 * HOUR_MS).await;
    server.create_task("Other", DAY_MS + HOUR_MS).await;
    let shift = json!({"type": "shift", "days": 1});
    let preview = server.bulk(&[&two, &one], shift, true).await;
    assert_eq!((numbers(&preview), &preview["batch_id"]), ((2, 2, 0), &Value::Null));
    assert_eq!(preview["conflicts"], 1);
    let moves: Vec<_> = preview["moves"].as_array().unwrap().iter().collect();
    assert_eq!((&moves[0]["title"], &moves[0]["is_conflict"]), (&json!("One"), &json!(true)));
    assert_eq!(moves[0]["to"], json!(one.due.at.plus(DAY_MS).to_string()));
    assert_eq!((&moves[1]["title"], &moves[1]["is_conflict"]), (&json!("Two"), &json!(false)));
    assert_eq!(server.find_task(one.id).await.version, one.version);
    // Two that meet each other.
    let met = server.bulk(&[&one, &two], json!({"type": "move_to_day", "day": "2027-03-09"}), true).await;
    assert_eq!((numbers(&met), met["conflicts"].as_u64()), ((2, 2, 0), Some(0)));
}

async fn days_keep_the_wall_clock_time_and_a_skipped_time_is_refused(server: TestServer) {
    let creator = server.as_creator();
    let schedule = async |title: &str, local: &str| {
        let article = server.create_draft(title).await;
        let new = json!({"kind": "article.publish", "target_id": article["id"], "local": local, "zone": "Europe/Berlin"});
        let task = creator.post("/api/v1/tasks", &new).await.expect(201);
        server.find_task(task["id"].as_str().unwrap().parse().unwrap()).await
    };
    let nine = schedule("Nine", "2027-03-27T09:00").await;
    let night = schedule("Night", "2027-03-27T02:30").await;
    // On 2027-03-28 the clocks jump from two to three.
    let done = server.bulk(&[&nine, &night], json!({"type": "shift", "days": 1}), false).await;
    assert_eq!((numbers(&done), codes(&done)), ((2, 1, 1), vec!["skipped_time"]));
    assert!(done["refused"][0]["message"].as_str().unwrap().contains("2027-03-28T03:00"), "{done}");
    let moved = server.find_task(nine.id).await;
    assert_eq!(moved.due.at.to_string(), "2027-03-28T07:00:00.000Z");
    let done = server.bulk(&[&night], json!({"type": "shift", "minutes": -90}), false).await;
    assert_eq!(numbers(&done), (1, 1, 0));
    assert_eq!(server.find_task(night.id).await.due.at, night.due.at.plus(-90 * 60_000));
    let done = server.bulk(&[&nine], json!({"type": "move_to_day", "day": "2027-07-01"}), false).await;
    assert_eq!(numbers(&done), (1, 1, 0));
    assert_eq!(server.find_task(nine.id).await.due.at.to_string(), "2027-07-01T07:00:00.000Z");
}

async fn one_undo_restores_what_was_not_changed_since(server: TestServer) {
    let mut rows = Vec::new();
    for number in 1..=3 {
        rows.push(server.create_task(&format!("Task {number}"), number * HOUR_MS).await);
    }
    let all: Vec<&TaskRow> = rows.iter().collect();
    let done = server.bulk(&all, json!({"type": "shift", "days": 2}), false).await;
    assert_eq!(numbers(&done), (3, 3, 0));
    let changed = server.find_task(rows[1].id).await;
    let when = server.now().plus(5 * DAY_MS).into();
    server.change(&changed, domain::task::Change::Reschedule { when }).await.unwrap();
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    assert_eq!(server.as_colleague().post(&path, &json!({})).await.refused(403), "not_allowed");
    let undone = server.undo_batch(&done).await;
    assert_eq!((numbers(&undone), codes(&undone)), ((3, 2, 1), vec!["changed"]));
    assert_eq!(server.find_task(rows[0].id).await.due, rows[0].due);
    assert_eq!(server.find_task(rows[1].id).await.due.at, server.now().plus(5 * DAY_MS));
    assert_eq!(server.as_creator().post(&path, &json!({})).await.refused(409), "cannot_undo");
    assert_eq!(server.timeline_verbs(rows[0].id).await, ["schedule", "reschedule", "undo"]);
    // They are executed at their restored time.
    server.advance(HOUR_MS).await;
    assert_eq!(server.find_task(rows[0].id).await.state, State::Executed);
}

async fn cancelled_tasks_are_scheduled_again_unless_their_place_is_taken(server: TestServer) {
    let one = server.create_task("One", HOUR_MS).await;
    let two = server.create_task("Two", HOUR_MS).await;
    let done = server.bulk(&[&one, &two], json!({"type": "cancel"}), false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.find_task(two.id).await.state, State::Cancelled);
    let again = publish(domain::ArticleId(two.target_id), server.now().plus(DAY_MS));
    server.app.services.tasks.schedule(&server.creator.actor, again).await.unwrap();
    let undone = server.undo_batch(&done).await;
    assert_eq!((numbers(&undone), codes(&undone)), ((2, 1, 1), vec!["already_scheduled"]));
    server.advance(HOUR_MS).await;
    assert_eq!(server.find_task(one.id).await.state, State::Executed);
    assert_eq!(server.find_task(two.id).await.state, State::Cancelled);
}

async fn what_may_not_be_changed_is_named_and_the_rest_is_changed(server: TestServer) {
    let done = server.create_task("Done", HOUR_MS).await;
    server.advance(HOUR_MS).await;
    let due = server.create_task("Due", HOUR_MS).await;
    server.advance_without_loops(HOUR_MS);
    let mine = server.create_task("Mine", HOUR_MS).await;
    let ids = [done.id, due.id, mine.id, domain::TaskId::generate()].map(|id| id.to_string());
    let body = json!({"ids": ids, "change": {"type": "shift", "minutes": 30}});
    let outcome = server.as_creator().post(PATH, &body).await.expect(200);
    assert_eq!(numbers(&outcome), (4, 1, 3));
    assert_eq!(codes(&outcome), ["no_such", "past", "wrong_state"]);
    let others = json!({"ids": [mine.id.to_string()], "change": {"type": "cancel"}});
    let outcome = server.as_colleague().post(PATH, &others).await.expect(200);
    assert_eq!((numbers(&outcome), codes(&outcome)), ((1, 0, 1), vec!["not_allowed"]));
    assert_eq!(outcome["batch_id"], Value::Null);
    // What was due is executed, not delayed.
    server.tick().await;
    assert_eq!(server.find_task(due.id).await.state, State::Executed);
}

async fn publications_move_to_free_slots_in_their_order(server: TestServer) {
    let days: Vec<Value> = (0..7).map(|_| json!({"times": ["12:00"]})).collect();
    let plan = json!({"seen_version": 0, "zone": "UTC", "days": days, "holidays": []});
    server.as_admin().put("/api/v1/slots", &plan).await.expect(200);
    let later = server.create_task("Later", 3 * HOUR_MS).await;
    let sooner = server.create_task("Sooner", 2 * HOUR_MS).await;
    // It is Monday, eight o'clock.
    let taken = server.create_task("Taken", DAY_MS + 4 * HOUR_MS).await;
    let to_slots = json!({"type": "to_slots"});
    let preview = server.bulk(&[&later, &sooner], to_slots.clone(), true).await;
    let to = |index: usize| preview["moves"][index]["to"].as_str().unwrap().to_owned();
    assert_eq!([to(0), to(1)], ["2027-03-01T12:00:00.000Z", "2027-03-03T12:00:00.000Z"]);
    let done = server.bulk(&[&later, &sooner], to_slots, false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.find_task(sooner.id).await.due.at.to_string(), to(0));
    assert_eq!(server.find_task(later.id).await.due.at.to_string(), to(1));
    assert_eq!(server.find_task(taken.id).await.version, taken.version);
}

async fn failed_tasks_are_tried_again_and_scheduled_ones_run_now(server: TestServer) {
    let late = server.create_task("Late", HOUR_MS).await;
    let later = server.create_task("Later", 40 * DAY_MS).await;
    // Longer than the grace.
    server.advance(30 * DAY_MS).await;
    let found = server.find_task(late.id).await;
    let outcome = server.bulk(&[&late, &later], json!({"type": "run_now"}), false).await;
    let is_missed = found.state == State::Missed;
    assert_eq!(outcome["changed"], 1, "{outcome}");
    server.tick().await;
    assert_eq!(server.find_task(later.id).await.state, State::Executed);
    let outcome = server.bulk(&[&late, &later], json!({"type": "retry"}), false).await;
    assert_eq!(outcome["changed"], u64::from(is_missed), "{outcome}");
    server.tick().await;
    assert_eq!(server.find_task(late.id).await.state, State::Executed);
}

async fn three_thousand_tasks_are_moved_and_restored(server: TestServer) {
    let articles = server.create_articles(3_000).await;
    let new: Vec<_> = articles.iter().map(|id| publish(*id, server.now().plus(HOUR_MS))).collect();
    let tasks = &server.app.services.tasks;
    let rows = tasks.schedule_all(&server.creator.actor, new).await.unwrap();
    let body = json!({"filter": {"state": "scheduled"}, "change": {"type": "shift", "days": 1}});
    let done = server.as_creator().post(PATH, &body).await.expect(200);
    assert_eq!(numbers(&done), (3_000, 3_000, 0));
    let at = server.now().plus(HOUR_MS + DAY_MS);
    assert_eq!(server.find_task(rows[2_999].id).await.due.at, at);
    let undone = server.undo_batch(&done).await;
    assert_eq!(numbers(&undone), (3_000, 3_000, 0));
    server.advance(HOUR_MS).await;
    let dashboard = tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!((dashboard.scheduled, dashboard.executed_today), (0, 3_000));
}

async fn bad_requests_are_refused_with_the_field(server: TestServer) {
    let cancel = json!({"type": "cancel"});
    let many: Vec<String> = (0..10_001).map(|_| domain::TaskId::generate().to_string()).collect();
    for (field, body) in [
        ("ids", json!({"change": cancel})),
        ("ids", json!({"ids": [], "change": cancel})),
        ("ids", json!({"ids": ["x"], "change": cancel})),
        ("ids", json!({"ids": many, "change": cancel})),
        ("ids", json!({"ids": [], "filter": {}, "change": cancel})),
        ("state", json!({"filter": {"state": "odd"}, "change": cancel})),
        ("q", json!({"filter": {"q": "x".repeat(201)}, "change": cancel})),
        ("type", json!({"filter": {}, "change": {"type": "explode"}})),
        ("days", json!({"filter": {}, "change": {"type": "shift"}})),
        ("days", json!({"filter": {}, "change": {"type": "shift", "days": 4000}})),
        ("days", json!({"filter": {}, "change": {"type": "cancel", "days": 1}})),
        ("minutes", json!({"filter": {}, "change": {"type": "shift", "minutes": -600_000}})),
        ("day", json!({"filter": {}, "change": {"type": "move_to_day"}})),
        ("day", json!({"filter": {}, "change": {"type": "move_to_day", "day": "2027-02-30"}})),
    ] {
        let error = server.as_creator().post(PATH, &body).await.expect(422)["error"].clone();
        assert_eq!(error["field"], field, "{error}");
    }
    let undo = format!("/api/v1/batches/{}/undo", domain::BatchId::generate());
    assert_eq!(server.as_creator().post(&undo, &json!({})).await.refused(404), "no_such");
}

async fn the_pages_preview_change_and_undo(server: TestServer) {
    let one = server.create_task("One & only", HOUR_MS).await;
    let browser = server.log_in_browser(&server.creator).await;
    let list = browser.get("/tasks").await.expect_page();
    assert!(list.contains(&format!("value=\"{}\"", one.id)) && list.contains("Change several"), "{list}");
    let query = format!("ids={}&change=shift&amount=2&unit=hours&day=", one.id);
    let preview = browser.get(&format!("/bulk?{query}")).await.expect_page();
    for text in ["1 of 1 task will be changed.", "One &amp; only", "Change 1 task<"] {
        assert!(preview.contains(text), "{text}: {preview}");
    }
    assert_eq!(server.find_task(one.id).await.version, one.version);
    let id = one.id.to_string();
    let fields = [
        ("ids", id.as_str()),
        ("change", "shift"),
        ("amount", "2"),
        ("unit", "hours"),
        ("q", "a b"),
        ("from", "/bulk"),
    ];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert_eq!(done.status, 303);
    let location = done.result_location();
    assert!(location.starts_with("/tasks?q=a%20b&done=bulk-moved."), "{location}");
    assert_eq!(server.find_task(one.id).await.due.at, one.due.at.plus(2 * HOUR_MS));
    let page = browser.get(&done.header("location").replace("q=a%20b&", "")).await.expect_page();
    assert!(page.contains("1 item was rescheduled.") && page.contains("Undo all"), "{page}");
    let batch = location.split('.').nth(1).unwrap();
    let undone = browser.form("/fn/undo_batch", &[("id", batch), ("from", "/tasks")]).await;
    assert_eq!(undone.result_location(), "/tasks?done=bulk-undone..1.0");
    assert_eq!(server.find_task(one.id).await.due, one.due);
    // A wrong amount brings the preview back with a sentence.
    let wrong = [("ids", id.as_str()), ("change", "shift"), ("amount", "soon"), ("from", "/bulk")];
    assert_eq!(browser.form("/fn/run_bulk", &wrong).await.status, 422);
}
