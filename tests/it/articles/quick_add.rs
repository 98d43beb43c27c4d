//! Quick add: a title, a time in words and Enter.

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_title_and_enter_schedule_in_the_next_free_slot,
    several_readings_are_asked_and_everything_typed_is_kept,
    a_reminder_is_set_for_the_user,
    what_is_not_understood_is_named_and_nothing_is_added,
    words_that_repeat_set_a_series_of_reminders,
);

const PATH: &str = "/fn/quick_add";

async fn articles(server: &TestServer) -> usize {
    let found = server.as_creator().get("/api/v1/articles").await.expect(200);
    found["items"].as_array().unwrap().len()
}

async fn a_title_and_enter_schedule_in_the_next_free_slot(server: TestServer) {
    let days: Vec<Value> = (0..7).map(|_| json!({"times": ["12:00", "16:00"]})).collect();
    let plan = json!({"seen_version": 0, "zone": "UTC", "days": days, "holidays": []});
    server.as_admin().put("/api/v1/slots", &plan).await.expect(200);
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/quick").await.expect_page();
    assert_contains(
        &page,
        &["value=\"next free slot\"", "The next free posting slot", "2027-03-01T12:00:00"],
    );
    // The API reads the same words.
    let found =
        server.as_creator().post("/api/v1/when", &json!({"text": "next free slot"})).await.expect(200);
    assert_eq!(found["moment"], "2027-03-01T12:00:00.000Z");
    for at in ["2027-03-01T12:00:00.000Z", "2027-03-01T16:00:00.000Z", "2027-03-02T12:00:00.000Z"] {
        let fields =
            [("kind", "article"), ("title", "Quick"), ("when", "next free slot"), ("from", "/quick")];
        let added = browser.form(PATH, &fields).await;
        assert_eq!(added.status, 303, "{}", added.text);
        let task = added.result_location().split("&changed=").nth(1).unwrap().to_owned();
        assert!(added.result_location().contains("?view=schedule&done=schedule"));
        let task = server.as_creator().get(&format!("/api/v1/tasks/{task}")).await.expect(200);
        assert_eq!((&task["due_at"], &task["title"]), (&json!(at), &json!("Quick")));
    }
}

async fn several_readings_are_asked_and_everything_typed_is_kept(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let mut fields = vec![
        ("kind", "reminder"),
        ("title", "Call <Ada>"),
        ("when", "next friday 9am utc"),
        ("from", "/quick"),
    ];
    let asked = browser.form(PATH, &fields).await;
    assert_eq!(asked.status, 422);
    assert_contains(
        &asked.text,
        &[
            "Which time is meant?",
            "value=\"2027-03-05T09:00:00.000Z\"",
            "value=\"2027-03-12T09:00:00.000Z\"",
            "Call &lt;Ada&gt;",
            "value=\"next friday 9am utc\"",
        ],
    );
    // A moment that is none of the readings is not taken.
    fields.push(("reading", "2027-04-01T09:00:00.000Z"));
    assert_eq!(browser.form(PATH, &fields).await.status, 422);
    fields.pop();
    fields.push(("reading", "2027-03-12T09:00:00.000Z"));
    let added = browser.form(PATH, &fields).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let reminders = server.as_creator().get("/api/v1/reminders").await.expect(200);
    assert_eq!(reminders["items"][0]["due_at"], "2027-03-12T09:00:00.000Z");
    assert_eq!(articles(&server).await, 0);
}

async fn a_reminder_is_set_for_the_user(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [("kind", "reminder"), ("title", "两小时后提醒"), ("when", "两小时后"), ("from", "/quick")];
    let added = browser.form(PATH, &fields).await;
    assert!(added.result_location().starts_with("/reminders?done=reminder-set."), "{}", added.text);
    let found = &server.as_creator().get("/api/v1/reminders").await.expect(200)["items"][0];
    assert_eq!(
        (&found["text"], &found["due_at"]),
        (&json!("两小时后提醒"), &json!("2027-03-01T10:00:00.000Z"))
    );
}

async fn what_is_not_understood_is_named_and_nothing_is_added(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/quick").await.expect_page();
    assert_contains(&page, &["value=\"tomorrow 9:00\""]);
    for (title, when, sentence) in [
        ("Soon", "tomorrow 9ish", "“ish”"),
        ("Soon", "next free slot", "no slots are free"),
        ("Soon", "today 1am utc", "This time has passed"),
        ("Soon", "", "must not be empty"),
        (" ", "in 2 hours", "must not be empty"),
    ] {
        let fields = [("kind", "article"), ("title", title), ("when", when), ("from", "/quick")];
        let refused = browser.form(PATH, &fields).await;
        assert_eq!(refused.status, 422, "{title} {when}");
        assert_contains(&refused.text, &[sentence]);
    }
    assert_eq!(articles(&server).await, 0);
}

async fn words_that_repeat_set_a_series_of_reminders(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/quick?when=every%20monday%209am%20utc").await.expect_page();
    assert_contains(&page, &["Repeats every week on Mon.", "2027-03-01T09:00:00.000Z"]);
    let fields =
        [("kind", "reminder"), ("title", "Standup"), ("when", "every monday 9am utc"), ("from", "/quick")];
    let added = browser.form(PATH, &fields).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let list = server.as_creator().get("/api/v1/reminders").await.expect(200);
    let made = &list["items"][0];
    assert_eq!((&made["text"], &made["due_at"]), (&json!("Standup"), &json!("2027-03-01T09:00:00.000Z")));
    assert_eq!(made["series"]["rule"]["frequency"], "weekly");
    // An article is published once.
    let fields =
        [("kind", "article"), ("title", "Weekly"), ("when", "every monday 9am utc"), ("from", "/quick")];
    let refused = browser.form(PATH, &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["which only reminders and meetings can", "Weekly"]);
    assert_eq!(articles(&server).await, 0);
}
