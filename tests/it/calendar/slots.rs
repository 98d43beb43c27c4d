//! Posting slots: the plan, the next free one, and many who take one at the same time.

use super::days;
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::task::Change;
use futures::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;

on_both!(
    the_plan_is_changed_by_admins_and_by_version,
    a_task_takes_the_next_free_slot,
    a_slot_is_free_again_when_its_task_leaves,
    two_hundred_editors_get_two_hundred_slots,
    share_next_moves_only_what_the_user_may_move,
    slots_keep_their_wall_clock_time,
    the_settings_page_brings_back_what_was_typed,
    the_panel_names_the_slot_and_the_form_takes_it,
);

/// A plan with these times on each weekday.
fn every_day(times: &[&str], zone: &str) -> Value {
    let days: Vec<Value> = (0..7).map(|_| json!({"times": times})).collect();
    json!({"seen_version": 0, "zone": zone, "days": days, "holidays": []})
}

impl TestServer {
    async fn set_slots(&self, plan: &Value) -> Value {
        self.as_admin().put("/api/v1/slots", plan).await.expect(200)
    }

    /// Schedules a new draft of the creator in the next free slot and returns the task.
    async fn take_slot(&self, title: &str) -> Value {
        let article = self.create_draft(title).await;
        let new = json!({"kind": "article.publish", "target_id": article["id"], "slot": "next"});
        self.as_creator().post("/api/v1/tasks", &new).await.expect(201)
    }
}

async fn the_plan_is_changed_by_admins_and_by_version(server: TestServer) {
    let admin = server.as_admin();
    let empty = server.as_creator().get("/api/v1/slots").await.expect(200);
    assert_eq!((empty["version"].as_i64(), empty["days"].as_array().unwrap().len()), (Some(0), 7));
    assert_eq!(empty["next_free"], json!([]));
    let mut plan = every_day(&["16:30", "9:00", "09:00"], "Berlin");
    plan["days"][6] = json!({"is_off": true, "times": ["12:00"]});
    plan["holidays"] = json!(["2027-12-25", "2027-03-02"]);
    assert_eq!(server.as_creator().put("/api/v1/slots", &plan).await.refused(403), "not_allowed");
    let saved = server.set_slots(&plan).await;
    assert_eq!((saved["version"].as_i64(), saved["zone"].as_str()), (Some(1), Some("Europe/Berlin")));
    assert_eq!(saved["days"][0], json!({"is_off": false, "times": ["09:00", "16:30"]}));
    assert_eq!(saved["days"][6], json!({"is_off": true, "times": ["12:00"]}));
    assert_eq!(saved["holidays"], json!(["2027-03-02", "2027-12-25"]));
    // Now it is Monday, 09:00 in Berlin; Tuesday is a holiday.
    assert_eq!(saved["next_free"][0], "2027-03-01T15:30:00.000Z");
    assert_eq!(saved["next_free"][1], "2027-03-03T08:00:00.000Z");
    assert_eq!(admin.put("/api/v1/slots", &plan).await.refused(409), "changed");
    plan["seen_version"] = json!(2);
    assert_eq!(admin.put("/api/v1/slots", &plan).await.refused(409), "changed");
    plan["seen_version"] = json!(1);
    assert_eq!(admin.put("/api/v1/slots", &plan).await.expect(200)["version"], 2);
    for (field, value) in [
        ("zone", json!("Atlantis")),
        ("days", json!([])),
        (
            "days",
            json!([{"times": ["25:00"]}, {"times": []}, {"times": []}, {"times": []}, {"times": []}, {"times": []}, {"times": []}]),
        ),
        ("holidays", json!(["Christmas"])),
    ] {
        let mut wrong = plan.clone();
        wrong[field] = value;
        assert_eq!(admin.put("/api/v1/slots", &wrong).await.expect(422)["error"]["field"], field);
    }
    let events = admin.get("/api/v1/events?limit=1000").await.expect(200);
    let changes = events["items"].as_array().unwrap().iter().filter(|event| event["entity"] == "slots");
    assert_eq!(changes.count(), 2);
}

async fn a_task_takes_the_next_free_slot(server: TestServer) {
    let article = server.create_draft("Early").await;
    let new = json!({"kind": "article.publish", "target_id": article["id"], "slot": "next"});
    assert_eq!(server.as_creator().post("/api/v1/tasks", &new).await.refused(404), "no_such");
    server.set_slots(&every_day(&["10:00", "12:00"], "UTC")).await;
    let task = server.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    assert_eq!(task["due_at"], "2027-03-01T10:00:00.000Z");
    assert_eq!((&task["state"], &task["version"]), (&json!("scheduled"), &json!(1)));
    assert_eq!(server.as_creator().post("/api/v1/tasks", &new).await.refused(409), "already_scheduled");
    // Another article was scheduled for the next one by hand.
    server.publish_at("By hand", "2027-03-01T12:00:00Z").await;
    assert_eq!(server.take_slot("Second").await["due_at"], "2027-03-02T10:00:00.000Z");
    for (field, wrong) in [
        ("slot", json!({"kind": "article.publish", "target_id": article["id"], "slot": "share_first"})),
        (
            "slot",
            json!({"kind": "article.publish", "target_id": article["id"], "slot": "next", "due_at": "2027-03-05T10:00:00Z"}),
        ),
    ] {
        let refused = server.as_creator().post("/api/v1/tasks", &wrong).await.expect(422);
        assert_eq!(refused["error"]["field"], field);
    }
    let theirs = server.create_draft("Theirs").await;
    let new = json!({"kind": "article.publish", "target_id": theirs["id"], "slot": "next"});
    assert_eq!(server.as_colleague().post("/api/v1/tasks", &new).await.refused(403), "not_allowed");
    let all = days(&server.as_creator(), "zone=UTC&from=2027-03-01&to=2027-03-02").await;
    assert_eq!(all.iter().map(|day| day["count"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 1]);
}

async fn a_slot_is_free_again_when_its_task_leaves(server: TestServer) {
    server.set_slots(&every_day(&["10:00"], "UTC")).await;
    let first = server.take_slot("First").await;
    assert_eq!(server.take_slot("Second").await["due_at"], "2027-03-02T10:00:00.000Z");
    let row = server.find_task(first["id"].as_str().unwrap().parse().unwrap()).await;
    server.change(&row, Change::Cancel).await.unwrap();
    assert_eq!(server.take_slot("Third").await["due_at"], "2027-03-01T10:00:00.000Z");
    // What is executed has left its slot for good: it has passed.
    server.advance(3 * 3_600_000).await;
    assert_eq!(server.take_slot("Fourth").await["due_at"], "2027-03-03T10:00:00.000Z");
}

async fn share_next_moves_only_what_the_user_may_move(server: TestServer) {
    server.set_slots(&every_day(&["10:00"], "UTC")).await;
    let mine = server.take_slot("First").await;
    // The second slot belongs to an admin, the third is mine again.
    let theirs =
        server.as_admin().post("/api/v1/articles", &json!({"title": "Theirs", "body": ""})).await.expect(201);
    let new = json!({"kind": "article.publish", "target_id": theirs["id"], "slot": "next"});
    let theirs = server.as_admin().post("/api/v1/tasks", &new).await.expect(201);
    let third = server.take_slot("Third").await;
    let article = server.create_draft("In front").await;
    let new = json!({"kind": "article.publish", "target_id": article["id"], "slot": "share_next"});
    let client = server.as_creator();
    let task = client.post("/api/v1/tasks", &new).await.expect(201);
    assert_eq!(task["due_at"], "2027-03-01T10:00:00.000Z");
    let due = async |task: &Value| {
        let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
        let task = client.get(&path).await.expect(200);
        (task["due_at"].as_str().unwrap()[..10].to_owned(), task["version"].as_i64().unwrap())
    };
    assert_eq!(due(&mine).await, ("2027-03-03".to_owned(), 2));
    assert_eq!(due(&theirs).await, ("2027-03-02".to_owned(), 1));
    assert_eq!(due(&third).await, ("2027-03-04".to_owned(), 2));
    // One that is moved can be moved back.
    let row = server.find_task(mine["id"].as_str().unwrap().parse().unwrap()).await;
    assert_eq!(row.undo.map(|undo| undo.verb), Some("reschedule".to_owned()));
    // What is scheduled already does not move the others.
    let refused = client.post("/api/v1/tasks", &new).await.expect(409);
    assert_eq!(refused["task"]["due_at"], "2027-03-01T10:00:00.000Z");
    assert_eq!(due(&mine).await, ("2027-03-03".to_owned(), 2));
    let wrong = json!({"kind": "article.publish", "target_id": article["id"], "slot": "first"});
    assert_eq!(client.post("/api/v1/tasks", &wrong).await.refused(422), "invalid");
}

async fn two_hundred_editors_get_two_hundred_slots(server: TestServer) {
    let times: Vec<String> = (0..20).map(|place| format!("{:02}:30", place + 4)).collect();
    let times: Vec<&str> = times.iter().map(String::as_str).collect();
    server.set_slots(&every_day(&times, "UTC")).await;
    let articles = server.create_articles(200).await;
    let client = server.as_creator();
    let take = |article: &domain::ArticleId| {
        let (client, new) =
            (client.clone(), json!({"kind": "article.publish", "target_id": article.0, "slot": "next"}));
        async move {
            // 503: nothing was changed, and the client tries again.
            for _ in 0..50 {
                let reply = client.post("/api/v1/tasks", &new).await;
                if reply.status != 503 {
                    return reply.expect(201);
                }
            }
            panic!("the database stays unavailable")
        }
    };
    let tasks = join_all(articles.iter().map(take)).await;
    let taken: BTreeSet<String> =
        tasks.iter().map(|task| task["due_at"].as_str().unwrap().to_owned()).collect();
    assert_eq!(taken.len(), 200);
    // Without gaps: 16 slots are left on the first day, then 20 on each.
    assert_eq!(taken.first().map(String::as_str), Some("2027-03-01T08:30:00.000Z"));
    assert_eq!(taken.last().map(String::as_str), Some("2027-03-11T07:30:00.000Z"));
    let next = client.get("/api/v1/slots").await.expect(200);
    assert_eq!(next["next_free"][0], "2027-03-11T08:30:00.000Z");
}

async fn slots_keep_their_wall_clock_time(server: TestServer) {
    // 02:30 does not exist on 28 March.
    let mut plan = every_day(&[], "Europe/Berlin");
    plan["days"][6] = json!({"times": ["02:30", "09:00"]});
    let saved = server.set_slots(&plan).await;
    let next: Vec<&str> =
        saved["next_free"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
    assert_eq!(
        next[6..10],
        [
            "2027-03-28T01:00:00.000Z",
            "2027-03-28T07:00:00.000Z",
            "2027-04-04T00:30:00.000Z",
            "2027-04-04T07:00:00.000Z"
        ]
    );
    assert_eq!(next[0..2], ["2027-03-07T01:30:00.000Z", "2027-03-07T08:00:00.000Z"]);
    let task = server.take_slot("Wall clock").await;
    let row = server.find_task(task["id"].as_str().unwrap().parse().unwrap()).await;
    assert_eq!(row.due.at.to_string(), "2027-03-07T01:30:00.000Z");
}

async fn the_settings_page_brings_back_what_was_typed(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get("/settings/slots").await.expect_page();
    assert_contains(&page, &["There is no free slot", "name=\"day6\"", "name=\"holidays\""]);
    let fields = [
        ("seen", "0"),
        ("zone", "Shanghai"),
        ("day0", "9:00，16:30"),
        ("day1", "nine"),
        ("off5", "on"),
        ("holidays", "2027-12-25\r\n2028-01-01"),
        ("from", "/settings/slots"),
    ];
    let refused = browser.form("/fn/save_slots", &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(
        &refused.text,
        &["value=\"9:00，16:30\"", "value=\"nine\"", "nine is not a time", "2028-01-01"],
    );
    let mut fields = fields;
    fields[3] = ("day1", "");
    let saved = browser.form("/fn/save_slots", &fields).await;
    assert_eq!((saved.status, saved.result_location().as_str()), (303, "/settings/slots?done=save"));
    let page = browser.get(saved.header("location")).await.expect_page();
    assert_contains(&page, &["The slots were saved.", "value=\"09:00, 16:30\"", "Mon 1 Mar, 08:30"]);
    assert_eq!(server.as_creator().get("/api/v1/slots").await.expect(200)["days"][5]["is_off"], true);
}

async fn the_panel_names_the_slot_and_the_form_takes_it(server: TestServer) {
    server.set_slots(&every_day(&["10:00"], "UTC")).await;
    let article = server.create_draft("In a slot").await;
    let id = article["id"].as_str().unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/articles/{id}?view=schedule")).await.expect_page();
    assert_contains(&page, &["Next free slot: Mon 1 Mar", "/fn/schedule_next", "Put first in the queue"]);
    let from = format!("/articles/{id}?view=schedule");
    let fields = [("article", id), ("kind", "article.publish"), ("from", from.as_str())];
    let taken = browser.form("/fn/schedule_next", &fields).await;
    assert_eq!(taken.status, 303);
    let page = browser.get(taken.header("location")).await.expect_page();
    assert_contains(&page, &["Undo schedule"]);
    // The same form again.
    assert_eq!(browser.form("/fn/schedule_next", &fields).await.status, 303);
    let calendar = browser.get("/calendar?date=2027-03-01&zone=UTC").await.expect_page();
    assert_contains(&calendar, &["In a slot", "Free slot Tue 2 Mar, 10:00"]);
    assert!(!calendar.contains("Free slot Mon 1 Mar, 10:00"));
}
