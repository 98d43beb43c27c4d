//! Reminders that repeat: one row is the coming occurrence, and each change of it leaves the others alone unless
//! it reaches them.

use super::{MINUTE, act, path};
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use store::{Conn, PoolRole};
use uuid::Uuid;

on_both!(
    words_make_a_series_that_goes_on,
    a_series_stays_at_its_local_time_and_ends,
    passed_occurrences_are_sent_once,
    an_occurrence_that_is_years_ahead_is_not_lost,
    one_occurrence_is_cancelled_or_all_and_undo_brings_them_back,
    a_snoozed_or_done_occurrence_leaves_the_series_alone,
    an_edit_reaches_one_occurrence_or_all,
    rules_and_phrases_are_refused_by_name,
    the_form_sets_and_ends_a_series,
    a_line_sets_a_reminder_or_a_series,
    a_dismissed_occurrence_does_not_end_its_series,
    a_rule_that_cannot_be_read_fails_its_series_alone,
);

const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

impl TestServer {
    /// A reminder of the creator, every Monday at 09:00 UTC from Monday 2027-03-01 on.
    async fn remind_weekly(&self) -> Value {
        let words = json!({"due_at": null, "when": "every monday 9am", "zone": "UTC"});
        self.remind("Plan the week", 0, words).await
    }

    /// The scheduled reminders of the creator by due time: moment, text, and whether it repeats.
    async fn coming_reminders(&self) -> Vec<String> {
        let page = self.as_creator().get("/api/v1/reminders?state=scheduled").await.expect(200);
        let short = |one: &Value| {
            let repeats = if one["series"].is_null() { "" } else { " repeats" };
            format!("{} {}{repeats}", &text(&one["due_at"])[..16], text(&one["text"]))
        };
        page["items"].as_array().unwrap().iter().map(short).collect()
    }
}

async fn words_make_a_series_that_goes_on(server: TestServer) {
    let (made, creator) = (server.remind_weekly().await, server.as_creator());
    assert_eq!((text(&made["local"]), text(&made["zone"])), ("2027-03-01T09:00", "UTC"), "{made}");
    let rule = &made["series"]["rule"];
    assert_eq!((&rule["frequency"], &rule["weekdays"]), (&json!("weekly"), &json!(["monday"])));
    assert!(rule["until"].is_null() && rule["count"].is_null(), "it has no end: {rule}");
    server.advance(HOUR).await;
    assert_eq!(server.notified(&creator).await, ["Plan the week"]);
    let sent = server.reminder(&made).await;
    assert_eq!((text(&sent["state"]), &sent["series"]), ("sent", &json!(null)));
    assert_eq!(server.coming_reminders().await, ["2027-03-08T09:00 Plan the week repeats"]);
    server.advance(7 * DAY).await;
    assert_eq!(server.notified(&creator).await.len(), 2);
    assert_eq!(server.coming_reminders().await, ["2027-03-15T09:00 Plan the week repeats"]);
    // Chinese words, and two days.
    let words = json!({"due_at": null, "when": "每周二、周四17:30", "zone": "UTC"});
    let made = server.remind("选题", 0, words).await;
    assert_eq!(text(&made["due_at"]), "2027-03-09T17:30:00.000Z");
    assert_eq!(made["series"]["rule"]["weekdays"], json!(["tuesday", "thursday"]));
    server.assert_execution_records_match().await;
}

async fn a_series_stays_at_its_local_time_and_ends(server: TestServer) {
    let new = json!({"text": "Backup", "local": "2027-03-27T09:00", "zone": "Europe/Berlin",
                     "series": {"rule": {"frequency": "daily", "count": 2}}});
    server.as_creator().post("/api/v1/reminders", &new).await.expect(201);
    assert_eq!(server.coming_reminders().await, ["2027-03-27T08:00 Backup repeats"]);
    server.advance(26 * DAY).await;
    assert_eq!(server.coming_reminders().await, ["2027-03-28T07:00 Backup repeats"], "the clocks changed");
    server.advance(DAY).await;
    assert!(server.coming_reminders().await.is_empty(), "that was the second and last one");
    assert_eq!(server.notified(&server.as_creator()).await.len(), 2);
    // 02:30 occurs twice on that day.
    let late = json!({"text": "Logs", "local": "2027-10-31T02:30", "zone": "Europe/Berlin", "disambiguation": "later",
                      "series": {"rule": {"frequency": "daily"}}});
    let late = server.as_creator().post("/api/v1/reminders", &late).await.expect(201);
    assert_eq!(text(&late["due_at"]), "2027-10-31T01:30:00.000Z", "the chosen one");
}

async fn passed_occurrences_are_sent_once(server: TestServer) {
    server.remind_weekly().await;
    server.advance(36 * DAY).await;
    assert_eq!(server.notified(&server.as_creator()).await, ["Plan the week"]);
    assert_eq!(server.coming_reminders().await, ["2027-04-12T09:00 Plan the week repeats"]);
}

async fn an_occurrence_that_is_years_ahead_is_not_lost(server: TestServer) {
    let rule = json!({"frequency": "yearly", "interval": 2});
    let new = json!({"text": "Audit", "local": "2027-03-02T09:00", "zone": "UTC", "series": {"rule": rule}});
    let made = server.as_creator().post("/api/v1/reminders", &new).await.expect(201);
    let moved = json!({"local": "2027-03-03T09:00", "zone": "UTC", "reach": "all"});
    server.as_creator().patch(&path(&made, ""), &moved).await.expect(200);
    server.advance(3 * DAY).await;
    assert_eq!(server.notified(&server.as_creator()).await, ["Audit"]);
    assert_eq!(server.coming_reminders().await, ["2029-03-03T09:00 Audit repeats"]);
}

async fn one_occurrence_is_cancelled_or_all_and_undo_brings_them_back(server: TestServer) {
    let (made, creator) = (server.remind_weekly().await, server.as_creator());
    let cancelled = creator.delete(&path(&made, "")).await.expect(200);
    assert_eq!((text(&cancelled["state"]), &cancelled["series"]), ("cancelled", &json!(null)));
    assert_eq!(
        server.coming_reminders().await,
        ["2027-03-08T09:00 Plan the week repeats"],
        "the series goes on"
    );
    act(&creator, &cancelled, "undo", json!({})).await.expect(200);
    assert_eq!(
        server.coming_reminders().await,
        ["2027-03-01T09:00 Plan the week", "2027-03-08T09:00 Plan the week repeats"]
    );
    let page = creator.get("/api/v1/reminders?state=scheduled").await.expect(200);
    let next = &page["items"][1];
    let all = creator.delete(&path(next, "?reach=all")).await.expect(200);
    assert_eq!(text(&all["state"]), "cancelled");
    assert_eq!(server.coming_reminders().await, ["2027-03-01T09:00 Plan the week"]);
    act(&creator, &all, "undo", json!({})).await.expect(200);
    assert_eq!(server.coming_reminders().await.len(), 2, "the series is back");
    let again = creator.get(&path(next, "")).await.expect(200);
    creator.delete(&path(&again, "?reach=following")).await.expect(200);
    server.advance(30 * DAY).await;
    assert_eq!(server.notified(&creator).await.len(), 1, "that which was brought back alone");
    assert!(server.coming_reminders().await.is_empty());
    server.assert_execution_records_match().await;
}

async fn a_snoozed_or_done_occurrence_leaves_the_series_alone(server: TestServer) {
    let (made, creator) = (server.remind_weekly().await, server.as_creator());
    let snoozed = act(&creator, &made, "snooze", json!({"minutes": 120})).await.expect(200);
    assert_eq!(snoozed["series"], json!(null));
    assert_eq!(
        server.coming_reminders().await,
        ["2027-03-01T10:00 Plan the week", "2027-03-08T09:00 Plan the week repeats"]
    );
    server.advance(2 * HOUR).await;
    // A reminder that was sent is put off: it is sent again, and the series does not change.
    let sent = server.reminder(&made).await;
    act(&creator, &sent, "snooze", json!({"minutes": 60})).await.expect(200);
    server.advance(HOUR).await;
    assert_eq!(server.notified(&creator).await.len(), 2);
    let page = creator.get("/api/v1/reminders?state=scheduled").await.expect(200);
    let next = page["items"][0].clone();
    let done = act(&creator, &next, "done", json!({})).await.expect(200);
    assert_eq!((text(&done["state"]), &done["series"]), ("done", &json!(null)));
    assert_eq!(server.coming_reminders().await, ["2027-03-15T09:00 Plan the week repeats"]);
    let stale = act(&creator, &next, "done", json!({})).await;
    assert_eq!(stale.refused(409), "changed");
    assert_eq!(server.coming_reminders().await.len(), 1, "a repeated request makes no second one");
}

async fn an_edit_reaches_one_occurrence_or_all(server: TestServer) {
    let (made, creator) = (server.remind_weekly().await, server.as_creator());
    let path = path(&made, "");
    let edit = json!({"text": "Look back", "when": "every tuesday 10am until 2027-06-01", "zone": "UTC", "reach": "all"});
    let edited = creator.patch(&path, &edit).await.expect(200);
    assert_eq!((text(&edited["local"]), text(&edited["text"])), ("2027-03-02T10:00", "Look back"));
    assert_eq!(edited["series"]["rule"]["until"], json!("2027-06-01"));
    // Another day and time: the others move by the same days.
    let moved = json!({"local": "2027-03-03T11:00", "zone": "UTC", "reach": "following"});
    let moved = creator.patch(&path, &moved).await.expect(200);
    assert_eq!(moved["series"]["rule"]["weekdays"], json!(["wednesday"]), "{moved}");
    assert_eq!(server.coming_reminders().await, ["2027-03-03T11:00 Look back repeats"]);
    // The text of one.
    let alone = creator.patch(&path, &json!({"text": "Look back at all"})).await.expect(200);
    assert_eq!((&alone["series"], &alone["undo"]), (&json!(null), &json!(null)), "a text is not undone");
    assert_eq!(
        server.coming_reminders().await,
        ["2027-03-03T11:00 Look back at all", "2027-03-10T11:00 Look back repeats"]
    );
    // One reminder becomes a series.
    let rule = json!({"series": {"rule": {"frequency": "monthly", "day": -1}}});
    let series = creator.patch(&path, &rule).await.expect(200);
    assert_eq!(text(&series["due_at"]), "2027-03-31T11:00:00.000Z");
    let other = json!({"when": "every friday 9am", "zone": "UTC"});
    let refused = creator.patch(&path, &other).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "reach", "a rule is not for one occurrence");
    let unchanged = creator.patch(&path, &json!({"text": "Look back at all"})).await.expect(200);
    assert_eq!(unchanged["version"], series["version"], "an edit that changes nothing");
}

async fn rules_and_phrases_are_refused_by_name(server: TestServer) {
    let daily = json!({"rule": {"frequency": "daily"}});
    let local = |rule: Value| json!({"text": "x", "local": "2027-03-02T09:00", "zone": "UTC", "series": {"rule": rule}});
    let words = |words: &str| json!({"text": "x", "when": words, "zone": "UTC"});
    for (new, field, part) in [
        (words("every hour"), "when", "too often"),
        (words("every monday"), "when", "time of day"),
        (words("every week 9am"), "when", "names no day"),
        (words("every full moon 9am"), "when", "not supported"),
        (words("every second tuesday 9am"), "when", "every second tuesday"),
        (words("every monday 9am until 2030-01-01"), "when", "18 months"),
        (words("every monday at gibberish"), "when", "not understood"),
        (json!({"text": "x", "when": "every monday 9am", "series": daily}), "series", "only one of"),
        (local(json!({"frequency": "hourly"})), "rule.frequency", "daily"),
        (local(json!({"frequency": "daily", "until": "2030-01-01"})), "rule.until", "18 months"),
        (local(json!({"frequency": "daily", "until": "2027-02-01"})), "rule.until", "before the start"),
    ] {
        let refused = server.as_creator().post("/api/v1/reminders", &new).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{refused}");
        assert!(text(&refused["error"]["message"]).contains(part), "{refused}");
    }
    let made = server.remind_weekly().await;
    let refused = server.as_creator().delete(&path(&made, "?reach=some")).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "reach");
}

async fn the_form_sets_and_ends_a_series(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let common =
        [("to", "me"), ("date", "2027-03-02"), ("time", "09:00"), ("zone", "UTC"), ("from", "/reminders")];
    let weekly = [&common[..], &[("text", "Standup"), ("repeats", "weekdays")]].concat();
    assert_eq!(browser.form("/fn/save_reminder", &weekly).await.status, 303);
    // Without JavaScript the time is words.
    let words = [&common[..], &[("text", "Report"), ("words", "every friday 4pm")]].concat();
    assert_eq!(browser.form("/fn/save_reminder", &words).await.status, 303);
    assert_eq!(
        browser.form("/fn/save_reminder", &words).await.status,
        303,
        "a second click sets no other one"
    );
    let refused = [&common[..], &[("text", "Tick"), ("words", "every hour")]].concat();
    let refused = browser.form("/fn/save_reminder", &refused).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("repeats too often"), "{}", refused.text);
    let coming = ["2027-03-02T09:00 Standup repeats", "2027-03-05T16:00 Report repeats"];
    assert_eq!(server.coming_reminders().await, coming);
    let page = browser.get("/reminders?state=coming").await.expect_page();
    assert!(page.contains("Repeats every week on Mon, Tue, Wed, Thu, Fri"), "{page}");
    let list = server.as_creator().get("/api/v1/reminders?state=scheduled").await.expect(200);
    let act = |what: &str, row: &Value| format!("{what}.{}.{}", text(&row["id"]), row["version"]);
    let end = act("cancelseries", &list["items"][0]);
    let ended = browser.form("/fn/act_on_reminder", &[("act", end.as_str()), ("from", "/reminders")]).await;
    assert_eq!(ended.status, 303, "{}", ended.text);
    assert_eq!(server.coming_reminders().await, coming[1..]);
    // The form of a series changes all of it, unless only the next one is chosen.
    let row = &list["items"][1];
    let (id, seen) = (text(&row["id"]), row["version"].to_string());
    let edit = [
        ("id", id),
        ("seen", seen.as_str()),
        ("text", "Report"),
        ("to", "me"),
        ("date", "2027-03-04"),
        ("time", "15:00"),
        ("zone", "UTC"),
        ("repeats", "keep"),
        ("reach", "all"),
        ("from", "/reminders"),
    ];
    let edited = browser.form("/fn/save_reminder", &edit).await;
    assert_eq!(edited.status, 303, "{}", edited.text);
    assert_eq!(server.coming_reminders().await, ["2027-03-04T15:00 Report repeats"]);
}

async fn a_line_sets_a_reminder_or_a_series(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let line = |line: &'static str| [("line", line), ("from", "/reminders")];
    let series = line("Write the report every friday 4pm utc");
    assert_eq!(browser.form("/fn/remind_by_line", &series).await.status, 303);
    let again = browser.form("/fn/remind_by_line", &series).await;
    assert_eq!(again.status, 303, "a second click sets no other one");
    let single = line("Call the printer 2027-03-03 09:00 utc");
    assert_eq!(browser.form("/fn/remind_by_line", &single).await.status, 303);
    let coming = ["2027-03-03T09:00 Call the printer", "2027-03-05T16:00 Write the report repeats"];
    assert_eq!(server.coming_reminders().await, coming);
    // Without a time nothing is set, and the line comes back.
    let refused = browser.form("/fn/remind_by_line", &line("Call the printer again")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("needs a time of day"), "{}", refused.text);
    assert!(refused.text.contains("Call the printer again"), "{}", refused.text);
    // Of several readings one is chosen.
    let asked = browser.form("/fn/remind_by_line", &line("Ring the office next friday 9am utc")).await;
    assert_eq!(asked.status, 422);
    assert!(asked.text.contains("Which time is meant?"), "{}", asked.text);
    // A form that is refused for something else keeps the chosen one.
    let (long, reading) = (format!("{} next friday 9am utc", "x".repeat(1_001)), "2027-03-12T09:00:00.000Z");
    let fields = [("line", long.as_str()), ("reading", reading), ("from", "/reminders")];
    let refused = browser.form("/fn/remind_by_line", &fields).await;
    assert_eq!(refused.status, 422);
    let radio = refused.text.split("<input").find(|rest| rest.contains(reading)).expect("the reading");
    assert!(radio.split('>').next().is_some_and(|tag| tag.contains(" checked")), "{radio}");
}

/// Changes a row of the database.
async fn change(server: &TestServer, text: &'static str, id: &Value) {
    let id: Uuid = id.as_str().unwrap().parse().unwrap();
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(id).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(id).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

async fn a_dismissed_occurrence_does_not_end_its_series(server: TestServer) {
    let (made, creator) = (server.remind_weekly().await, server.as_creator());
    // It is late by at most a minute.
    change(&server, "update task set grace_ms = 60000 where id = $1", &made["task_id"]).await;
    server.advance(HOUR + 2 * MINUTE).await;
    assert_eq!(text(&server.reminder(&made).await["state"]), "failed");
    assert_eq!(server.coming_reminders().await, [""; 0]);
    let task = server.task(&json!({"id": made["task_id"]})).await;
    let cancel = format!("/api/v1/tasks/{}/cancel", text(&task["id"]));
    creator.post(&cancel, &json!({"seen_version": task["version"]})).await.expect(200);
    let next = ["2027-03-08T09:00 Plan the week repeats"];
    assert_eq!(server.coming_reminders().await, next);
    let left = server.reminder(&made).await;
    assert_eq!((text(&left["state"]), &left["series"]), ("cancelled", &json!(null)));
    server.advance(7 * DAY).await;
    let sent = server.notified(&creator).await;
    assert_eq!(sent.iter().filter(|text| *text == "Plan the week").count(), 1, "{sent:?}");
    server.assert_execution_records_match().await;
}

async fn a_rule_that_cannot_be_read_fails_its_series_alone(server: TestServer) {
    let (broken, creator) = (server.remind_weekly().await, server.as_creator());
    let words = json!({"due_at": null, "when": "every monday 9am", "zone": "UTC"});
    server.remind("Water the plants", 0, words).await;
    change(&server, "update reminder set repeats = '{}' where id = $1", &broken["id"]).await;
    server.advance(HOUR).await;
    let sent = server.notified(&creator).await;
    assert!(sent.iter().any(|text| text == "Water the plants"), "{sent:?}");
    assert!(!sent.iter().any(|text| text == "Plan the week"), "{sent:?}");
    assert_eq!(server.coming_reminders().await, ["2027-03-08T09:00 Water the plants repeats"]);
    let failed = server.reminder(&broken).await;
    assert_eq!((text(&failed["state"]), text(&failed["reason"])), ("failed", "series_rule"));
    assert_eq!(server.attention_count().await, 1);
    // Retry sends this one alone.
    let task = server.task(&json!({"id": failed["task_id"]})).await;
    let retry = format!("/api/v1/tasks/{}/retry", text(&task["id"]));
    creator.post(&retry, &json!({"seen_version": task["version"]})).await.expect(200);
    server.advance(MINUTE).await;
    assert_eq!(text(&server.reminder(&broken).await["state"]), "sent");
    assert_eq!(server.coming_reminders().await.len(), 1);
    server.assert_execution_records_match().await;
}
