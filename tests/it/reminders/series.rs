//! Reminders of a series: every meeting gets them, also those that are added later.

use super::MINUTE;
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    each_meeting_of_a_series_gets_its_reminders,
    meetings_that_are_added_later_get_the_reminders_of_their_series,
    the_reminders_of_the_following_meetings_are_changed_together,
    a_meeting_at_instants_keeps_the_zone_that_was_named,
);

/// Milliseconds of an hour and of a day.
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A series of meetings at 09:00 UTC from Monday 2027-03-08 on.
fn series(rule: &Value, reminders: &Value) -> Value {
    json!({"title": "Planning", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00", "zone": "UTC",
           "series": {"rule": rule}, "reminders": reminders})
}

fn by_mail(before: &str, minutes: i64) -> Value {
    json!({"before": before, "minutes": minutes, "by": "mail"})
}

impl TestServer {
    /// The meetings with this title, by start, with their reminders.
    async fn reminded(&self, title: &str) -> Vec<Value> {
        let list = format!("/api/v1/meetings?limit=200&q={title}");
        let page = self.as_creator().get(&list).await.expect(200);
        let mut all = Vec::new();
        for item in page["items"].as_array().unwrap() {
            all.push(
                self.as_creator().get(&format!("/api/v1/meetings/{}", text(&item["id"]))).await.expect(200),
            );
        }
        all
    }
}

/// Due times of the scheduled reminders of a meeting.
fn due(meeting: &Value) -> Vec<&str> {
    let all = meeting["reminders"].as_array().unwrap().iter();
    all.filter(|one| one["state"] == "scheduled").map(|one| &text(&one["due_at"])[..16]).collect()
}

async fn each_meeting_of_a_series_gets_its_reminders(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let weekly = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 3});
    let new = series(&weekly, &json!([by_mail("start", 10), by_mail("end", 5)]));
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    assert_eq!(due(&first), ["2027-03-08T08:50", "2027-03-08T09:55"], "{first}");
    let all = server.reminded("Planning").await;
    let found: Vec<_> = all.iter().map(due).collect();
    assert_eq!(found[2], ["2027-03-22T08:50", "2027-03-22T09:55"]);
    // The second one is cancelled, and with it its reminders.
    let cancel = json!({"seen_version": all[1]["version"]});
    let path = format!("/api/v1/meetings/{}/cancel", text(&all[1]["id"]));
    server.as_creator().post(&path, &cancel).await.expect(200);
    server.advance(30 * DAY).await;
    server.tick().await;
    let states: Vec<String> = server.reminded("Planning").await.iter().map(states).collect();
    assert_eq!(states[1], "cancelled cancelled");
    server.assert_execution_records_match().await;
}

fn states(meeting: &Value) -> String {
    let all: Vec<&str> =
        meeting["reminders"].as_array().unwrap().iter().map(|one| text(&one["state"])).collect();
    all.join(" ")
}

async fn meetings_that_are_added_later_get_the_reminders_of_their_series(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let daily = json!({"frequency": "daily", "until": "2028-06-01"});
    let new = series(&daily, &json!([by_mail("start", 15)]));
    server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    assert_eq!(server.reminded("Planning").await.len(), 60);
    server.advance(37 * DAY + HOUR).await;
    server.tick().await;
    let all = server.reminded("Planning").await;
    let last = all.last().unwrap();
    assert_eq!(&text(&last["starts_at"])[..16], "2027-06-06T09:00");
    assert_eq!(due(last), ["2027-06-06T08:45"], "{last}");
    server.assert_execution_records_match().await;
}

async fn the_reminders_of_the_following_meetings_are_changed_together(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let weekly = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 4});
    let new = series(&weekly, &json!([by_mail("start", 10)]));
    server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let all = server.reminded("Planning").await;
    let edit = json!({"seen_version": all[1]["version"], "reach": "following",
                      "local_start": "2027-03-15T11:00", "local_end": "2027-03-15T12:00", "zone": "UTC",
                      "reminders": [by_mail("start", 30)]});
    let path = format!("/api/v1/meetings/{}", text(&all[1]["id"]));
    let edited = server.as_creator().patch(&path, &edit).await.expect(200);
    let after = server.reminded("Planning").await;
    let found: Vec<_> = after.iter().map(due).collect();
    assert_eq!(found[0], ["2027-03-08T08:50"], "before the change");
    assert_eq!(found[1], ["2027-03-15T10:30"]);
    assert_eq!(found[3], ["2027-03-29T10:30"]);
    let undo = json!({"seen_version": edited["version"]});
    server.as_creator().post(&format!("{path}/undo"), &undo).await.expect(200);
    let undone = server.reminded("Planning").await;
    assert_eq!(due(&undone[3]), ["2027-03-29T08:30"], "it follows the meeting");
    server.assert_execution_records_match().await;
}

async fn a_meeting_at_instants_keeps_the_zone_that_was_named(server: TestServer) {
    let new = json!({"title": "Abroad", "starts_at": "2027-03-02T09:00:00Z", "ends_at": "2027-03-02T10:00:00Z",
                     "zone": "Asia/Shanghai"});
    let booked = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    assert_eq!(booked["starts_at"], "2027-03-02T09:00:00.000Z");
    assert_eq!(
        (&booked["zone"], &booked["local_start"]),
        (&json!("Asia/Shanghai"), &json!("2027-03-02T17:00"))
    );
    let path = format!("/api/v1/meetings/{}", text(&booked["id"]));
    let edit = json!({"seen_version": booked["version"], "zone": "Europe/Berlin"});
    let edited = server.as_creator().patch(&path, &edit).await.expect(200);
    assert_eq!(edited["starts_at"], booked["starts_at"], "the instant counts");
    assert_eq!(
        (&edited["zone"], &edited["local_start"]),
        (&json!("Europe/Berlin"), &json!("2027-03-02T10:00"))
    );
    let both = json!({"title": "x", "starts_at": "2027-03-02T09:00:00Z", "local_end": "2027-03-02T10:00"});
    let refused = server.as_creator().post("/api/v1/meetings", &both).await.expect(422);
    assert_eq!(refused["error"]["field"], "starts_at");
    // A series at instants repeats in the zone that is named.
    let weekly = json!({"frequency": "weekly", "weekdays": ["tuesday"], "count": 5});
    let new = json!({"title": "Repeated", "starts_at": "2027-03-16T08:00:00Z", "ends_at": "2027-03-16T09:00:00Z",
                     "zone": "Europe/Berlin", "series": {"rule": weekly}});
    server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let all = server.reminded("Repeated").await;
    let starts: Vec<&str> = all.iter().map(|one| &text(&one["starts_at"])[..16]).collect();
    assert_eq!(starts[1..3], ["2027-03-23T08:00", "2027-03-30T07:00"], "09:00 on both sides of the change");
}
