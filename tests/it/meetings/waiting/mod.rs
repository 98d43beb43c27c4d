//! Meetings that wait for a room: the one that waits longest gets the offer of a room that becomes free.

mod flows;
mod races;

use super::{HOUR, act, path};
use crate::{http_client::Reply, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_cancelled_room_is_offered_to_the_longest_wait,
    an_offer_ends_and_the_next_in_line_gets_it,
    a_room_has_a_time_for_its_offers,
    a_declined_offer_goes_to_the_next_and_can_be_undone,
    a_wait_ends_at_the_start_of_the_meeting,
    an_offer_of_a_room_with_approval_becomes_a_request,
    the_organizer_is_notified_in_the_app_and_by_mail,
    a_meeting_waits_once_and_only_where_it_can,
    the_form_offers_to_wait_and_keeps_what_was_typed,
);

/// Milliseconds of an offer.
const OFFER: i64 = domain::meetings::OFFER_MINUTES as i64 * super::MINUTE;

impl TestServer {
    /// A meeting of the creator that waits for its room if that is taken.
    async fn wait_for(&self, room: &Value, title: &str, from: i64, to: i64) -> Reply {
        let mut new = self.new_meeting(room, from, to);
        new["title"] = json!(title);
        new["if_taken"] = json!("wait");
        self.as_creator().post("/api/v1/meetings", &new).await
    }

    /// States of these meetings.
    async fn states<const N: usize>(&self, meetings: [&Value; N]) -> Vec<String> {
        let mut all = Vec::new();
        for meeting in meetings {
            all.push(self.state(meeting).await);
        }
        all
    }

    /// Makes a change of the current version as the creator.
    async fn act_now(&self, meeting: &Value, action: &str) -> Reply {
        act(&self.as_creator(), &self.meeting(meeting).await, action).await
    }
}

async fn a_cancelled_room_is_offered_to_the_longest_wait(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "buffer_minutes": 15})).await;
    let taken = server.book(&room, 4 * HOUR, 6 * HOUR).await.expect(201);
    let booked = server.wait_for(&room, "Free", 2 * HOUR, 3 * HOUR).await.expect(201);
    assert_eq!(booked["state"], "confirmed", "the room is free then");
    let first = server.wait_for(&room, "First", 4 * HOUR, 5 * HOUR).await.expect(201);
    let second = server.wait_for(&room, "Second", 4 * HOUR, 6 * HOUR).await.expect(201);
    let beside = server.wait_for(&room, "Beside", 5 * HOUR + 15 * super::MINUTE, 6 * HOUR).await.expect(201);
    let longer = server.wait_for(&room, "Longer", 2 * HOUR, 5 * HOUR).await.expect(201);
    assert_eq!((&first["state"], &first["decide_at"]), (&json!("waiting"), &first["starts_at"]));
    assert_eq!(super::tasks(&first), [super::task("meeting.wait", &first["starts_at"])]);
    assert_eq!(server.overlaps().await, 0);
    server.act_now(&taken, "cancel").await.expect(200);
    let states = server.states([&first, &second, &beside, &longer]).await;
    assert_eq!(states, ["offered", "waiting", "offered", "waiting"]);
    let offered = server.meeting(&first).await;
    assert_eq!(offered["decide_at"], json!(server.time_after(OFFER)));
    assert_eq!(super::tasks(&offered)[0], super::task("meeting.offer", &offered["decide_at"]));
    assert_eq!(server.book(&room, 4 * HOUR, 5 * HOUR).await.refused(409), "room_taken", "it is held");
    assert_eq!(act(&server.as_colleague(), &offered, "accept").await.refused(403), "not_allowed");
    let accepted = act(&server.as_creator(), &offered, "accept").await.expect(200);
    assert_eq!((&accepted["state"], &accepted["decide_at"]), (&json!("confirmed"), &Value::Null));
    let expected = [
        super::task("meeting.start", &accepted["starts_at"]),
        super::task("meeting.end", &accepted["ends_at"]),
    ];
    assert_eq!(super::tasks(&accepted), expected);
    assert_eq!(server.verbs(&first).await, ["book", "offer", "accept"]);
    assert_eq!(server.act_now(&taken, "undo").await.refused(409), "room_taken");
    server.advance(4 * HOUR).await;
    assert_eq!(server.state(&first).await, "in_progress");
    assert_eq!(server.states([&second, &longer]).await, ["expired", "expired"], "they would have begun");
    let page = server.page(&server.creator, &path(&longer, "").replace("/api/v1", "")).await;
    assert!(page.contains("the room did not become free in time"), "{page}");
    assert!(!page.contains("No one decided in time"), "{page}");
    server.assert_execution_records_match().await;
}

async fn a_room_has_a_time_for_its_offers(server: TestServer) {
    let usual = server.create_room(json!({"name": "Usual"})).await;
    let room = server.create_room(json!({"name": "Aula", "offer_minutes": 90})).await;
    assert_eq!((&usual["offer_minutes"], &room["offer_minutes"]), (&json!(30), &json!(90)));
    for minutes in [0, 10_081] {
        let new = json!({"name": "No", "offer_minutes": minutes});
        let refused = server.as_admin().post("/api/v1/rooms", &new).await.expect(422);
        assert_eq!(refused["error"]["field"], "offer_minutes", "{refused}");
    }
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let waiting = server.wait_for(&room, "Waiting", 3 * HOUR, 4 * HOUR).await.expect(201);
    server.act_now(&taken, "cancel").await.expect(200);
    let decide_at = server.meeting(&waiting).await["decide_at"].clone();
    assert_eq!(decide_at, json!(server.time_after(90 * super::MINUTE)));
    server.advance(89 * super::MINUTE).await;
    assert_eq!(server.state(&waiting).await, "offered");
    server.advance(super::MINUTE).await;
    assert_eq!(server.state(&waiting).await, "expired");
    let path = format!("/api/v1/rooms/{}", room["id"].as_str().unwrap());
    let edit = json!({"place": "First floor", "seen_version": room["version"]});
    assert_eq!(server.as_admin().patch(&path, &edit).await.expect(200)["offer_minutes"], 90, "it stays");
    let edit = format!("/settings/rooms?edit={}", room["id"].as_str().unwrap());
    assert!(server.page(&server.admin, &edit).await.contains("room[offer_minutes]"));
}

async fn an_offer_ends_and_the_next_in_line_gets_it(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let first = server.wait_for(&room, "First", 3 * HOUR, 4 * HOUR).await.expect(201);
    let second = server.wait_for(&room, "Second", 3 * HOUR, 4 * HOUR).await.expect(201);
    server.act_now(&taken, "cancel").await.expect(200);
    let offered = server.meeting(&first).await;
    server.advance(OFFER - 1).await;
    assert_eq!(server.states([&first, &second]).await, ["offered", "waiting"]);
    server.advance(1).await;
    assert_eq!(server.states([&first, &second]).await, ["expired", "offered"]);
    assert_eq!(act(&server.as_creator(), &offered, "accept").await.refused(409), "changed");
    assert_eq!(server.verbs(&first).await, ["book", "offer", "expire"]);
    assert_eq!(super::tasks(&server.meeting(&first).await).len(), 0);
    let page = server.page(&server.creator, &path(&first, "").replace("/api/v1", "")).await;
    assert!(page.contains("the offer was not accepted in time"), "{page}");
    // No other meeting waits: the room is free afterwards.
    server.advance(OFFER).await;
    assert_eq!(server.state(&second).await, "expired");
    server.book(&room, 3 * HOUR - 2 * OFFER, 4 * HOUR - 2 * OFFER).await.expect(201);
    server.assert_execution_records_match().await;
}

async fn a_declined_offer_goes_to_the_next_and_can_be_undone(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let first = server.wait_for(&room, "First", 3 * HOUR, 4 * HOUR).await.expect(201);
    server.act_now(&taken, "cancel").await.expect(200);
    server.act_now(&first, "decline").await.expect(200);
    assert_eq!(server.state(&first).await, "cancelled");
    server.act_now(&first, "undo").await.expect(200);
    assert_eq!(server.state(&first).await, "offered");
    let second = server.wait_for(&room, "Second", 3 * HOUR, 4 * HOUR).await.expect(201);
    server.act_now(&first, "decline").await.expect(200);
    assert_eq!(server.states([&first, &second]).await, ["cancelled", "offered"]);
    assert_eq!(server.act_now(&first, "undo").await.refused(409), "room_taken");
    // Who cancels the wait and undoes that waits again.
    let third = server.wait_for(&room, "Third", 3 * HOUR, 4 * HOUR).await.expect(201);
    server.act_now(&third, "cancel").await.expect(200);
    server.act_now(&second, "decline").await.expect(200);
    server.act_now(&third, "undo").await.expect(200);
    assert_eq!(server.state(&third).await, "offered", "the room is free meanwhile");
    assert_eq!(server.overlaps().await, 0);
}

async fn a_wait_ends_at_the_start_of_the_meeting(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, HOUR, 3 * HOUR).await.expect(201);
    let first = server.wait_for(&room, "First", 2 * HOUR, 3 * HOUR).await.expect(201);
    server.advance(2 * HOUR - OFFER / 2).await;
    server.act_now(&taken, "end").await.expect(200);
    let offered = server.meeting(&first).await;
    assert_eq!(
        (&offered["state"], &offered["decide_at"]),
        (&json!("offered"), &offered["starts_at"]),
        "not beyond the start"
    );
    server.advance(OFFER / 2).await;
    assert_eq!(server.state(&first).await, "expired");
    assert_eq!(server.verbs(&first).await, ["book", "offer", "expire"]);
    let late = server.wait_for(&room, "Late", -super::MINUTE, HOUR).await.expect(201);
    assert_eq!(late["state"], "confirmed", "the room is free");
    assert_eq!(server.wait_for(&room, "Begun", -super::MINUTE, HOUR).await.refused(409), "room_taken");
}

async fn an_offer_of_a_room_with_approval_becomes_a_request(server: TestServer) {
    let settings = json!({"name": "Aula", "approval": "required", "approval_deadline": {"before_start_minutes": 30, "decision": "reject"}});
    let room = server.create_room(settings).await;
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let first = server.wait_for(&room, "First", 3 * HOUR, 4 * HOUR).await.expect(201);
    let waiting = server.as_admin().get("/api/v1/meetings?scope=to_approve").await.expect(200);
    assert_eq!(waiting["items"].as_array().map(Vec::len), Some(1), "who waits is no request: {waiting}");
    let listed = server.as_admin().get("/api/v1/meetings?state=waiting").await.expect(200);
    assert_eq!(listed["items"][0]["id"], first["id"]);
    assert_eq!(act(&server.as_admin(), &first, "approve").await.refused(409), "wrong_state");
    act(&server.as_admin(), &taken, "reject").await.expect(200);
    let accepted = server.act_now(&first, "accept").await.expect(200);
    assert_eq!((&accepted["state"], &accepted["decision"]), (&json!("requested"), &json!("reject")));
    let approved = act(&server.as_admin(), &accepted, "approve").await.expect(200);
    assert_eq!(approved["state"], "confirmed");
}

async fn the_organizer_is_notified_in_the_app_and_by_mail(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let mut new = server.new_meeting(&room, 3 * HOUR, 4 * HOUR);
    new["if_taken"] = json!("wait");
    new["attendees"] = json!([{"email": "ada@example.org"}]);
    new["reminders"] = json!([{"before": "start", "minutes": 10, "by": "mail"}]);
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.tick().await;
    assert_eq!(smtp.received().len(), 0, "no attendee is invited while it waits");
    server.act_now(&taken, "cancel").await.expect(200);
    server.tick().await;
    let mails = smtp.received();
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert!(!mail.header("Subject").is_empty(), "{}", mail.text);
    let bell = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let text = bell["items"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("The room for “Planning” is free.\nIt is held for you."), "{text}");
    server.act_now(&first, "accept").await.expect(200);
    server.tick().await;
    assert_eq!(smtp.received().len(), 2, "now the attendee is invited");
    server.advance(3 * HOUR - 10 * super::MINUTE).await;
    assert!(smtp.received().len() > 2, "the reminder came back with the room");
    server.assert_execution_records_match().await;
}

async fn a_meeting_waits_once_and_only_where_it_can(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let first = server.wait_for(&room, "First", 3 * HOUR, 4 * HOUR).await.expect(201);
    let again = server.wait_for(&room, "First", 3 * HOUR, 4 * HOUR).await.expect(201);
    assert_eq!(first["id"], again["id"], "the request was sent twice");
    let move_it = json!({"seen_version": first["version"], "starts_at": server.time_after(5 * HOUR),
                         "ends_at": server.time_after(6 * HOUR)});
    assert_eq!(server.as_creator().patch(&path(&first, ""), &move_it).await.refused(409), "wrong_state");
    let renamed = json!({"seen_version": first["version"], "title": "Renamed"});
    let renamed = server.as_creator().patch(&path(&first, ""), &renamed).await.expect(200);
    assert_eq!((&renamed["state"], &renamed["title"]), (&json!("waiting"), &json!("Renamed")));
    let mut new = server.new_meeting(&room, 3 * HOUR, 4 * HOUR);
    new["if_taken"] = json!("later");
    let refused = server.as_creator().post("/api/v1/meetings", &new).await.expect(422);
    assert_eq!(refused["error"]["field"], "if_taken", "{refused}");
    new["if_taken"] = json!("wait");
    new["series"] = json!({"rule": {"frequency": "daily", "count": 3}});
    assert_eq!(server.as_creator().post("/api/v1/meetings", &new).await.status, 422);
}

async fn the_form_offers_to_wait_and_keeps_what_was_typed(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let local =
        |text: &Value| text.as_str().unwrap().split(['T', '.', 'Z']).map(str::to_owned).collect::<Vec<_>>();
    let (start, end) = (local(&taken["starts_at"]), local(&taken["ends_at"]));
    let fields = [
        ("meeting[title]", "Typed title"),
        ("room_id", room["id"].as_str().unwrap()),
        ("date", &start[0]),
        ("time", &start[1]),
        ("zone", "UTC"),
        ("end", &end[1]),
        ("end_date", &end[0]),
        ("from", "/meetings/new"),
    ];
    let browser = server.log_in_browser(&server.creator).await;
    let refused = browser.form("/fn/book_meeting", &fields).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("name=\"if_taken\" value=\"wait\""), "{}", refused.text);
    assert!(refused.text.contains("Typed title"), "{}", refused.text);
    let fields = [fields.as_slice(), &[("if_taken", "wait")]].concat();
    assert_eq!(browser.form("/fn/book_meeting", &fields).await.status, 303);
    let listed = server.as_creator().get("/api/v1/meetings?state=waiting").await.expect(200);
    assert_eq!(listed["items"][0]["title"], "Typed title");
    let page = browser.get(&path(&listed["items"][0], "").replace("/api/v1", "")).await.expect_page();
    assert!(
        page.contains("Waiting for the room") && page.contains("the meeting that waits longest"),
        "{page}"
    );
}
