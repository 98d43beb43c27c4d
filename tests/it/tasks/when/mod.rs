//! Times in words.

mod callers;

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_time_in_words_is_read_in_all_languages,
    several_meanings_are_offered_and_none_is_chosen,
    what_is_not_understood_is_named,
    forms_without_javascript_read_words,
);

const PATH: &str = "/api/v1/when";
const NOW: &str = "2026-06-03T10:00:00+02:00";

fn body(text: &str, zone: &str, language: &str) -> Value {
    json!({"text": text, "zone": zone, "language": language, "now": NOW})
}

async fn a_time_in_words_is_read_in_all_languages(server: TestServer) {
    let creator = server.as_creator();
    let found = creator.post(PATH, &body("jun 9 9:00 berlin", "UTC", "en")).await.expect(200);
    assert_eq!(
        (&found["moment"], &found["local"], &found["zone"], &found["offset"], &found["question"]),
        (
            &json!("2026-06-09T07:00:00.000Z"),
            &json!("2026-06-09T09:00"),
            &json!("Europe/Berlin"),
            &json!("+02:00"),
            &Value::Null
        )
    );
    assert_eq!(found["readings"][0]["words"], "Tue 9 Jun 2026, 09:00 Berlin, in 5 d 23 h");
    let found = creator.post(PATH, &body("明天上午九点", "Asia/Shanghai", "zh")).await.expect(200);
    assert_eq!(found["moment"], "2026-06-04T01:00:00.000Z");
    assert_eq!(found["readings"][0]["words"], "2026年6月4日 周四 09:00（上海），17 小时后");
    let found = creator.post(PATH, &body("morgen 9 Uhr", "Europe/Berlin", "de")).await.expect(200);
    assert_eq!(found["moment"], "2026-06-04T07:00:00.000Z");
    let words = found["readings"][0]["words"].as_str().unwrap();
    assert!(words.starts_with("Do, 4. Juni 2026, 09:00 (Berlin)"), "{words}");
    // Zone, language and now are optional.
    let own = creator.post(PATH, &json!({"text": "in 2 hours"})).await.expect(200);
    assert_eq!(own["zone"], server.creator.actor.zone);
    // The answer can be scheduled.
    let article = server.create_draft("In words").await;
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": own["moment"]});
    creator.post("/api/v1/tasks", &task).await.expect(201);
}

async fn several_meanings_are_offered_and_none_is_chosen(server: TestServer) {
    let creator = server.as_creator();
    for (text, zone, language, question, locals) in [
        ("next friday 9am", "UTC", "en", "which", ["2026-06-05T09:00", "2026-06-12T09:00"]),
        ("6/9 9:00", "UTC", "en", "which", ["2026-06-09T09:00", "2026-09-06T09:00"]),
        ("明天7–8点", "UTC", "zh", "which", ["2026-06-04T07:00", "2026-06-04T08:00"]),
        ("2026-11-01 01:30 new york", "UTC", "en", "doubled_time", ["2026-11-01T01:30", "2026-11-01T01:30"]),
        ("2027-03-28 02:30", "Europe/Berlin", "en", "skipped_time", ["2027-03-28T01:59", "2027-03-28T03:00"]),
    ] {
        let found = creator.post(PATH, &body(text, zone, language)).await.expect(200);
        assert_eq!((&found["question"], &found["moment"]), (&json!(question), &Value::Null), "{text}");
        let readings = found["readings"].as_array().unwrap();
        assert_eq!(readings.iter().map(|one| &one["local"]).collect::<Vec<_>>(), locals, "{text}");
    }
    let doubled = creator.post(PATH, &body("2026-11-01 01:30 new york", "UTC", "en")).await.expect(200);
    let which = |at: usize| (&doubled["readings"][at]["disambiguation"], &doubled["readings"][at]["offset"]);
    assert_eq!(which(0), (&json!("earlier"), &json!("-04:00")));
    assert_eq!(which(1), (&json!("later"), &json!("-05:00")));
    let words = doubled["readings"][1]["words"].as_str().unwrap();
    assert!(words.starts_with("Sun 1 Nov 2026, 01:30 UTC−5 New York"), "{words}");
    let slashes = creator.post(PATH, &body("6/9 9:00", "UTC", "zh")).await.expect(200);
    assert_eq!(slashes["local"], "2026-06-09T09:00");
}

async fn what_is_not_understood_is_named(server: TestServer) {
    let creator = server.as_creator();
    for (text, code, part) in [
        ("tomorrow 9ish", "invalid", "“ish”"),
        ("明天九点左右", "invalid", "“左右”"),
        ("every tuesday 9am", "invalid", "“every”"),
        ("tomorrow", "invalid", "time of day"),
        ("next free slot", "invalid", "no slots"),
        ("mon 2026-06-09 9:00", "invalid", "2026-06-09"),
        ("feb 30 9:00", "invalid", "does not exist"),
        ("in 500 days", "invalid", "366 days"),
        ("today 9am", "past", "has passed"),
        ("", "invalid", "must not be empty"),
        ("to\u{200b}day 18:00", "invalid", "not allowed"),
        (&"9".repeat(100_000), "invalid", "200 bytes"),
    ] {
        let error = creator.post(PATH, &body(text, "Europe/Berlin", "en")).await.expect(422)["error"].clone();
        let message = error["message"].as_str().unwrap();
        assert!(error["code"] == code && message.contains(part) && message.len() < 300, "{text}: {error}");
    }
    for (field, request) in [
        ("zone", json!({"text": "9am", "zone": "Mars/Olympus"})),
        ("language", json!({"text": "9am", "language": "fr"})),
        ("now", json!({"text": "9am", "now": "1999-01-01T00:00:00Z"})),
    ] {
        assert_eq!(creator.post(PATH, &request).await.expect(422)["error"]["field"], field);
    }
}

async fn forms_without_javascript_read_words(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let task = server.create_task("Moved by words", 3_600_000).await;
    let (id, from) = (task.id.to_string(), format!("/tasks?move={}", task.id));
    let page = browser.get(&from).await.expect_page();
    assert_contains(&page, &["name=\"words\"", "or in words"]);
    let words = |words: &'static str| {
        [
            ("id", id.clone()),
            ("seen", "1".to_owned()),
            ("date", "2027-03-01".to_owned()),
            ("time", "18:00".to_owned()),
            ("zone", "UTC".to_owned()),
            ("words", words.to_owned()),
            ("from", from.clone()),
        ]
    };
    let send = async |fields: Vec<(&str, String)>| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.form("/fn/move_task", &fields).await
    };
    let asked = send(words("next friday 9am").to_vec()).await;
    assert_eq!(asked.status, 422);
    let radio = |local: &str| format!("name=\"reading\" value=\"{local}\"");
    assert_contains(
        &asked.text,
        &[&radio("2027-03-05T09:00"), &radio("2027-03-12T09:00"), "value=\"next friday 9am\""],
    );
    let unknown = send(words("friday 9ish").to_vec()).await;
    assert_eq!(unknown.status, 422);
    assert_contains(&unknown.text, &["“ish”", "value=\"friday 9ish\""]);
    let mut chosen = words("next friday 9am").to_vec();
    chosen.push(("reading", "2027-03-12T09:00".to_owned()));
    assert_eq!(send(chosen).await.status, 303);
    assert_eq!(server.find_task(task.id).await.due.at.to_string(), "2027-03-12T09:00:00.000Z");
    // A reminder, with a zone among the words.
    let fields = [
        ("text", "Call"),
        ("to", "me"),
        ("date", "2027-03-01"),
        ("time", "18:00"),
        ("zone", "UTC"),
        ("words", "tomorrow 9am tokyo"),
        ("from", "/reminders"),
    ];
    assert_eq!(browser.form("/fn/save_reminder", &fields).await.status, 303);
    let found = server.as_creator().get("/api/v1/reminders").await.expect(200);
    assert_eq!(found["items"][0]["due_at"], "2027-03-02T00:00:00.000Z");
}
