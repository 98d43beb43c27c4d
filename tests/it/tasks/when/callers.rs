//! A time in words means the same wherever it is typed: API, reminders, plan, quick add and forms.

use crate::{http_client::Reply, on_both, test_server::TestServer};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    no_caller_reads_a_holiday_or_a_word_as_a_place,
    every_caller_asks_for_both_readings_of_a_date_with_slashes,
    every_caller_asks_whose_tomorrow_is_meant,
    a_place_is_read_and_shown_in_its_zone,
    a_row_with_two_zones_is_refused,
);

/// The status and the answer of each caller to a time in words, typed in a zone.
async fn answers(server: &TestServer, words: &str, zone: &str) -> Vec<(&'static str, u16, String)> {
    let creator = server.as_creator();
    let mut answers = Vec::new();
    let body = json!({"text": words, "zone": zone});
    let reply = creator.post("/api/v1/when", &body).await;
    answers.push(("api", reply.status, reply.text));
    let body = json!({"text": "Call", "when": words, "zone": zone});
    let reply = creator.post("/api/v1/reminders", &body).await;
    answers.push(("reminders", reply.status, reply.text));
    let report = import(server, words, zone, "").await;
    answers.push(("plan", if report["refused"] == 1 { 422 } else { 200 }, report.to_string()));
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [("kind", "reminder"), ("title", "Quick"), ("when", words), ("from", "/quick")];
    if zone == server.creator.actor.zone {
        let reply = browser.form("/fn/quick_add", &fields).await;
        answers.push(("quick add", reply.status, reply.text));
    }
    let fields = [
        ("text", "Form"),
        ("to", "me"),
        ("date", "2027-03-01"),
        ("time", "18:00"),
        ("zone", zone),
        ("words", words),
        ("from", "/reminders"),
    ];
    let reply = browser.form("/fn/save_reminder", &fields).await;
    answers.push(("form", reply.status, reply.text));
    answers
}

/// What an import of one row would do.
async fn import(server: &TestServer, words: &str, zone: &str, of_row: &str) -> Value {
    let table = format!("title,time,zone\nPlanned,{words},{of_row}\n");
    let path = format!("/api/v1/articles/import?zone={}", zone.replace('/', "%2F"));
    let request = server.as_creator().request(Method::POST, &path);
    Reply::of(request.header("content-type", "text/csv").body(table)).await.expect(200)
}

async fn no_caller_reads_a_holiday_or_a_word_as_a_place(server: TestServer) {
    let zone = server.creator.actor.zone.clone();
    for (words, part) in [
        ("christmas 9am", "holiday “christmas”"),
        ("easter monday 9am", "holiday “easter monday”"),
        ("圣诞节上午九点", "“圣诞节”"),
        ("reunion 9am", "“reunion”"),
        ("tomorrow 9am center", "“center”"),
        ("wake 9am", "“wake”"),
        ("tomorrow midway 9am", "“midway”"),
        ("9am troll", "“troll”"),
        ("london tomorrow 9am", "“london”"),
    ] {
        for (caller, status, text) in answers(&server, words, &zone).await {
            assert!(status == 422 && text.contains(part), "{words} in {caller}: {status} {text}");
        }
    }
    let reminders = server.as_creator().get("/api/v1/reminders").await.expect(200);
    assert_eq!(reminders["items"], json!([]), "nothing was set");
}

async fn every_caller_asks_for_both_readings_of_a_date_with_slashes(server: TestServer) {
    let zone = server.creator.actor.zone.clone();
    // Now is 1 March 2027: 12 February has passed.
    for (words, locals) in [
        ("12/2/2027 9:00", ["2027-02-12T09:00", "2027-12-02T09:00"]),
        ("12/11/2027 9:00", ["2027-11-12T09:00", "2027-12-11T09:00"]),
    ] {
        for (caller, status, text) in answers(&server, words, &zone).await {
            let expected = if caller == "api" { 200 } else { 422 };
            assert_eq!(status, expected, "{words} in {caller}: {text}");
            for local in locals {
                let shown = [local.to_owned(), local.replace('T', " ")];
                assert!(shown.iter().any(|shown| text.contains(shown)), "{words} in {caller}: {text}");
            }
        }
    }
    let reminders = server.as_creator().get("/api/v1/reminders").await.expect(200);
    assert_eq!(reminders["items"], json!([]), "nothing was set");
    // The reading that has passed can be chosen, and is refused as such.
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [
        ("text", "Form"),
        ("to", "me"),
        ("date", "2027-03-01"),
        ("time", "18:00"),
        ("zone", &zone),
        ("words", "12/2/2027 9:00"),
        ("reading", "2027-02-12T09:00"),
        ("from", "/reminders"),
    ];
    let refused = browser.form("/fn/save_reminder", &fields).await;
    assert!(refused.status == 422 && refused.text.contains("has passed"), "{}", refused.text);
}

async fn every_caller_asks_whose_tomorrow_is_meant(server: TestServer) {
    // Now is 08:00 in UTC: it is Monday in Shanghai, and still Sunday in Honolulu.
    for (caller, status, text) in answers(&server, "tomorrow 9am honolulu", "Asia/Shanghai").await {
        let expected = if caller == "api" { 200 } else { 422 };
        assert_eq!(status, expected, "{caller}: {text}");
        for local in ["2027-03-01T09:00", "2027-03-02T09:00"] {
            let shown = [local.to_owned(), local.replace('T', " ")];
            assert!(shown.iter().any(|shown| text.contains(shown)), "{caller}: {text}");
        }
    }
    // The same day in both: nothing is to be asked.
    let body = json!({"text": "tomorrow 9am tokyo", "zone": "Asia/Shanghai"});
    let found = server.as_creator().post("/api/v1/when", &body).await.expect(200);
    assert_eq!((&found["local"], &found["zone"]), (&json!("2027-03-02T09:00"), &json!("Asia/Tokyo")));
}

async fn a_place_is_read_and_shown_in_its_zone(server: TestServer) {
    let report = import(&server, "2027-06-09 9:00 new york", "UTC", "").await;
    assert_eq!(report["refused"], 0, "{report}");
    assert!(report.to_string().contains("America/New_York"), "{report}");
    // Where a zone is expected, a place needs no more than its name.
    let report = import(&server, "2027-06-09 9:00", "UTC", "Reunion").await;
    assert!(report.to_string().contains("Indian/Reunion"), "{report}");
    let body = json!({"text": "Call", "when": "2027-06-09 9am phoenix", "zone": "UTC"});
    let refused = server.as_creator().post("/api/v1/reminders", &body).await.expect(422);
    assert!(refused.to_string().contains("9:00 America/Phoenix"), "{refused}");
    let body = json!({"text": "Call", "when": "2027-06-09 9am America/Phoenix", "zone": "UTC"});
    let made = server.as_creator().post("/api/v1/reminders", &body).await.expect(201);
    assert_eq!(
        (&made["zone"], &made["due_at"]),
        (&json!("America/Phoenix"), &json!("2027-06-09T16:00:00.000Z"))
    );
}

async fn a_row_with_two_zones_is_refused(server: TestServer) {
    let report = import(&server, "2027-06-09 9:00 tokyo", "UTC", "Europe/Berlin").await;
    assert_eq!(report["refused"], 1, "{report}");
    assert!(
        report.to_string().contains("Asia/Tokyo") && report.to_string().contains("Europe/Berlin"),
        "{report}"
    );
    let report = import(&server, "2027-06-09 9:00 tokyo", "UTC", "Asia/Tokyo").await;
    assert_eq!(report["refused"], 0, "{report}");
}
