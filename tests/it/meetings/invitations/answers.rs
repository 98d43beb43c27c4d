//! Attendees answer by a secret link, and the organizer hears of it.

use super::ADA;
use crate::{
    calendar::{
        ics::part,
        program::{FakeCalendarProgram, event, mails_to as to},
    },
    meetings::{HOUR, act, path},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    one_answer_is_to_all_meetings_of_a_series,
    an_attendee_answers_by_post_only,
    an_answer_holds_for_one_time_and_any_place,
    the_organizer_gets_one_notification_of_all_answers,
    the_organizer_gets_one_mail_of_the_answers_of_ten_minutes,
    an_organizer_may_want_no_notifications_of_answers,
    a_link_of_a_removed_attendee_or_an_ended_meeting_changes_nothing,
);

/// The path of the link in the newest mail to Ada.
fn link(smtp: &SmtpSink) -> String {
    link_of(smtp, ADA)
}

/// The path of the link in the newest mail to this person.
fn link_of(smtp: &SmtpSink, person: &str) -> String {
    let plain = part(to(smtp, person).last().unwrap(), "text/plain").1;
    let at = plain.find("/answer/").unwrap();
    plain[at..].split_whitespace().next().unwrap().to_owned()
}

impl TestServer {
    async fn notifications_of_creator(&self) -> Vec<(String, String, bool)> {
        let list = self.as_creator().get("/api/v1/notifications").await.expect(200);
        let item = |one: &Value| {
            let text = |name: &str| one[name].as_str().unwrap().to_owned();
            (text("text"), text("link"), one["is_read"].as_bool().unwrap())
        };
        list["items"].as_array().unwrap().iter().map(item).collect()
    }

    /// Chooses on the profile page how the creator hears of answers.
    async fn choose_answer_notices(&self, choice: &str) {
        let browser = self.log_in_browser(&self.creator).await;
        let fields = [
            ("name", "creator"),
            ("zone", "UTC"),
            ("language", "en"),
            ("theme", "auto"),
            ("shortcuts", "true"),
            ("answers", choice),
            ("from", "/settings/profile"),
        ];
        let reply = browser.form("/fn/change_profile", &fields).await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        let page = browser.get("/settings/profile").await.expect_page();
        let chosen =
            page.split("<input").find(|part| part.contains("checked") && part.contains("\"answers\""));
        assert!(chosen.unwrap().contains(&format!("value=\"{choice}\"")), "{page}");
    }
}

async fn one_answer_is_to_all_meetings_of_a_series(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 3});
    let new = json!({"title": "Weekly", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
        "zone": "Europe/Berlin", "attendees": [{"email": ADA}], "series": {"rule": rule}});
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.tick().await;
    let guest = server.as_anonymous();
    let page = guest.form(&link(&smtp), &[("answer", "accepted")]).await.expect_page();
    assert!(page.contains("Your answer applies to all that are still to come"), "{page}");
    let series = server.as_creator().get(&path(&first, "/series")).await.expect(200);
    let answers = async || {
        let mut all = Vec::new();
        for place in 0..3 {
            let meeting = server.meeting(&series["meetings"][place]).await;
            all.push(meeting["attendees"][0]["answer"].as_str().unwrap().to_owned());
        }
        all
    };
    assert_eq!(answers().await, ["accepted", "accepted", "accepted"]);
    assert_eq!(server.notifications_of_creator().await.len(), 1, "one for all of them");
    let second = &series["meetings"][1];
    let moved =
        json!({"local_start": "2027-03-16T09:00", "local_end": "2027-03-16T10:00", "zone": "Europe/Berlin"});
    server.change_invited(second, moved).await;
    assert_eq!(answers().await, ["accepted", "pending", "accepted"]);
    let mail = to(&smtp, ADA).pop().unwrap();
    assert!(part(&mail, "text/plain").1.contains("Please answer again"), "{}", mail.text);
    let program = FakeCalendarProgram::of(&smtp, ADA);
    let events = program.events();
    let status = |place: usize| events[place].parameter("ATTENDEE", "PARTSTAT");
    assert_eq!((events.len(), status(0), status(1)), (2, Some("ACCEPTED"), Some("NEEDS-ACTION")));
    guest.form(&link(&smtp), &[("answer", "declined")]).await.expect_page();
    assert_eq!(answers().await, ["declined", "declined", "declined"]);
}

async fn an_attendee_answers_by_post_only(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula <1>"})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    let (link, guest) = (link(&smtp), server.as_anonymous());
    for method in [Method::GET, Method::HEAD] {
        let reply = guest.request(method, &format!("{link}?answer=accepted")).send().await.unwrap();
        assert_eq!(
            (reply.status().as_u16(), reply.headers()["cache-control"].to_str().unwrap()),
            (200, "no-store")
        );
    }
    assert_eq!(server.meeting(&meeting).await["attendees"][0]["answer"], "pending");
    let page = guest.get(&link).await.expect_page();
    assert!(
        page.contains("not answered yet") && page.contains("Aula &lt;1&gt;") && !page.contains("<script"),
        "{page}"
    );
    for (answer, word) in [
        ("accepted", "You have accepted."),
        ("declined", "You have declined."),
        ("tentative", "answered “maybe”"),
    ] {
        let page = guest.form(&link, &[("answer", answer)]).await.expect_page();
        assert!(page.contains(word), "{page}");
        let after = server.meeting(&meeting).await;
        assert_eq!(
            (&after["attendees"][0]["answer"], &after["version"]),
            (&json!(answer), &meeting["version"])
        );
    }
    for wrong in ["pending", "", "yes"] {
        assert_eq!(guest.form(&link, &[("answer", wrong)]).await.status, 422);
    }
    assert_eq!(server.verbs(&meeting).await.iter().filter(|verb| *verb == "answer").count(), 3);
    let browser = server.log_in_browser(&server.creator).await;
    let shown = browser.get(&format!("/meetings/{}", meeting["id"].as_str().unwrap())).await.expect_page();
    assert!(shown.contains("Maybe") && shown.contains(&format!("{ADA} answered: Maybe")), "{shown}");
    // Answers send no mails; the next mail says what was answered, and its link works as the first one.
    assert_eq!(to(&smtp, ADA).len(), 1);
    server.change_invited(&meeting, json!({"title": "Budget"})).await;
    assert_eq!(event(&to(&smtp, ADA)[1]).1.parameter("ATTENDEE", "PARTSTAT"), Some("TENTATIVE"));
    assert!(guest.get(&link).await.expect_page().contains("Budget"));
}

async fn an_answer_holds_for_one_time_and_any_place(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let [room, other] = [
        server.create_room(json!({"name": "Aula"})).await,
        server.create_room(json!({"name": "Library"})).await,
    ];
    let meeting = server.invite(&room, &[ADA, "ben@example.org"]).await;
    let guest = server.as_anonymous();
    let answers = async || {
        let attendees = server.meeting(&meeting).await["attendees"].clone();
        [0, 1].map(|place| attendees[place]["answer"].as_str().unwrap().to_owned())
    };
    let newest = || event(to(&smtp, ADA).last().unwrap()).1;
    let times = json!({"starts_at": server.time_after(3 * HOUR), "ends_at": server.time_after(4 * HOUR)});
    for (change, is_forgotten) in [
        (json!({"title": "Budget"}), false),
        (json!({"description": "Bring the plan"}), false),
        (json!({"link": "https://meet.example.org/1"}), false),
        (times, true),
        (json!({"title": "Plans"}), false),
        (json!({"room_id": other["id"]}), false),
        (json!({"zone": "Asia/Kathmandu"}), true),
    ] {
        guest.form(&link(&smtp), &[("answer", "accepted")]).await.expect_page();
        assert_eq!(answers().await, ["accepted", "pending"]);
        server.change_invited(&meeting, change.clone()).await;
        // Changes soon after one another are mailed together.
        server.advance(10 * 60_000).await;
        let (answer, status) =
            if is_forgotten { ("pending", "NEEDS-ACTION") } else { ("accepted", "ACCEPTED") };
        assert_eq!(answers().await, [answer, "pending"], "{change}");
        assert_eq!(newest().parameter("ATTENDEE", "PARTSTAT"), Some(status), "{change}");
        let mails = to(&smtp, ADA);
        let says = |mail| part(mail, "text/plain").1.contains("Please answer again");
        assert_eq!(says(mails.last().unwrap()), is_forgotten, "{change}");
        assert!(!says(to(&smtp, "ben@example.org").last().unwrap()), "there was no answer");
    }
    let browser = server.log_in_browser(&server.creator).await;
    let shown = browser.get(&format!("/meetings/{}", meeting["id"].as_str().unwrap())).await.expect_page();
    assert!(shown.contains("No answer yet"), "{shown}");
    // What was answered stays in the history.
    assert_eq!(server.verbs(&meeting).await.iter().filter(|verb| *verb == "answer").count(), 2);
}

async fn the_organizer_gets_one_notification_of_all_answers(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let organizer = server.creator.email.clone();
    let people = [ADA, "ben@example.org", "cy@example.org", organizer.as_str()];
    let meeting = server.invite(&room, &people).await;
    let mut other = server.new_meeting(&room, 5 * HOUR, 6 * HOUR);
    other["attendees"] = json!([{"email": "dan@example.org"}]);
    server.as_creator().post("/api/v1/meetings", &other).await.expect(201);
    server.tick().await;
    let guest = server.as_anonymous();
    let links = people.map(|person| link_of(&smtp, person));
    let answer = async |place: usize, answer: &str| {
        guest.form(&links[place], &[("answer", answer)]).await.expect_page();
    };
    // An answer of the organizer is no news to the organizer.
    answer(3, "accepted").await;
    assert_eq!(server.notifications_of_creator().await, []);
    answer(0, "accepted").await;
    answer(0, "accepted").await;
    answer(1, "declined").await;
    answer(2, "tentative").await;
    answer(0, "tentative").await;
    let text = "Answers to “Planning”: 1 accepted, 2 maybe, 1 declined, 0 not answered.".to_owned();
    let page = format!("/meetings/{}", meeting["id"].as_str().unwrap());
    assert_eq!(server.notifications_of_creator().await, [(text, page.clone(), false)]);
    guest.form(&link_of(&smtp, "dan@example.org"), &[("answer", "accepted")]).await.expect_page();
    assert_eq!(server.notifications_of_creator().await.len(), 2, "one for each meeting");
    // What was read becomes news again.
    server.as_creator().post("/api/v1/notifications/read", &Value::Null).await.expect(200);
    answer(1, "accepted").await;
    let all = server.notifications_of_creator().await;
    let text = "Answers to “Planning”: 2 accepted, 2 maybe, 0 declined, 0 not answered.".to_owned();
    assert_eq!((all.len(), &all[0], all[1].2), (2, &(text, page, false), true));
    server.advance(HOUR / 2).await;
    let mails = to(&smtp, &organizer);
    assert!(mails.iter().all(|mail| !mail.header("Subject").starts_with("Answers")), "the bell only");
}

async fn the_organizer_gets_one_mail_of_the_answers_of_ten_minutes(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.choose_answer_notices("mail").await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    server.invite(&room, &[ADA, "ben@example.org"]).await;
    let guest = server.as_anonymous();
    let mails = || {
        let all = to(&smtp, &server.creator.email).into_iter();
        all.filter(|mail| mail.header("Subject") == "Answers: Planning").collect::<Vec<_>>()
    };
    for (person, answer) in [(ADA, "declined"), ("ben@example.org", "accepted"), (ADA, "accepted")] {
        guest.form(&link_of(&smtp, person), &[("answer", answer)]).await.expect_page();
    }
    server.tick().await;
    assert_eq!(mails().len(), 0);
    server.advance(10 * 60_000).await;
    assert_eq!(mails().len(), 1);
    assert!(mails()[0].text.contains("2 accepted, 0 maybe, 0 declined"), "{}", mails()[0].text);
    guest.form(&link_of(&smtp, ADA), &[("answer", "tentative")]).await.expect_page();
    server.advance(10 * 60_000).await;
    assert_eq!(mails().len(), 2);
    assert_eq!(server.notifications_of_creator().await.len(), 1);
    server.assert_execution_records_match().await;
}

async fn an_organizer_may_want_no_notifications_of_answers(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.choose_answer_notices("none").await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    server.as_anonymous().form(&link(&smtp), &[("answer", "accepted")]).await.expect_page();
    assert_eq!(server.meeting(&meeting).await["attendees"][0]["answer"], "accepted");
    server.advance(HOUR / 2).await;
    assert_eq!(server.notifications_of_creator().await, []);
    assert_eq!(to(&smtp, &server.creator.email).len(), 0);
}

async fn a_link_of_a_removed_attendee_or_an_ended_meeting_changes_nothing(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.invite(&room, &[ADA]).await;
    let (first, guest) = (link(&smtp), server.as_anonymous());
    server.change_invited(&meeting, json!({"attendees": []})).await;
    assert_eq!(guest.get(&first).await.status, 404);
    assert_eq!(guest.form(&first, &[("answer", "accepted")]).await.status, 404);
    assert_eq!(guest.get(&format!("/answer/{}", "x".repeat(5_000))).await.status, 404);
    server.change_invited(&meeting, json!({"attendees": [{"email": ADA}]})).await;
    let again = link(&smtp);
    act(&server.as_creator(), &server.meeting(&meeting).await, "cancel").await.expect(200);
    let refused = guest.form(&again, &[("answer", "accepted")]).await;
    assert!(refused.status == 409 && refused.text.contains("can no longer answer"), "{}", refused.text);
    assert_eq!(server.meeting(&meeting).await["attendees"][0]["answer"], "pending");
}
