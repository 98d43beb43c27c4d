//! Invalid series are refused with the name of the field.

use super::{DRY_RUN, weekly};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(an_invalid_series_is_refused_and_nothing_is_booked, a_series_may_not_overlap_itself);

async fn an_invalid_series_is_refused_and_nothing_is_booked(server: TestServer) {
    let none = json!({});
    for (rule, field, text) in [
        (json!({"frequency": "daily"}), "rule.until", "must end"),
        (json!({"frequency": "daily", "until": "2199-01-01"}), "rule.until", "18 months"),
        (json!({"frequency": "yearly", "count": 400}), "rule.count", "18 months"),
        (json!({"frequency": "yearly", "month": 2, "day": 30, "count": 1}), "rule.day", "never has a day 30"),
        (json!({"frequency": "hourly", "count": 3}), "rule.frequency", "one of"),
        (json!({"frequency": "daily", "until": "2027-03-01"}), "rule.until", "before the start"),
        (json!({"frequency": "monthly", "nth": 6, "count": 2}), "rule.nth", "between 1 and 5"),
        (
            json!({"frequency": "daily", "count": 1, "exceptions": ["2027-03-08"]}),
            "rule.frequency",
            "no occurrence",
        ),
    ] {
        for path in ["/api/v1/meetings", DRY_RUN] {
            let error =
                server.as_creator().post(path, &weekly(&none, &rule)).await.expect(422)["error"].clone();
            assert_eq!(error["field"], field, "{error}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(text) && message.len() < 300, "{message}");
        }
    }
    let change = |field: &str, value: Value| {
        let mut new = weekly(&none, &json!({"frequency": "daily", "count": 3}));
        new[field] = value;
        new
    };
    let on = |day: &str| {
        let mut new = change("local_start", json!(format!("{day}T09:00")));
        new["local_end"] = json!(format!("{day}T10:00"));
        new
    };
    for (new, field) in [
        (on("2027-02-08"), "local_start"),
        (on("2029-02-08"), "local_start"),
        (change("local_end", json!("2027-03-08T08:00")), "local_end"),
        (change("local_end", json!("2027-05-08T08:00")), "local_end"),
        (change("local_start", json!("2027-03-08T09:00:30")), "local_start"),
        (change("zone", json!("Mars/Olympus")), "zone"),
        (change("conflicts", json!("ignore")), "conflicts"),
        (change("title", json!("x".repeat(100_000))), "title"),
    ] {
        let refused = server.book_series(&new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    let mut unknown = weekly(&none, &json!({"frequency": "daily", "count": 3}));
    unknown["series"]["every"] = json!(2);
    assert_eq!(server.book_series(&unknown).await.status, 422);
    let mut alone = weekly(&none, &json!({}));
    alone.as_object_mut().unwrap().remove("series");
    let refused = server.as_creator().post(DRY_RUN, &alone).await.expect(422);
    assert_eq!(refused["error"]["field"], "series");
    let page = server.as_creator().get("/api/v1/meetings").await.expect(200);
    assert_eq!(page["items"], json!([]));
}

async fn a_series_may_not_overlap_itself(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "buffer_minutes": 30})).await;
    let rule = json!({"frequency": "daily", "count": 3});
    let mut new = weekly(&room, &rule);
    new["local_end"] = json!("2027-03-09T08:31");
    let refused = server.book_series(&new).await.expect(422);
    assert_eq!(refused["error"]["field"], "local_end", "{refused}");
    new["local_end"] = json!("2027-03-09T08:30");
    server.book_series(&new).await.expect(201);
}
