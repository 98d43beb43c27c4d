//! Reminders of meetings are created, moved and cancelled with their meeting: none is stale.

use super::MINUTE;
use crate::{
    deliveries::text,
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::{ReceivedMail, SmtpSink};

on_both!(
    a_meeting_reminds_its_organizer_and_attendees_before_start_and_end,
    a_moved_or_cancelled_meeting_sends_no_stale_reminder,
    a_released_meeting_sends_no_reminder_of_its_end,
    a_reminder_whose_moment_has_passed_is_skipped,
    the_reminders_of_a_meeting_can_be_changed,
    bad_reminders_of_a_meeting_are_refused,
    the_people_of_a_meeting_are_reminded_in_the_desk,
    usual_reminders_of_room_and_person_are_used_if_none_are_chosen,
    bad_usual_reminders_are_refused,
);

const HOUR: i64 = 60 * MINUTE;

/// Path of a meeting, and of an action on it.
fn path(meeting: &Value, action: &str) -> String {
    format!("/api/v1/meetings/{}{action}", text(&meeting["id"]))
}

/// A reminder by mail.
fn by_mail(before: &str, minutes: i64) -> Value {
    json!({"before": before, "minutes": minutes, "by": "mail"})
}

/// The mails without the invitations.
fn reminders(smtp: &SmtpSink) -> Vec<ReceivedMail> {
    smtp.received().into_iter().filter(|mail| !mail.text.contains("text/calendar")).collect()
}

/// States of the reminders of a meeting, by due time.
fn states(meeting: &Value) -> Vec<&str> {
    meeting["reminders"].as_array().unwrap().iter().map(|one| text(&one["state"])).collect()
}

impl TestServer {
    /// Books a meeting of the creator, from and to this number of milliseconds from now.
    async fn book_reminded(&self, from: i64, to: i64, more: Value) -> Value {
        let (starts_at, ends_at) = (self.time_after(from), self.time_after(to));
        let mut new = json!({"title": "Planning", "starts_at": starts_at, "ends_at": ends_at});
        for (name, value) in more.as_object().unwrap() {
            new[name] = value.clone();
        }
        self.as_creator().post("/api/v1/meetings", &new).await.expect(201)
    }

    /// How often the creator and the colleague were notified that the meeting starts.
    async fn notified_of_the_start(&self) -> [usize; 2] {
        let mut counts = [0; 2];
        for (place, client) in [self.as_creator(), self.as_colleague()].iter().enumerate() {
            let all = self.notified(client).await;
            counts[place] = all.iter().filter(|text| text.contains("“Planning” starts")).count();
        }
        counts
    }

    async fn reminded_meeting(&self, meeting: &Value) -> Value {
        self.as_creator().get(&path(meeting, "")).await.expect(200)
    }

    /// Makes a change of the current version.
    async fn change_meeting(&self, meeting: &Value, action: &str) -> Value {
        let version = self.reminded_meeting(meeting).await["version"].clone();
        let body = json!({"seen_version": version});
        self.as_creator().post(&path(meeting, &format!("/{action}")), &body).await.expect(200)
    }

    /// Moves a meeting to this number of milliseconds from now.
    async fn move_meeting(&self, meeting: &Value, from: i64, to: i64) -> Value {
        let version = self.reminded_meeting(meeting).await["version"].clone();
        let edit = json!({"seen_version": version, "starts_at": self.time_after(from), "ends_at": self.time_after(to)});
        self.as_creator().patch(&path(meeting, ""), &edit).await.expect(200)
    }
}

async fn a_meeting_reminds_its_organizer_and_attendees_before_start_and_end(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let attendees = json!([{"email": "ben@example.org"}]);
    let all = json!([by_mail("start", 10), by_mail("end", 5), by_mail("start", 10)]);
    let more = json!({"reminders": all, "attendees": attendees});
    let meeting = server.book_reminded(HOUR, 2 * HOUR, more).await;
    assert_eq!(states(&meeting), ["scheduled", "scheduled"], "{meeting}");
    assert_eq!(text(&meeting["reminders"][0]["due_at"]), server.time_after(HOUR - 10 * MINUTE));
    server.advance(HOUR - 10 * MINUTE - 1).await;
    assert!(reminders(&smtp).is_empty());
    server.advance(1).await;
    // One mail each: the link to get no more is the receiver's own.
    let mails = reminders(&smtp);
    assert!(mails.iter().all(|mail| mail.text.contains("Planning")), "{mails:?}");
    let mut receivers: Vec<&[String]> = mails.iter().map(|mail| &mail.to[..]).collect();
    receivers.sort_unstable();
    assert_eq!(receivers, [["ben@example.org".to_owned()], [server.creator.email.to_string()]]);
    server.advance(HOUR).await;
    let meeting = server.reminded_meeting(&meeting).await;
    assert_eq!(states(&meeting), ["sent", "scheduled"]);
    server.advance(5 * MINUTE).await;
    assert_eq!(reminders(&smtp).len(), 4);
    server.advance(HOUR).await;
    assert_eq!(reminders(&smtp).len(), 4);
    server.assert_execution_records_match().await;
}

async fn a_moved_or_cancelled_meeting_sends_no_stale_reminder(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let more = json!({"reminders": [by_mail("start", 10)]});
    let meeting = server.book_reminded(HOUR, 2 * HOUR, more).await;
    let moved = server.move_meeting(&meeting, 3 * HOUR, 4 * HOUR).await;
    assert_eq!(text(&moved["reminders"][0]["due_at"]), server.time_after(3 * HOUR - 10 * MINUTE));
    server.advance(2 * HOUR).await;
    assert!(smtp.received().is_empty());
    let cancelled = server.change_meeting(&meeting, "cancel").await;
    assert_eq!(
        (states(&cancelled), text(&cancelled["reminders"][0]["reason"])),
        (vec!["cancelled"], "target_over")
    );
    let undone = server.change_meeting(&meeting, "undo").await;
    assert_eq!(states(&undone), ["scheduled"], "it comes back with the meeting");
    server.change_meeting(&meeting, "cancel").await;
    server.advance(3 * HOUR).await;
    assert!(smtp.received().is_empty());
}

async fn a_released_meeting_sends_no_reminder_of_its_end(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = json!({"name": "Aula", "check_in": {"grace_minutes": 10, "auto_if_booked_within_minutes": 0}});
    let room = server.as_admin().post("/api/v1/rooms", &room).await.expect(201);
    let more = json!({"room_id": room["id"], "reminders": [by_mail("end", 5)]});
    let meeting = server.book_reminded(HOUR, 2 * HOUR, more).await;
    server.advance(HOUR + 10 * MINUTE).await;
    let released = server.reminded_meeting(&meeting).await;
    assert_eq!((text(&released["state"]), states(&released)), ("released", vec!["cancelled"]));
    server.advance(2 * HOUR).await;
    assert!(smtp.received().is_empty());
    // An approval that does not come: the request expires with its reminders.
    let room = json!({"name": "Board", "approval": "required", "approval_deadline": {"after_minutes": 30}});
    let room = server.as_admin().post("/api/v1/rooms", &room).await.expect(201);
    let more = json!({"room_id": room["id"], "reminders": [by_mail("start", 5)]});
    let meeting = server.book_reminded(2 * HOUR, 3 * HOUR, more).await;
    assert_eq!(states(&meeting), ["scheduled"]);
    server.advance(30 * MINUTE).await;
    let expired = server.reminded_meeting(&meeting).await;
    assert_eq!((text(&expired["state"]), states(&expired)), ("expired", vec!["cancelled"]));
}

async fn a_reminder_whose_moment_has_passed_is_skipped(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let more = json!({"reminders": [by_mail("start", 60), by_mail("start", 5)]});
    let meeting = server.book_reminded(30 * MINUTE, HOUR, more).await;
    assert_eq!(states(&meeting), ["skipped", "scheduled"]);
    assert_eq!(text(&meeting["reminders"][0]["reason"]), "passed");
    server.advance(25 * MINUTE).await;
    assert_eq!(smtp.received().len(), 1);
    // The engine was stopped until after the start: the reminder is not sent any more.
    let more = json!({"reminders": [by_mail("start", 5)]});
    let meeting = server.book_reminded(30 * MINUTE, HOUR, more).await;
    server.advance(HOUR + MINUTE).await;
    let late = server.reminded_meeting(&meeting).await;
    assert!(matches!(states(&late)[..], ["skipped" | "cancelled"]), "{late}");
    assert_eq!(smtp.received().len(), 1);
}

async fn the_reminders_of_a_meeting_can_be_changed(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let more = json!({"reminders": [by_mail("start", 10), by_mail("start", 20)]});
    let meeting = server.book_reminded(HOUR, 2 * HOUR, more).await;
    let edit =
        json!({"seen_version": meeting["version"], "reminders": [by_mail("start", 10), by_mail("end", 1)]});
    let edited = server.as_creator().patch(&path(&meeting, ""), &edit).await.expect(200);
    let kept = edited["reminders"].as_array().unwrap();
    assert_eq!(kept.len(), 2, "{edited}");
    assert_eq!(kept[0]["id"], meeting["reminders"][1]["id"], "those that stay keep their id");
    let edit = json!({"seen_version": edited["version"], "reminders": [by_mail("start", 20)],
                      "starts_at": server.time_after(2 * HOUR), "ends_at": server.time_after(3 * HOUR)});
    let edited = server.as_creator().patch(&path(&meeting, ""), &edit).await.expect(200);
    assert_eq!(states(&edited), ["scheduled"]);
    assert_eq!(text(&edited["reminders"][0]["due_at"]), server.time_after(2 * HOUR - 20 * MINUTE));
    server.advance(2 * HOUR - 20 * MINUTE).await;
    assert_eq!(smtp.received().len(), 1);
    server.advance(2 * HOUR).await;
    assert_eq!(smtp.received().len(), 1);
    server.assert_execution_records_match().await;
}

async fn bad_reminders_of_a_meeting_are_refused(server: TestServer) {
    let many: Vec<Value> = (1..=11).map(|minutes| by_mail("start", minutes)).collect();
    for reminders in [
        json!([by_mail("start", 0)]),
        json!([by_mail("start", -5)]),
        json!([by_mail("start", 10 * 366 * 24 * 60)]),
        json!([by_mail("middle", 5)]),
        json!([{"before": "start", "minutes": 5, "by": "pigeon"}]),
        json!(many),
    ] {
        let new = json!({"title": "x", "starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR),
                         "reminders": reminders});
        let refused = server.as_creator().post("/api/v1/meetings", &new).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), "reminders", "{refused}");
    }
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % end
    }
}

/// One meeting of the model: start and end in minutes from the beginning; `None`: cancelled.
struct Plan {
    meeting: Value,
    title: String,
    span: Option<(i64, i64)>,
    /// Moments of the reminders that must have been sent, in minutes.
    expected: Vec<i64>,
}

/// 300 meetings with random moves, cancellations and undos: every reminder that was sent belongs to
/// the plan of that moment, and none is missing.
async fn random_histories(backend: Backend) {
    let server = TestServer::start(backend).await;
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let (mut numbers, mut all, mut clock) = (Numbers(11), Vec::new(), 0_i64);
    for n in 0..300 {
        let (start, length) = (20 + numbers.below(40), 10 + numbers.below(20));
        let title = format!("m{n:03}");
        let reminders = json!([by_mail("start", 7), by_mail("end", 3)]);
        let more = json!({"reminders": reminders, "title": title});
        let meeting = server.book_reminded(start * MINUTE, (start + length) * MINUTE, more).await;
        all.push(Plan { meeting, title, span: Some((start, start + length)), expected: Vec::new() });
    }
    while clock < 100 {
        for _ in 0..6 {
            let place = usize::try_from(numbers.below(300)).unwrap();
            let one = &mut all[place];
            let (start, length) = (10 + numbers.below(20), 10 + numbers.below(20));
            match (one.span, numbers.below(3)) {
                (Some((begins, _)), 0 | 1) if begins > clock => {
                    server.move_meeting(&one.meeting, start * MINUTE, (start + length) * MINUTE).await;
                    one.span = Some((clock + start, clock + start + length));
                }
                (Some((begins, _)), _) if begins > clock => {
                    server.change_meeting(&one.meeting, "cancel").await;
                    one.span = None;
                }
                _ => {}
            }
        }
        clock += 1;
        server.advance(MINUTE).await;
        for one in &mut all {
            let Some((start, end)) = one.span else { continue };
            one.expected.extend([start - 7, end - 3].into_iter().filter(|moment| *moment == clock));
        }
    }
    let received = smtp.received();
    let of = |title: &str| received.iter().filter(|mail| mail.text.contains(title)).count();
    let wrong: Vec<String> = all
        .iter()
        .filter(|one| of(&one.title) != one.expected.len())
        .map(|one| format!("{}: {} mails, expected at {:?}", one.title, of(&one.title), one.expected))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(received.len() > 300, "{}", received.len());
    server.assert_execution_records_match().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_histories_of_meetings_send_no_stale_reminder_on_sqlite() {
    random_histories(Backend::Embedded).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_histories_of_meetings_send_no_stale_reminder_on_postgres() {
    random_histories(Backend::Servers).await;
}

async fn the_people_of_a_meeting_are_reminded_in_the_desk(server: TestServer) {
    // Without a mail server. An attendee without an account gets nothing.
    let attendees = json!([{"email": server.colleague.email.to_string()}, {"email": "ben@example.org"}]);
    let all = json!([{"before": "start", "minutes": 10, "by": "bell"}]);
    let meeting =
        server.book_reminded(HOUR, 2 * HOUR, json!({"attendees": attendees, "reminders": all})).await;
    let reminder = &meeting["reminders"][0];
    assert_eq!((text(&reminder["by"]), text(&reminder["state"])), ("bell", "scheduled"), "{meeting}");
    let path = format!("/api/v1/reminders/{}", text(&reminder["id"]));
    let refused = server.as_creator().patch(&path, &json!({"text": "By mail"})).await.expect(422);
    assert_eq!(refused["error"]["field"], "text", "{refused}");
    server.advance(HOUR - 10 * MINUTE - 1).await;
    assert_eq!(server.notified_of_the_start().await, [0, 0]);
    server.advance(1).await;
    assert_eq!(server.notified_of_the_start().await, [1, 1]);
    assert_eq!(states(&server.reminded_meeting(&meeting).await), ["sent"]);
    let stored = server.as_creator().get(&path).await.expect(200);
    assert_eq!((text(&stored["recipient"]), text(&stored["text"])), ("bell", ""));
    // A node of an earlier release would mail it: it does not know this word.
    let task = server.task(&json!({"id": stored["task_id"]})).await;
    assert_eq!((text(&task["kind"]), text(&task["state"])), ("reminder.bell", "executed"));
    server.assert_execution_records_match().await;
}

/// Minutes of the reminders of a meeting, by due time.
fn minutes(meeting: &Value) -> Vec<i64> {
    meeting["reminders"].as_array().unwrap().iter().map(|one| one["minutes"].as_i64().unwrap()).collect()
}

/// Stores the usual reminders of the creator.
async fn choose_minutes(server: &TestServer, minutes: Value) -> crate::http_client::Reply {
    let mut choices = server.as_creator().get("/api/v1/notifications/choices").await.expect(200);
    choices["meeting_reminder_minutes"] = minutes;
    server.as_creator().put("/api/v1/notifications/choices", &choices).await
}

async fn usual_reminders_of_room_and_person_are_used_if_none_are_chosen(server: TestServer) {
    let chosen = choose_minutes(&server, json!([30])).await.expect(200);
    assert_eq!(chosen["meeting_reminder_minutes"], json!([30]));
    let unsent = server.book_reminded(3 * HOUR, 4 * HOUR, json!({})).await;
    assert!(minutes(&unsent).is_empty(), "without a mail server: {unsent}");
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let own = server.book_reminded(3 * HOUR, 4 * HOUR, json!({})).await;
    assert_eq!(minutes(&own), [30]);
    let room = json!({"name": "Aula", "reminder_minutes": [10, 60]});
    let room = server.as_admin().post("/api/v1/rooms", &room).await.expect(201);
    assert_eq!(room["reminder_minutes"], json!([10, 60]));
    let of_room = server.book_reminded(3 * HOUR, 4 * HOUR, json!({"room_id": room["id"]})).await;
    assert_eq!(minutes(&of_room), [60, 10]);
    let none = json!({"room_id": room["id"], "reminders": []});
    assert!(minutes(&server.book_reminded(5 * HOUR, 6 * HOUR, none).await).is_empty(), "none were wanted");
    let other = json!({"room_id": room["id"], "reminders": [by_mail("start", 5)]});
    assert_eq!(minutes(&server.book_reminded(7 * HOUR, 8 * HOUR, other).await), [5]);
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 2});
    let series = json!({"title": "Weekly", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
        "zone": "Europe/Berlin", "series": {"rule": rule}});
    let first = server.as_creator().post("/api/v1/meetings", &series).await.expect(201);
    assert_eq!(minutes(&first), [30]);
    // The room is changed without its reminders: they stay.
    let edit = json!({"capacity": 5, "seen_version": room["version"]});
    let room_path = format!("/api/v1/rooms/{}", text(&room["id"]));
    let edited = server.as_admin().patch(&room_path, &edit).await.expect(200);
    assert_eq!(edited["reminder_minutes"], json!([10, 60]));
    let page = server.page(&server.creator, "/settings/notifications").await;
    assert!(page.contains("meeting_reminder_minutes") && page.contains("value=\"30\""), "{page}");
    assert!(server.page(&server.creator, "/meetings/new").await.contains("meeting[usual_reminders]"));
}

async fn bad_usual_reminders_are_refused(server: TestServer) {
    for wrong in [json!([0]), json!([1, 2, 3, 4]), json!([600_000])] {
        let refused = choose_minutes(&server, wrong.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], "meeting_reminder_minutes", "{refused}");
        let room = json!({"name": "Aula", "reminder_minutes": wrong});
        let refused = server.as_admin().post("/api/v1/rooms", &room).await.expect(422);
        assert_eq!(refused["error"]["field"], "reminder_minutes", "{refused}");
    }
}
