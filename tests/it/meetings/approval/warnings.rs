//! Approvers and organizer are warned before the deadline of a request, and Attention shows meetings
//! that need a person.

use crate::{
    http_client::HttpClient,
    meetings::{HOUR, MINUTE, act, path, tasks},
    on_both,
    test_server::{Account, TestServer},
};
use domain::account::Language;
use presstime::reminders::notifications::moment;
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    approver_and_organizer_are_warned_half_way_and_before_the_deadline,
    warnings_move_and_are_cancelled_with_the_meeting,
    a_late_warning_is_not_sent,
    requests_and_released_rooms_are_on_attention,
    a_held_request_is_on_attention_as_waiting_for_an_admin,
);

fn room(name: &str, minutes: i64) -> Value {
    json!({"name": name, "approval": "required", "approval_deadline": {"after_minutes": minutes}})
}

/// Texts of the notifications of a client, newest first.
async fn notified(client: &HttpClient) -> Vec<String> {
    let list = client.get("/api/v1/notifications").await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

/// Kinds and due times of the warnings of a meeting.
fn warnings(meeting: &Value) -> Vec<(String, String)> {
    tasks(meeting).into_iter().filter(|(kind, _)| kind.starts_with("meeting.warn")).collect()
}

fn warned_at(server: &TestServer, first: i64, second: i64) -> Vec<(String, String)> {
    [("meeting.warn", first), ("meeting.warn_again", second)]
        .map(|(kind, millis)| (kind.to_owned(), server.time_after(millis)))
        .to_vec()
}

async fn approver_and_organizer_are_warned_half_way_and_before_the_deadline(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(room("Aula", 40)).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    assert_eq!(warnings(&request), warned_at(&server, 20 * MINUTE, 30 * MINUTE), "{request}");
    server.advance(20 * MINUTE - 1).await;
    assert_eq!(notified(&server.as_creator()).await.len(), 0);
    server.advance(1).await;
    let organizer = notified(&server.as_creator()).await;
    // The meetings of a series differ by their start.
    let starts = moment(Language::En, server.now().plus(100 * MINUTE), &server.creator.actor.zone);
    let first = format!("“Planning” ({starts}) has not been approved yet.");
    assert!(organizer[0].starts_with(&first), "{organizer:?}");
    let reviewer = notified(&server.as_reviewer()).await;
    let first = format!("“Planning” ({starts}) waits for your approval.");
    assert!(reviewer[0].starts_with(&first), "{reviewer:?}");
    assert!(reviewer[0].contains("it expires"), "{reviewer:?}");
    assert_eq!(notified(&server.as_colleague()).await.len(), 0, "a creator does not decide");
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.to[0], server.creator.email);
    assert!(mail.to.contains(&server.reviewer.email) && mail.text.contains("Planning"), "{mail:?}");
    server.advance(10 * MINUTE).await;
    assert_eq!((notified(&server.as_reviewer()).await.len(), smtp.received().len()), (1, 2), "one a request");
    server.advance(10 * MINUTE).await;
    assert_eq!(server.state(&request).await, "expired");
    assert_eq!(smtp.received().len(), 2);
    server.assert_execution_records_match().await;
}

async fn warnings_move_and_are_cancelled_with_the_meeting(server: TestServer) {
    let room = server.create_room(room("Aula", 40)).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    server.advance(10 * MINUTE).await;
    let title = json!({"title": "Renamed", "seen_version": request["version"]});
    let renamed = server.as_creator().patch(&path(&request, ""), &title).await.expect(200);
    assert_eq!(warnings(&renamed), warnings(&request), "the deadline stays");
    let to = json!({"starts_at": server.time_after(5 * HOUR), "ends_at": server.time_after(6 * HOUR),
                    "seen_version": renamed["version"]});
    let moved = server.as_creator().patch(&path(&request, ""), &to).await.expect(200);
    assert_eq!(warnings(&moved), warned_at(&server, 20 * MINUTE, 30 * MINUTE), "a new deadline");
    let approved = act(&server.as_reviewer(), &moved, "approve").await.expect(200);
    assert_eq!(warnings(&approved), []);
    server.advance(HOUR).await;
    assert_eq!(notified(&server.as_creator()).await.len(), 0);
    let second = server.book(&room, 7 * HOUR, 8 * HOUR).await.expect(201);
    let cancelled = act(&server.as_creator(), &second, "cancel").await.expect(200);
    assert_eq!(tasks(&cancelled).len(), 0);
    server.assert_execution_records_match().await;
}

async fn a_late_warning_is_not_sent(server: TestServer) {
    let room = server.create_room(room("Aula", 40)).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    server.advance_without_loops(50 * MINUTE);
    for _ in 0..3 {
        server.tick().await;
    }
    let expired = server.meeting(&request).await;
    assert_eq!((expired["state"].as_str(), tasks(&expired).len()), (Some("expired"), 0));
    assert_eq!(notified(&server.as_reviewer()).await.len(), 0);
    server.assert_execution_records_match().await;
}

/// Causes of a client's Attention with the titles of their items.
async fn causes(client: &HttpClient) -> Vec<(String, String)> {
    let body = client.get("/api/v1/attention").await.expect(200);
    let cause = |entry: &Value| {
        let title = entry["items"][0]["title"].as_str().unwrap_or_default().to_owned();
        (entry["cause"].as_str().unwrap().to_owned(), title)
    };
    body["items"].as_array().unwrap().iter().map(cause).collect()
}

/// The Attention page of an account, as a browser without scripts shows it.
async fn page(server: &TestServer, account: &Account) -> String {
    server.page(account, "/").await
}

async fn requests_and_released_rooms_are_on_attention(server: TestServer) {
    let aula = server.create_room(room("Aula", 120)).await;
    let request = server.book(&aula, 4 * HOUR, 5 * HOUR).await.expect(201);
    assert_eq!(causes(&server.as_reviewer()).await, []);
    server.advance(HOUR).await;
    let expiring = ("meeting_expiring".to_owned(), "Planning".to_owned());
    let causes_of_reviewer = causes(&server.as_reviewer()).await;
    assert_eq!(causes_of_reviewer, std::slice::from_ref(&expiring), "an hour before the deadline");
    assert_eq!(causes(&server.as_creator()).await, [], "the organizer does not decide");
    let shown = page(&server, &server.reviewer).await;
    assert!(shown.contains("is about to be decided") && shown.contains(&path(&request, "")[7..]), "{shown}");
    act(&server.as_reviewer(), &server.meeting(&request).await, "approve").await.expect(200);
    assert_eq!(causes(&server.as_reviewer()).await, []);
    // A room that was released is shown until the meeting would have ended.
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let library = server.create_room(json!({"name": "Library", "check_in": check_in})).await;
    let unused = server.book(&library, HOUR, 2 * HOUR).await.expect(201);
    server.advance(HOUR + 10 * MINUTE).await;
    assert_eq!(server.state(&unused).await, "released");
    let released = ("meeting_released".to_owned(), "Planning".to_owned());
    assert_eq!(causes(&server.as_creator()).await, std::slice::from_ref(&released));
    assert_eq!(causes(&server.as_admin()).await, [released]);
    assert_eq!(causes(&server.as_colleague()).await, []);
    assert!(page(&server, &server.creator).await.contains("was released"));
    server.advance(HOUR).await;
    assert_eq!(causes(&server.as_creator()).await, []);
    // A reminder that cannot be sent.
    let mut new = server.new_meeting(&library, HOUR, 2 * HOUR);
    new["reminders"] = json!([{"before": "start", "minutes": 10, "by": "mail"}]);
    server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.advance(50 * MINUTE).await;
    let failed = causes(&server.as_creator()).await;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].0, "task_failed", "without a mail server");
}

async fn a_held_request_is_on_attention_as_waiting_for_an_admin(server: TestServer) {
    let deadline = json!({"after_minutes": 30, "before_start_minutes": 60, "decision": "hold"});
    let aula = json!({"name": "Aula", "approval": "required", "approval_deadline": deadline});
    let aula = server.create_room(aula).await;
    let request = server.book(&aula, 2 * HOUR, 3 * HOUR).await.expect(201);
    let expiring = ("meeting_expiring".to_owned(), "Planning".to_owned());
    assert_eq!(causes(&server.as_reviewer()).await, [expiring], "the deadline is within an hour");
    server.advance(30 * MINUTE).await;
    let held = ("meeting_held".to_owned(), "Planning".to_owned());
    assert_eq!(causes(&server.as_admin()).await, [held]);
    let shown = page(&server, &server.admin).await;
    assert!(shown.contains("waits for an admin; it expires when the meeting ends"), "{shown}");
    assert!(!shown.contains("is about to be decided") && !shown.contains("before the deadline decides"));
    act(&server.as_admin(), &server.meeting(&request).await, "approve").await.expect(200);
    assert_eq!(causes(&server.as_admin()).await, []);
}
