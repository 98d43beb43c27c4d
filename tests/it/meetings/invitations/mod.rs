//! Invitations of attendees by mail as iCalendar text, and their answers by a secret link.

mod answers;

use super::{HOUR, act, path};
use crate::{
    calendar::{
        ics::part,
        program::{FakeCalendarProgram, event, mails_to as to, sequence},
    },
    on_both,
    test_server::TestServer,
};
use domain::{account::OnDisable, services::Accounts as _};
use serde_json::{Value, json};
use test_support::{Sink, SmtpSink};

on_both!(
    an_attendee_is_invited_notified_of_a_move_and_of_the_cancellation,
    attendees_who_are_added_or_removed_get_only_their_own_mails,
    the_calendar_of_an_attendee_follows_every_change,
    a_request_is_tentative_and_its_expiry_cancels_it,
    a_series_is_one_event_with_a_rule_and_each_change_one_mail,
    without_a_mail_server_nothing_is_sent_and_the_page_says_so,
    a_disabled_organizer_cancels_by_mail_and_frees_the_room,
);

const ADA: &str = "ada@example.org";

impl TestServer {
    /// Books a meeting of the creator with these attendees.
    async fn invite(&self, room: &Value, attendees: &[&str]) -> Value {
        let mut new = self.new_meeting(room, HOUR, 2 * HOUR);
        new["attendees"] = attendees.iter().map(|email| json!({"email": email})).collect();
        new["zone"] = json!("Europe/Berlin");
        let booked = self.as_creator().post("/api/v1/meetings", &new).await.expect(201);
        self.tick().await;
        booked
    }

    /// Changes a meeting and sends the mails.
    async fn change_invited(&self, meeting: &Value, change: Value) -> Value {
        let mut change = change;
        change["seen_version"] = self.meeting(meeting).await["version"].clone();
        let changed = self.as_creator().patch(&path(meeting, ""), &change).await.expect(200);
        self.tick().await;
        changed
    }
}

async fn an_attendee_is_invited_notified_of_a_move_and_of_the_cancellation(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula; 1, \"left\""})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    let [mail] = &to(&smtp, ADA)[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.header("Subject"), "Invitation: Planning");
    let (method, invited) = event(mail);
    assert_eq!((method.as_str(), invited.value("STATUS")), ("REQUEST", "CONFIRMED"));
    assert_eq!(invited.value("UID"), format!("{}@presstime", meeting["id"].as_str().unwrap()));
    assert_eq!(invited.text("LOCATION"), "Aula; 1, \"left\"");
    assert_eq!(invited.parameter("ATTENDEE", "PARTSTAT"), Some("NEEDS-ACTION"));
    assert!(part(mail, "text/plain").1.contains("/answer/"), "{}", mail.text);
    // A change that attendees do not see sends nothing.
    server.tick().await;
    let (starts_at, ends_at) = (server.time_after(3 * HOUR), server.time_after(4 * HOUR));
    server.change_invited(&meeting, json!({"starts_at": starts_at, "ends_at": ends_at})).await;
    let (method, moved) = event(&to(&smtp, ADA)[1]);
    assert_eq!((method.as_str(), moved.value("UID")), ("REQUEST", invited.value("UID")));
    assert!(sequence(&moved) > sequence(&invited) && moved.value("DTSTART") != invited.value("DTSTART"));
    let said = part(&to(&smtp, ADA)[1], "text/plain").1;
    let place = |words: &str| said.find(words).unwrap_or_else(|| panic!("{words}: {said}"));
    assert!(place("“Planning” was moved.") < place("Before: ") && place("Before: ") < place("Start: "));
    act(&server.as_creator(), &server.meeting(&meeting).await, "cancel").await.expect(200);
    server.tick().await;
    let mails = to(&smtp, ADA);
    let (method, cancelled) = event(&mails[2]);
    assert_eq!((mails.len(), mails[2].header("Subject")), (3, "Cancelled: Planning"));
    assert_eq!((method.as_str(), cancelled.value("STATUS")), ("CANCEL", "CANCELLED"));
    assert!(sequence(&cancelled) > sequence(&moved) && cancelled.value("UID") == invited.value("UID"));
    // An undo brings it back, again with a higher number.
    act(&server.as_creator(), &server.meeting(&meeting).await, "undo").await.expect(200);
    server.tick().await;
    let mail = to(&smtp, ADA).remove(3);
    let (method, back) = event(&mail);
    assert!(method == "REQUEST" && sequence(&back) > sequence(&cancelled));
    assert_eq!(mail.header("Subject"), "Takes place: Planning");
    assert!(part(&mail, "text/plain").1.contains("“Planning” takes place after all."), "{}", mail.text);
    assert_eq!(back.value("DTSTART"), moved.value("DTSTART"));
    server.assert_execution_records_match().await;
}

async fn attendees_who_are_added_or_removed_get_only_their_own_mails(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    let both = json!({"attendees": [{"email": ADA}, {"email": "ben@example.org", "name": "Ben \"B\""}]});
    server.change_invited(&meeting, both).await;
    assert_eq!((to(&smtp, ADA).len(), to(&smtp, "ben@example.org").len()), (1, 1));
    server.change_invited(&meeting, json!({"attendees": [{"email": "ben@example.org"}]})).await;
    assert_eq!((to(&smtp, ADA).len(), to(&smtp, "ben@example.org").len()), (2, 1));
    let mails = to(&smtp, ADA);
    let (method, removed) = event(&mails[1]);
    assert_eq!((method.as_str(), removed.value("STATUS")), ("CANCEL", "CANCELLED"));
    assert!(part(&mails[1], "text/plain").1.contains("no longer invited"), "{}", mails[1].text);
    assert!(sequence(&removed) > sequence(&event(&mails[0]).1));
    // Who is added again is invited as the first time.
    server
        .change_invited(&meeting, json!({"attendees": [{"email": ADA}, {"email": "ben@example.org"}]}))
        .await;
    assert_eq!(to(&smtp, ADA)[2].header("Subject"), "Invitation: Planning");
    server.change_invited(&meeting, json!({"attendees": [{"email": "ben@example.org"}]})).await;
    // The check of the room changes nothing that attendees see.
    server.change_invited(&meeting, json!({"description": "Bring the plan"})).await;
    assert_eq!((to(&smtp, ADA).len(), to(&smtp, "ben@example.org").len()), (4, 2));
    assert_eq!(event(&to(&smtp, "ben@example.org")[1]).1.text("DESCRIPTION"), "Bring the plan");
}

async fn the_calendar_of_an_attendee_follows_every_change(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let [room, other] = [
        server
            .create_room(json!({"name": "Aula", "check_in": {"grace_minutes": 10,
            "auto_if_booked_within_minutes": 0}}))
            .await,
        server.create_room(json!({"name": "Library"})).await,
    ];
    let meeting = server.invite(&room, &[ADA]).await;
    let local = |day: &str, zone: &str| {
        json!({"local_start": format!("{day}T09:00"),
                                   "local_end": format!("{day}T10:30"), "zone": zone})
    };
    let day = server.time_after(72 * HOUR)[..10].to_owned();
    let compact = format!("{}T090000", day.replace('-', ""));
    server.change_invited(&meeting, local(&day, "America/New_York")).await;
    let program = FakeCalendarProgram::of(&smtp, ADA);
    let events = program.events();
    let [event] = &events[..] else { panic!("one event") };
    assert_eq!(
        (event.value("DTSTART"), event.parameter("DTSTART", "TZID")),
        (compact.as_str(), Some("America/New_York"))
    );
    server.change_invited(&meeting, json!({"room_id": other["id"]})).await;
    server.change_invited(&meeting, json!({"room_id": null})).await;
    server.change_invited(&meeting, json!({"title": "Budget 汉字 ".repeat(12).trim()})).await;
    server
        .change_invited(
            &meeting,
            json!({"room_id": room["id"], "starts_at": server.time_after(HOUR),
                                           "ends_at": server.time_after(2 * HOUR)}),
        )
        .await;
    let program = FakeCalendarProgram::of(&smtp, ADA);
    let event = &program.events()[0];
    assert_eq!(
        (event.text("LOCATION"), event.text("SUMMARY")),
        ("Aula".to_owned(), "Budget 汉字 ".repeat(12).trim().to_owned())
    );
    let before = to(&smtp, ADA).len();
    server.advance(HOUR).await;
    assert_eq!((server.state(&meeting).await.as_str(), to(&smtp, ADA).len()), ("in_progress", before));
    // The room is released because no user checked in.
    server.advance(11 * 60_000).await;
    server.tick().await;
    assert_eq!(server.state(&meeting).await, "released");
    assert_eq!(FakeCalendarProgram::of(&smtp, ADA).starts(), [""; 0]);
    act(&server.as_creator(), &server.meeting(&meeting).await, "undo").await.expect(200);
    server.tick().await;
    assert_eq!(FakeCalendarProgram::of(&smtp, ADA).starts().len(), 1);
}

async fn a_request_is_tentative_and_its_expiry_cancels_it(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let deadline = json!({"after_minutes": 10, "decision": "reject"});
    let room =
        server.create_room(json!({"name": "Aula", "approval": "required", "approval_deadline": deadline}));
    let room = room.await;
    let meeting = server.invite(&room, &[ADA]).await;
    assert_eq!(event(&to(&smtp, ADA)[0]).1.value("STATUS"), "TENTATIVE");
    act(&server.as_admin(), &server.meeting(&meeting).await, "approve").await.expect(200);
    server.tick().await;
    assert_eq!(event(&to(&smtp, ADA)[1]).1.value("STATUS"), "CONFIRMED");
    let mut new = server.new_meeting(&room, 5 * HOUR, 6 * HOUR);
    new["attendees"] = json!([{"email": "ben@example.org"}]);
    let second = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.advance(10 * 60_000).await;
    server.tick().await;
    assert_eq!(server.state(&second).await, "expired");
    let mails = to(&smtp, "ben@example.org");
    assert_eq!(mails.iter().map(|mail| event(mail).0).collect::<Vec<_>>(), ["REQUEST", "CANCEL"]);
}

async fn a_series_is_one_event_with_a_rule_and_each_change_one_mail(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula", "zone": "Europe/Berlin"})).await;
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 3});
    let new = json!({"title": "Weekly", "room_id": room["id"], "local_start": "2027-03-08T09:00",
        "local_end": "2027-03-08T10:00", "zone": "Europe/Berlin", "attendees": [{"email": ADA}],
        "series": {"rule": rule}});
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.tick().await;
    let program = FakeCalendarProgram::of(&smtp, ADA);
    let mut starts = program.starts();
    starts.sort_unstable();
    assert_eq!(starts, ["20270308T090000", "20270315T090000", "20270322T090000"]);
    let [mail] = &to(&smtp, ADA)[..] else { panic!("one mail: {:?}", smtp.received()) };
    let (_, invited) = event(mail);
    assert_eq!(invited.value("RRULE"), "FREQ=WEEKLY;BYDAY=MO;COUNT=3");
    assert!(part(mail, "text/plain").1.contains("Repeats every week on Mon, 3 times."), "{}", mail.text);
    let later = json!({"seen_version": first["version"], "reach": "all", "local_start": "2027-03-08T11:00",
                       "local_end": "2027-03-08T12:00", "zone": "Europe/Berlin"});
    let moved = server.as_creator().patch(&path(&first, ""), &later).await.expect(200);
    server.tick().await;
    let program = FakeCalendarProgram::of(&smtp, ADA);
    assert!(program.starts().len() == 3 && program.starts().iter().all(|start| start.ends_with("T110000")));
    let said = part(&to(&smtp, ADA)[1], "text/plain").1;
    assert!(said.contains("“Weekly” was moved.") && said.contains("Before: "), "{said}");
    let moved_event = event(&to(&smtp, ADA)[1]).1;
    assert_eq!((to(&smtp, ADA).len(), moved_event.value("UID")), (2, invited.value("UID")), "the same event");
    let undo = json!({"seen_version": moved["version"]});
    server.as_creator().post(&path(&first, "/undo"), &undo).await.expect(200);
    server.tick().await;
    assert_eq!(to(&smtp, ADA).len(), 2, "later changes are collected");
    server.advance(10 * 60_000).await;
    assert!(FakeCalendarProgram::of(&smtp, ADA).starts().iter().all(|start| start.ends_with("T090000")));
    let cancel = json!({"seen_version": server.meeting(&first).await["version"], "reach": "all"});
    server.as_creator().post(&path(&first, "/cancel"), &cancel).await.expect(200);
    server.tick().await;
    assert_eq!(FakeCalendarProgram::of(&smtp, ADA).starts(), [""; 0]);
    let mails = to(&smtp, ADA);
    assert_eq!(
        mails.iter().map(|mail| event(mail).0).collect::<Vec<_>>(),
        ["REQUEST", "REQUEST", "REQUEST", "CANCEL"]
    );
    let undo = json!({"seen_version": server.meeting(&first).await["version"]});
    server.as_creator().post(&path(&first, "/undo"), &undo).await.expect(200);
    server.tick().await;
    assert_eq!(FakeCalendarProgram::of(&smtp, ADA).starts().len(), 3);
    let mails = to(&smtp, ADA);
    assert_eq!((mails.len(), mails[4].header("Subject")), (5, "Takes place: Weekly"));
    assert!(part(&mails[4], "text/plain").1.contains("“Weekly” takes place after all."), "{}", mails[4].text);
    assert!(sequence(&event(&mails[4]).1) > sequence(&event(&mails[3]).1));
}

async fn without_a_mail_server_nothing_is_sent_and_the_page_says_so(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = format!("/meetings/{}", meeting["id"].as_str().unwrap());
    assert!(browser.get(&page).await.expect_page().contains("The desk has no mail server"));
    // The next change invites those who were not.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    assert!(!browser.get(&page).await.expect_page().contains("The desk has no mail server"));
    server.change_invited(&meeting, json!({"title": "Budget"})).await;
    let (method, _) = event(&to(&smtp, ADA)[0]);
    assert_eq!(method, "REQUEST");
}

async fn a_disabled_organizer_cancels_by_mail_and_frees_the_room(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut new = server.new_meeting(&room, HOUR, 2 * HOUR);
    new["attendees"] = json!([{"email": ADA}]);
    let meeting = server.as_colleague().post("/api/v1/meetings", &new).await.expect(201);
    let mut wait = server.new_meeting(&room, HOUR, 2 * HOUR);
    wait["if_taken"] = json!("wait");
    // The organizer also waits for the room, before the other one.
    server.as_colleague().post("/api/v1/meetings", &wait).await.expect(201);
    let waits = server.as_creator().post("/api/v1/meetings", &wait).await.expect(201);
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ["meeting.cancelled"]})).await;
    server.tick().await;
    assert_eq!((to(&smtp, ADA).len(), server.state(&waits).await.as_str()), (1, "waiting"));
    let (accounts, colleague) = (&server.app.accounts, server.colleague.actor.account);
    accounts.disable(&server.admin.actor, colleague, Some(OnDisable::Cancel)).await.unwrap();
    server.tick().await;
    let mails = to(&smtp, ADA);
    let [_, mail] = &mails[..] else { panic!("{:?}", smtp.received()) };
    let (method, cancelled) = event(mail);
    assert_eq!((method.as_str(), cancelled.value("STATUS")), ("CANCEL", "CANCELLED"));
    assert!(part(mail, "text/plain").1.contains("account was disabled"), "{}", mail.text);
    assert_eq!(server.state(&waits).await, "offered");
    // Channels are notified of the booked one: they never heard of the one that waited.
    let received = sink.received();
    let [reported] = &received[..] else { panic!("{received:?}") };
    let reported: Value = serde_json::from_str(&reported.body).unwrap();
    assert_eq!(reported["data"]["meeting_id"], meeting["id"]);
    let page = server.page(&server.creator, &path(&meeting, "").replace("/api/v1", "")).await;
    assert!(page.contains("Reason: The owner") && page.contains("account was disabled"), "{page}");
}
