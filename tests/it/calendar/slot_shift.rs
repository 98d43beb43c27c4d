//! Publications move along the posting slots: a gap is closed, room is made, an article is inserted.

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::task::{Change, TaskRow};
use serde_json::{Value, json};

on_both!(
    a_gap_is_closed_up_to_the_next_one_and_undone_at_once,
    room_is_made_up_to_the_next_free_slot,
    an_article_is_inserted_with_one_undo_for_all,
    publications_of_others_stay_in_their_slots,
    what_is_no_slot_or_taken_is_refused,
    the_result_offers_to_close_the_gap,
    the_calendar_marks_the_slots_and_the_page_inserts,
    all_articles_that_match_are_changed,
);

/// The slots of the first days: 10:00 UTC on each.
fn slot(day: u32) -> String {
    format!("2027-03-{day:02}T10:00:00.000Z")
}

impl TestServer {
    async fn one_slot_a_day(&self) {
        let days: Vec<Value> = (0..7).map(|_| json!({"times": ["10:00"]})).collect();
        let plan = json!({"seen_version": 0, "zone": "UTC", "days": days, "holidays": []});
        self.as_admin().put("/api/v1/slots", &plan).await.expect(200);
    }

    /// Publications of the creator in the slots of these days of March.
    async fn in_slots(&self, days: &[u32]) -> Vec<TaskRow> {
        let mut rows = Vec::new();
        for day in days {
            rows.push(self.publish_at(&format!("Of day {day}"), &slot(*day)).await);
        }
        rows
    }

    async fn shift_slots(&self, day: u32, direction: &str, dry_run: bool) -> Value {
        let body = json!({"at": slot(day), "direction": direction, "dry_run": dry_run});
        self.as_creator().post("/api/v1/slots/shift", &body).await.expect(200)
    }

    /// The days of March on which these tasks are due.
    async fn days_of(&self, rows: &[TaskRow]) -> Vec<u32> {
        let mut days = Vec::new();
        for row in rows {
            let due = self.find_task(row.id).await.due.at.to_string();
            assert!(due.starts_with("2027-03-") && due.ends_with("T10:00:00.000Z"), "{due}");
            days.push(due[8..10].parse().unwrap());
        }
        days
    }

    async fn undo_shift(&self, done: &Value) {
        let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
        self.as_creator().post(&path, &json!({})).await.expect(200);
    }
}

fn numbers(outcome: &Value) -> (u64, u64, usize) {
    let number = |name: &str| outcome[name].as_u64().unwrap();
    (number("matched"), number("changed"), outcome["refused"].as_array().unwrap().len())
}

async fn a_gap_is_closed_up_to_the_next_one_and_undone_at_once(server: TestServer) {
    server.one_slot_a_day().await;
    // Day 4 is free; what follows it stays.
    let rows = server.in_slots(&[2, 3, 5]).await;
    let preview = server.shift_slots(1, "earlier", true).await;
    assert_eq!((numbers(&preview), &preview["batch_id"]), ((2, 2, 0), &Value::Null));
    assert_eq!(
        (&preview["moves"][0]["from"], &preview["moves"][0]["to"]),
        (&json!(slot(2)), &json!(slot(1)))
    );
    assert_eq!(server.days_of(&rows).await, [2, 3, 5]);
    let done = server.shift_slots(1, "earlier", false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.days_of(&rows).await, [1, 2, 5]);
    server.undo_shift(&done).await;
    assert_eq!(server.days_of(&rows).await, [2, 3, 5]);
    // Nothing follows the free slot of day 6.
    let none = server.shift_slots(6, "earlier", false).await;
    assert_eq!((numbers(&none), &none["batch_id"]), ((0, 0, 0), &Value::Null));
    // They are executed at their new times.
    server.shift_slots(1, "earlier", false).await;
    server.advance(3 * 3_600_000).await;
    assert_eq!(server.find_task(rows[0].id).await.state, domain::State::Executed);
}

async fn room_is_made_up_to_the_next_free_slot(server: TestServer) {
    server.one_slot_a_day().await;
    let rows = server.in_slots(&[1, 2, 4]).await;
    let done = server.shift_slots(1, "later", false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.days_of(&rows).await, [2, 3, 4]);
    let next = server.as_creator().get("/api/v1/slots").await.expect(200);
    assert_eq!(next["next_free"][0], slot(1));
    // A free slot has room already.
    let none = server.shift_slots(1, "later", false).await;
    assert_eq!((numbers(&none), &none["batch_id"]), ((0, 0, 0), &Value::Null));
}

async fn an_article_is_inserted_with_one_undo_for_all(server: TestServer) {
    server.one_slot_a_day().await;
    let rows = server.in_slots(&[1, 2, 3]).await;
    let client = server.as_creator();
    let article = server.create_draft("In between").await;
    let new =
        json!({"kind": "article.publish", "target_id": article["id"], "slot": "insert", "due_at": slot(2)});
    let task = client.post("/api/v1/tasks", &new).await.expect(201);
    assert_eq!(task["due_at"], slot(2));
    assert_eq!(server.days_of(&rows).await, [1, 3, 4]);
    // A second request finds it scheduled, and moves nothing.
    assert_eq!(client.post("/api/v1/tasks", &new).await.refused(409), "already_scheduled");
    assert_eq!(server.days_of(&rows).await, [1, 3, 4]);
    // Into a free slot nothing moves.
    let other = server.create_draft("Free").await;
    let free =
        json!({"kind": "article.publish", "target_id": other["id"], "slot": "insert", "due_at": slot(8)});
    assert_eq!(client.post("/api/v1/tasks", &free).await.expect(201)["due_at"], slot(8));
    for (field, wrong) in [
        ("due_at", json!({"kind": "article.publish", "target_id": other["id"], "slot": "insert"})),
        (
            "slot",
            json!({"kind": "article.publish", "target_id": other["id"], "slot": "insert", "due_at": slot(2), "local": "2027-03-02T10:00", "zone": "UTC"}),
        ),
    ] {
        assert_eq!(client.post("/api/v1/tasks", &wrong).await.expect(422)["error"]["field"], field);
    }
}

async fn publications_of_others_stay_in_their_slots(server: TestServer) {
    server.one_slot_a_day().await;
    let mut rows = server.in_slots(&[2, 4]).await;
    let theirs =
        server.as_admin().post("/api/v1/articles", &json!({"title": "Theirs", "body": ""})).await.expect(201);
    let new = json!({"kind": "article.publish", "target_id": theirs["id"], "due_at": slot(3)});
    let theirs = server.as_admin().post("/api/v1/tasks", &new).await.expect(201);
    rows.push(server.find_task(theirs["id"].as_str().unwrap().parse().unwrap()).await);
    let preview = server.shift_slots(1, "earlier", true).await;
    assert_eq!((numbers(&preview), &preview["refused"][0]["code"]), ((3, 2, 1), &json!("not_allowed")));
    server.shift_slots(1, "earlier", false).await;
    assert_eq!(server.days_of(&rows).await, [1, 2, 3]);
    server.shift_slots(1, "later", false).await;
    assert_eq!(server.days_of(&rows).await, [2, 4, 3]);
    // Room is not made in a slot of another user; an admin can.
    let body = json!({"at": slot(3), "direction": "later"});
    assert_eq!(server.as_creator().post("/api/v1/slots/shift", &body).await.refused(403), "not_allowed");
    let done = server.as_admin().post("/api/v1/slots/shift", &body).await.expect(200);
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.days_of(&rows).await, [2, 5, 4]);
}

async fn what_is_no_slot_or_taken_is_refused(server: TestServer) {
    let client = server.as_creator();
    let shift = async |at: &str, direction: &str| {
        client.post("/api/v1/slots/shift", &json!({"at": at, "direction": direction})).await
    };
    assert_eq!(shift(&slot(1), "later").await.refused(404), "no_such");
    server.one_slot_a_day().await;
    server.in_slots(&[2]).await;
    assert_eq!(shift("2027-03-02T10:00:01Z", "later").await.refused(404), "no_such");
    assert_eq!(shift(&slot(2), "earlier").await.refused(409), "changed");
    assert_eq!(shift("2027-02-01T10:00:00Z", "earlier").await.refused(422), "past");
    for (field, at, direction) in [("at", "soon", "later"), ("direction", slot(2).as_str(), "up")] {
        assert_eq!(shift(at, direction).await.expect(422)["error"]["field"], field);
    }
}

async fn the_result_offers_to_close_the_gap(server: TestServer) {
    server.one_slot_a_day().await;
    let rows = server.in_slots(&[1, 2, 3]).await;
    server.change(&rows[0], Change::Cancel).await.unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    let page = server.page_with_result("/articles", &format!("changed={}", rows[0].id)).await;
    let link = "/bulk?change=close_gap&amp;at=2027-03-01T10:00:00.000Z";
    assert_contains(&page, &["Close the gap: 2 move up", link]);
    let preview = browser.get(&link.replace("&amp;", "&")).await.expect_page();
    assert_contains(
        &preview,
        &["2 publications move to the slot before their own.", "Keep the gap", "Of day 2"],
    );
    let fields = [("change", "close_gap"), ("at", "2027-03-01T10:00:00.000Z"), ("from", "/bulk")];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert_eq!(done.status, 303);
    let page = browser.get(done.header("location")).await.expect_page();
    assert_contains(&page, &["2 items were changed.", "Undo all"]);
    assert_eq!(server.days_of(&rows[1..]).await, [1, 2]);
    // The slot is taken again: there is no gap any more.
    let page = server.page_with_result("/articles", &format!("changed={}", rows[0].id)).await;
    assert!(!page.contains("Close the gap"), "the slot is taken");
    // What moves away from the end of the queue leaves none.
    let last = server.find_task(rows[2].id).await;
    let when = slot(20).parse::<domain::Timestamp>().unwrap().into();
    server.change(&last, Change::Reschedule { when }).await.unwrap();
    let page = server.page_with_result("/articles", &format!("changed={}", last.id)).await;
    assert!(!page.contains("Close the gap"), "nothing follows");
}

async fn the_calendar_marks_the_slots_and_the_page_inserts(server: TestServer) {
    server.one_slot_a_day().await;
    let rows = server.in_slots(&[2]).await;
    server.publish_at("Beside the slot", "2027-03-02T10:30:00Z").await;
    let article = server.create_draft("Urgent").await;
    let id = article["id"].as_str().unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    let day = browser.get("/calendar?date=2027-03-02&view=day&zone=UTC").await.expect_page();
    assert_eq!(day.matches("change=make_room").count(), 1);
    let url = format!("/bulk?change=insert&at={}&article={id}", slot(2));
    let preview = browser.get(&url).await.expect_page();
    assert_contains(&preview, &["Insert “Urgent”", "1 publication moves to the slot after its own."]);
    let at = slot(2);
    let fields = [("change", "insert"), ("at", at.as_str()), ("article", id), ("from", "/bulk")];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert!(done.result_location().starts_with("/calendar?done=bulk-changed."), "{done:?}");
    assert_eq!(server.days_of(&rows).await, [3]);
    // One undo: the article is a draft again, and the other is back.
    let batch = done.result_location().split('.').nth(1).unwrap().to_owned();
    server.undo_shift(&json!({"batch_id": batch})).await;
    assert_eq!(server.days_of(&rows).await, [2]);
    let left = server.as_creator().get("/api/v1/tasks?state=scheduled&q=urgent").await.expect(200);
    assert_eq!(left["items"], json!([]));
    let gone = browser.get("/bulk?change=make_room&at=2027-03-02T11:00:00Z").await;
    assert_contains(&gone.text, &["This time is no longer a posting slot"]);
}

async fn all_articles_that_match_are_changed(server: TestServer) {
    for number in 1..=3 {
        server.create_task(&format!("Harbour {number}"), number * 3_600_000).await;
    }
    let other = server.create_task("Lighthouse", 3_600_000).await;
    let draft = server.create_draft("Harbour draft").await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/articles?state=scheduled").await.expect_page();
    assert_contains(&page, &["All that match (4)"]);
    let url = "/bulk?list=articles&all=1&state=scheduled&q=harbour&change=shift&amount=1&unit=days";
    let preview = browser.get(url).await.expect_page();
    assert_contains(&preview, &["3 of 3 articles will be changed.", "Harbour 3"]);
    let fields = [
        ("list", "articles"),
        ("all", "1"),
        ("state", "scheduled"),
        ("q", "harbour"),
        ("change", "shift"),
        ("amount", "1"),
        ("unit", "days"),
        ("from", "/bulk"),
    ];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert!(done.result_location().starts_with("/articles?state=scheduled&q=harbour&done="), "{done:?}");
    assert_eq!(server.find_task(other.id).await.version, other.version);
    // Without a filter the scheduled ones are meant.
    let all = browser.get("/bulk?list=articles&all=1&change=cancel").await.expect_page();
    assert_contains(&all, &["4 of 4 articles will be changed."]);
    let one = browser.get("/bulk?list=articles&all=1&q=lighthouse&change=cancel").await.expect_page();
    assert_contains(
        &one,
        &["Change several articles", "1 of 1 article will be changed.", "Change 1 article<"],
    );
    assert_contains(&one, &["Their next tasks will be cancelled.", "Back to the articles"]);
    // A selected article without a task stays as it is.
    let draft = draft["id"].as_str().unwrap();
    let url = format!("/bulk?list=articles&ids={},{draft}&change=cancel", other.target_id);
    let both = browser.get(&url).await.expect_page();
    let page = format!("href=\"/articles/{draft}\"");
    let expected = ["1 of 2 articles will be changed.", "This article has no scheduled task.", page.as_str()];
    assert_contains(&both, &expected);
}
