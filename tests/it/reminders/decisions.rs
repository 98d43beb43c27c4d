//! Requests of rooms are announced to those who decide, decisions to the organizer.

use super::MINUTE;
use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use presstime::reminders::notifications::announce::Announcer;
use serde_json::json;

on_both!(
    a_request_for_a_room_and_its_decision_are_announced,
    a_request_that_waits_again_has_one_notification,
    many_requests_that_expire_are_one_notification_that_says_so,
);

const HOUR: i64 = 60 * MINUTE;

async fn a_request_for_a_room_and_its_decision_are_announced(server: TestServer) {
    let mut announcer = server.announcer().await;
    let room = server.create_room(json!({"name": "Aula", "approval": "required"})).await;
    let request = async |title: &str, hours: i64| {
        let [start, end] = [hours, hours + 1].map(|hours| server.now().plus(hours * HOUR).to_string());
        let new = json!({"title": title, "room_id": room["id"], "starts_at": start, "ends_at": end});
        let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
        assert_eq!(meeting["state"], "requested");
        meeting["id"].as_str().unwrap().to_owned()
    };
    let decide = async |client: &HttpClient, meeting: &str, action: &str, reason: &str| {
        let seen = client.get(&format!("/api/v1/meetings/{meeting}")).await.expect(200)["version"].clone();
        let body = json!({"seen_version": seen, "reason": reason});
        client.post(&format!("/api/v1/meetings/{meeting}/{action}"), &body).await.expect(200);
    };
    let (first, second) = (request("Rehearsal", 50).await, request("Opening", 60).await);
    server.announce(&mut announcer).await;
    for client in [server.as_reviewer(), server.as_admin()] {
        let [opening, rehearsal] = &server.notified(&client).await[..] else { panic!("two notifications") };
        assert_contains(opening, &["“Opening” (", ") waits for approval."]);
        assert_contains(rehearsal, &["“Rehearsal” (", ") waits for approval."]);
    }
    assert_eq!(server.notified(&server.as_creator()).await, [""; 0], "who asked knows it");
    decide(&server.as_reviewer(), &first, "approve", "").await;
    decide(&server.as_admin(), &second, "reject", "Under repair").await;
    server.announce(&mut announcer).await;
    let [rejected, approved] = &server.notified(&server.as_creator()).await[..] else {
        panic!("two decisions")
    };
    assert_contains(approved, &["reviewer confirmed “Rehearsal” (", ")."]);
    assert_contains(rejected, &["admin rejected “Opening” (", ").\nReason: Under repair"]);
    server.as_creator().post("/api/v1/notifications/read", &json!({})).await.expect(200);
    // What the organizer cancels is not announced, what an admin cancels is, unless it is switched off.
    decide(&server.as_admin(), &first, "cancel", "").await;
    let own = request("Own", 70).await;
    decide(&server.as_creator(), &own, "cancel", "").await;
    server.announce(&mut announcer).await;
    let texts = server.notified(&server.as_creator()).await;
    assert!(texts.len() == 3 && texts[0].starts_with("admin cancelled “Rehearsal” ("), "{texts:?}");
    // Of several changes at once the last one counts: this one waits again.
    let undone = request("Undone", 90).await;
    decide(&server.as_admin(), &undone, "approve", "").await;
    decide(&server.as_admin(), &undone, "undo", "").await;
    server.announce(&mut announcer).await;
    let texts = server.notified(&server.as_creator()).await;
    assert!(texts.len() == 4 && texts[0].ends_with("): it waits for approval."), "{texts:?}");
    assert_contains(
        &server.notified(&server.as_reviewer()).await[0],
        &["“Undone” (", "): it waits for approval."],
    );
    server
        .choose(&server.as_creator(), json!({"decided": {"bell": false, "mail": "off", "push": false}}))
        .await;
    let last = request("Last", 80).await;
    decide(&server.as_admin(), &last, "approve", "").await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await.len(), 4);
}

async fn a_request_that_waits_again_has_one_notification(server: TestServer) {
    let mut announcer = server.announcer().await;
    let room = server.create_room(json!({"name": "Aula", "approval": "required"})).await;
    let [start, end] = [50, 51].map(|hours| server.now().plus(hours * HOUR).to_string());
    let new = json!({"title": "Rehearsal", "room_id": room["id"], "starts_at": start, "ends_at": end});
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let path = format!("/api/v1/meetings/{}", meeting["id"].as_str().unwrap());
    let wait_again = async |announcer: &mut Announcer| {
        for action in ["approve", "undo"] {
            let seen = server.as_admin().get(&path).await.expect(200)["version"].clone();
            let body = json!({"seen_version": seen});
            server.as_admin().post(&format!("{path}/{action}"), &body).await.expect(200);
        }
        server.announce(announcer).await;
    };
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_reviewer()).await.len(), 1);
    wait_again(&mut announcer).await;
    for client in [server.as_reviewer(), server.as_creator()] {
        let [text] = &server.notified(&client).await[..] else { panic!("one for one request") };
        assert_contains(text, &["admin", "“Rehearsal” (", "): it waits for approval."]);
    }
    // What was read stays.
    server.as_reviewer().post("/api/v1/notifications/read", &json!({})).await.expect(200);
    wait_again(&mut announcer).await;
    assert_eq!(server.notified(&server.as_reviewer()).await.len(), 2);
}

async fn many_requests_that_expire_are_one_notification_that_says_so(server: TestServer) {
    let mut announcer = server.announcer().await;
    let deadline = json!({"after_minutes": 30});
    let room = json!({"name": "Aula", "approval": "required", "approval_deadline": deadline});
    let room = server.create_room(room).await;
    for hours in [50, 60, 70, 80] {
        let [start, end] = [hours, hours + 1].map(|hours| server.now().plus(hours * HOUR).to_string());
        let new = json!({"title": "Weekly", "room_id": room["id"], "starts_at": start, "ends_at": end});
        server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    }
    server.advance(30 * MINUTE).await;
    server.tick().await;
    server.announce(&mut announcer).await;
    let texts = server.notified(&server.as_creator()).await;
    let expired = "4 of your meetings changed: 4 expired without a decision. The last one is “Weekly”.";
    assert_eq!(texts.first().map(String::as_str), Some(expired), "{texts:?}");
}
