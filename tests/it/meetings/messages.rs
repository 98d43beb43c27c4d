//! Channels are notified what happens to meetings, in the transaction of the change.

use super::{HOUR, act, path};
use crate::{calendar::ics::part, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Sink, SmtpSink};

on_both!(
    a_webhook_is_notified_of_each_change_of_a_meeting,
    an_edit_that_changes_nothing_and_one_of_the_reminders_is_not_reported,
    a_series_is_reported_meeting_by_meeting,
    a_new_channel_is_not_notified_of_meetings,
    a_mail_channel_names_the_meeting_and_links_its_page,
);

const ALL: [&str; 6] = [
    "meeting.requested",
    "meeting.confirmed",
    "meeting.changed",
    "meeting.started",
    "meeting.ended",
    "meeting.cancelled",
];

/// The events in the sink and the state of the meeting in each of them.
fn notified(sink: &Sink) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let mut bodies: Vec<Value> =
        sink.received().iter().map(|one| serde_json::from_str(&one.body).unwrap()).collect();
    bodies.sort_by_key(|body| body["data"]["version"].as_i64());
    bodies.iter().map(|body| (word(&body["type"]), word(&body["data"]["state"]))).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(event, state)| (format!("meeting.{event}"), (*state).to_owned())).collect()
}

async fn a_webhook_is_notified_of_each_change_of_a_meeting(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"events": ALL})).await;
    assert_eq!(channel["events"], json!(ALL));
    let room = server.create_room(json!({"name": "Aula", "approval": "required"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    act(&server.as_admin(), &meeting, "approve").await.expect(200);
    let confirmed = server.meeting(&meeting).await;
    let change = json!({"title": "Budget", "seen_version": confirmed["version"]});
    server.as_creator().patch(&path(&meeting, ""), &change).await.expect(200);
    server.advance(HOUR).await;
    let running = server.meeting(&meeting).await;
    act(&server.as_creator(), &running, "end").await.expect(200);
    let second = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let no = json!({"seen_version": second["version"], "reason": "Painters"});
    server.as_admin().post(&path(&second, "/reject"), &no).await.expect(200);
    server.tick().await;
    let mut expected = pairs(&[
        ("requested", "requested"),
        ("requested", "requested"),
        ("confirmed", "confirmed"),
        ("cancelled", "rejected"),
        ("changed", "confirmed"),
        ("started", "in_progress"),
        ("ended", "ended"),
    ]);
    let mut heard = notified(&sink);
    expected.sort();
    heard.sort();
    assert_eq!(heard, expected);
    let bodies = sink.received();
    let mut bodies = bodies.iter().map(|one| serde_json::from_str::<Value>(&one.body).unwrap());
    let rejected = bodies.find(|body| body["data"]["state"] == "rejected").unwrap();
    let data = &rejected["data"];
    assert_eq!((&data["meeting_id"], &data["room"]), (&second["id"], &json!("Aula")));
    assert_eq!((&data["starts_at"], &data["reason"]), (&second["starts_at"], &json!("Painters")));
    assert_eq!(data["path"], format!("/meetings/{}", second["id"].as_str().unwrap()));
    server.assert_execution_records_match().await;
}

async fn an_edit_that_changes_nothing_and_one_of_the_reminders_is_not_reported(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ["meeting.changed"]})).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let patch = async |meeting: &Value, mut change: Value| {
        change["seen_version"] = meeting["version"].clone();
        server.as_creator().patch(&path(meeting, ""), &change).await.expect(200)
    };
    let same =
        json!({"title": meeting["title"], "starts_at": meeting["starts_at"], "ends_at": meeting["ends_at"]});
    for change in [json!({}), json!({"reminders": []}), json!({"title": meeting["title"]}), same] {
        assert_eq!(patch(&meeting, change.clone()).await["version"], meeting["version"], "{change}");
    }
    let reminders = json!({"reminders": [{"before": "start", "minutes": 10, "by": "mail"}]});
    let reminded = patch(&meeting, reminders.clone()).await;
    assert_eq!(reminded["version"], 2);
    assert_eq!(patch(&reminded, reminders).await["version"], 2);
    server.tick().await;
    assert_eq!(notified(&sink), []);
    patch(&reminded, json!({"title": "Budget"})).await;
    server.tick().await;
    assert_eq!(notified(&sink), pairs(&[("changed", "confirmed")]));
}

async fn a_series_is_reported_meeting_by_meeting(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ["meeting.confirmed", "meeting.cancelled"]})).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 3});
    let new = json!({"title": "Weekly", "room_id": room["id"], "local_start": "2027-03-08T09:00",
        "local_end": "2027-03-08T10:00", "zone": "UTC", "series": {"rule": rule}});
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.tick().await;
    assert_eq!(notified(&sink), pairs(&[("confirmed", "confirmed"); 3]));
    let cancel = json!({"seen_version": first["version"], "reach": "all"});
    server.as_creator().post(&path(&first, "/cancel"), &cancel).await.expect(200);
    server.tick().await;
    assert_eq!(notified(&sink)[3..], pairs(&[("cancelled", "cancelled"); 3]));
}

async fn a_new_channel_is_not_notified_of_meetings(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    assert_eq!(channel["events"], json!(["article.published", "article.updated", "article.unpublished"]));
    let room = server.create_room(json!({"name": "Aula"})).await;
    server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    server.advance(HOUR).await;
    assert!(sink.received().is_empty());
}

async fn a_mail_channel_names_the_meeting_and_links_its_page(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let settings = json!({"events": ["meeting.confirmed"], "mail": {"to": ["anna@example.org"]}});
    server.create_mail_channel(&smtp, settings).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    server.tick().await;
    let [mail] = &smtp.received()[..] else { panic!("one mail") };
    assert_eq!(mail.header("Subject"), "Meeting confirmed: Planning");
    let page = format!("/meetings/{}", meeting["id"].as_str().unwrap());
    assert!(part(mail, "text/plain").1.contains(&page), "{}", mail.text);
}
