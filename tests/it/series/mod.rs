//! Series: previews of recurrence rules.

use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    the_next_ten_occurrences_are_previewed_with_what_is_special_about_them,
    the_preview_shows_the_time_of_the_viewer_where_it_differs,
    an_invalid_series_is_refused_with_the_name_of_the_field,
);

const PATH: &str = "/api/v1/series/preview";

fn body(rule: &Value, zone: &str, starts_local: &str) -> Value {
    json!({"rule": rule, "zone": zone, "starts_local": starts_local})
}

async fn the_next_ten_occurrences_are_previewed_with_what_is_special_about_them(server: TestServer) {
    let creator = server.as_creator();
    let rule = json!({"frequency": "monthly", "day": 31, "count": 8, "exceptions": ["2027-12-31"]});
    let preview = creator.post(PATH, &body(&rule, "Europe/Berlin", "2027-08-31T09:00")).await.expect(200);
    let items = preview["items"].as_array().unwrap();
    let locals: Vec<&str> = items.iter().map(|item| item["local"].as_str().unwrap()).collect();
    assert_eq!(locals[..3], ["2027-08-31T09:00", "2027-10-31T09:00", "2028-01-31T09:00"], "{preview}");
    assert_eq!((locals.len(), preview["upcoming_count"].as_u64()), (7, Some(7)));
    let october = &items[1];
    assert_eq!(october["weekday"], "sunday");
    assert_eq!(october["at"], "2027-10-31T08:00:00.000Z");
    assert_eq!((&october["offset_before"], &october["offset"]), (&json!("+02:00"), &json!("+01:00")));
    assert_eq!(october["omitted"], json!([{"reason": "short_month", "value": "2027-09"}]));
    assert_eq!(items[2]["omitted"][1], json!({"reason": "exception", "value": "2027-12-31"}));
    let daily = json!({"frequency": "daily", "count": 30});
    let preview = creator.post(PATH, &body(&daily, "europe/berlin", "2027-03-27T02:30")).await.expect(200);
    let gap = &preview["items"][1];
    assert_eq!(
        (&gap["original_local"], &gap["local"]),
        (&json!("2027-03-28T02:30"), &json!("2027-03-28T03:00"))
    );
    assert_eq!(gap["mark"], "moved_by_gap");
    assert_eq!(
        (preview["items"].as_array().map(Vec::len), &preview["upcoming_count"]),
        (Some(10), &json!(30))
    );
}

async fn the_preview_shows_the_time_of_the_viewer_where_it_differs(server: TestServer) {
    let creator = server.as_creator();
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 2});
    let zone = server.creator.actor.zone.clone();
    let own = creator.post(PATH, &body(&rule, &zone, "2027-09-06T09:00")).await.expect(200);
    assert_eq!(own["items"][0]["viewer_local"], Value::Null);
    let other = creator.post(PATH, &body(&rule, "Pacific/Kiritimati", "2027-09-06T09:00")).await.expect(200);
    assert!(other["items"][0]["viewer_local"].as_str().unwrap().starts_with("2027-09-0"), "{other}");
}

async fn an_invalid_series_is_refused_with_the_name_of_the_field(server: TestServer) {
    let creator = server.as_creator();
    let (daily, start) = (json!({"frequency": "daily", "count": 3}), "2027-09-06T09:00");
    for (request, field, text) in [
        (body(&json!({"frequency": "daily"}), "UTC", start), "rule.until", "must end"),
        (
            body(&json!({"frequency": "yearly", "month": 2, "day": 30, "count": 1}), "UTC", start),
            "rule.day",
            "month 2 never has a day 30",
        ),
        (
            body(&json!({"frequency": "daily", "until": "2199-01-01"}), "UTC", start),
            "rule.until",
            "18 months",
        ),
        (body(&json!({"frequency": "yearly", "count": 400}), "UTC", start), "rule.count", "18 months"),
        (body(&json!({"frequency": "minutely", "count": 3}), "UTC", start), "rule.frequency", "one of"),
        (body(&daily, "Mars/Olympus", start), "zone", "not a time zone"),
        (body(&daily, "UTC", "2027-02-30T09:00"), "starts_local", "not a time"),
        (body(&daily, "UTC", &"9".repeat(100_000)), "starts_local", "not a time"),
    ] {
        let reply = creator.post(PATH, &request).await;
        let error = reply.expect(422)["error"].clone();
        assert_eq!(error["field"], field, "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(text) && message.len() < 300, "{message}");
    }
    let unknown = json!({"frequency": "daily", "count": 3, "byday": "MO"});
    assert_eq!(creator.post(PATH, &body(&unknown, "UTC", start)).await.status, 422);
    let many = json!({"frequency": "daily", "count": 3, "exceptions": vec!["2027-09-08"; 10_000]});
    assert_eq!(creator.post(PATH, &body(&many, "UTC", start)).await.status, 422);
}
