//! Input that is refused with a plain sentence, and times in words.

use super::MINUTE;
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::json;

on_both!(
    bad_input_is_refused_with_its_field,
    a_time_in_words_or_local_time_is_kept,
    a_repeated_request_creates_one,
    the_openapi_document_names_every_recipient,
);

async fn bad_input_is_refused_with_its_field(server: TestServer) {
    let soon = server.time_after(MINUTE);
    let ten_years = server.time_after(10 * 366 * 24 * 60 * MINUTE);
    let skipped = json!({"text": "x", "local": "2027-03-28T02:30", "zone": "Europe/Berlin"});
    for (new, field, part) in [
        (json!({"text": "", "due_at": soon}), "text", "empty"),
        (json!({"text": "é".repeat(10_000), "due_at": soon}), "text", "1000 characters"),
        (json!({"text": "a\u{7}b", "due_at": soon}), "text", "not allowed"),
        (json!({"text": "x", "due_at": ten_years}), "due_at", "60 months"),
        (json!({"text": "x", "due_at": "tomorrow"}), "due_at", "not a time"),
        (json!({"text": "x"}), "due_at", "send due_at, when"),
        (json!({"text": "x", "when": "gibberish"}), "when", "not understood"),
        (json!({"text": "x", "when": "in 1 hour", "due_at": soon}), "when", "only one of"),
        (
            json!({"text": "x", "due_at": soon, "mail": "a@example.org\r\nBcc: b@example.org"}),
            "mail",
            "e-mail",
        ),
        (json!({"text": "x", "due_at": soon, "mail": "no-address"}), "mail", "e-mail"),
        (
            json!({"text": "x", "due_at": soon, "account_id": "01890000-0000-7000-8000-000000000000"}),
            "account_id",
            "not exist",
        ),
        (
            json!({"text": "x", "due_at": soon, "mail": "a@example.org", "account_id": server.admin.actor.account}),
            "account_id",
            "only one of",
        ),
    ] {
        let refused = server.as_creator().post("/api/v1/reminders", &new).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{refused}");
        assert!(text(&refused["error"]["message"]).contains(part), "{refused}");
    }
    let refused = server.as_creator().post("/api/v1/reminders", &skipped).await;
    assert_eq!(refused.refused(422), "skipped_time");
    let past = json!({"text": "x", "due_at": server.time_after(-1)});
    assert_eq!(server.as_creator().post("/api/v1/reminders", &past).await.refused(422), "past");
    let past = json!({"text": "x", "local": "2020-01-01T09:00", "zone": "UTC"});
    let refused = server.as_creator().post("/api/v1/reminders", &past).await.expect(422);
    assert_eq!((text(&refused["error"]["code"]), text(&refused["error"]["field"])), ("past", "local"));
    assert!(text(&refused["error"]["message"]).ends_with("choose a later time"), "{refused}");
    for query in ["view=x", "state=x", "cursor=x"] {
        assert_eq!(
            server.as_creator().get(&format!("/api/v1/reminders?{query}")).await.status,
            422,
            "{query}"
        );
    }
    let made = server.remind("Snoozed", MINUTE, json!({})).await;
    for minutes in [json!(0), json!(-5), json!(999_999), json!(null)] {
        let body = json!({"minutes": minutes});
        let refused = server.as_creator().post(&super::path(&made, "/snooze"), &body).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), "minutes", "{refused}");
    }
}

async fn a_time_in_words_or_local_time_is_kept(server: TestServer) {
    let words = json!({"due_at": null, "when": "in 90 minutes"});
    let made = server.remind("Words", 0, words).await;
    assert_eq!(text(&made["due_at"]), server.time_after(90 * MINUTE));
    let words = json!({"due_at": null, "when": "tomorrow 9am", "zone": "Asia/Tokyo"});
    let made = server.remind("Tokyo", 0, words).await;
    assert_eq!(
        (text(&made["zone"]), text(&made["local"]).ends_with("T09:00")),
        ("Asia/Tokyo", true),
        "{made}"
    );
    let local = json!({"due_at": null, "local": "2027-03-27T02:30", "zone": "Europe/Berlin"});
    let made = server.remind("Local", 0, local).await;
    assert_eq!(
        (text(&made["due_at"]), text(&made["local"])),
        ("2027-03-27T01:30:00.000Z", "2027-03-27T02:30")
    );
    let both = json!({"text": "x", "when": "3点"});
    let refused = server.as_creator().post("/api/v1/reminders", &both).await.expect(422);
    assert!(text(&refused["error"]["message"]).contains("choose one of them"), "{refused}");
}

async fn a_repeated_request_creates_one(server: TestServer) {
    let new = json!({"text": "Once", "due_at": server.time_after(MINUTE)});
    let send = async || {
        let request = server.as_creator().request(reqwest::Method::POST, "/api/v1/reminders");
        let request = request.header("idempotency-key", "one").json(&new);
        crate::http_client::Reply::of(request).await.expect(201)
    };
    assert_eq!(send().await, send().await);
    server.advance(MINUTE).await;
    assert_eq!(server.notified(&server.as_creator()).await.len(), 1);
}

async fn the_openapi_document_names_every_recipient(server: TestServer) {
    let document = server.as_anonymous().get("/api/v1/openapi.json").await.expect(200);
    for schema in ["NewReminderBody", "ReminderEditBody"] {
        for form in document["components"]["schemas"][schema]["oneOf"].as_array().unwrap() {
            for field in ["account_id", "mail", "channel_id"] {
                assert!(form["properties"][field].is_object(), "{schema} lacks {field}: {form}");
            }
        }
    }
}
