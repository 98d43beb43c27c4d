//! No-shows: the room is released unless a user checks in.

use super::{HOUR, MINUTE, act, path, task, tasks};
use crate::{
    calendar::{
        ics::{only_part, part},
        program::mails_to,
    },
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_room_is_released_unless_a_user_checks_in,
    a_check_in_is_possible_shortly_before_the_start,
    a_released_room_is_kept_by_an_undo,
    long_and_late_bookings_need_no_check_in,
    a_room_is_kept_if_the_server_was_not_running,
    organizer_and_attendees_are_warned_once_before_the_release,
    a_link_in_the_warning_checks_in_by_post_only,
    a_late_warning_of_a_release_is_not_sent,
    a_warning_that_a_limit_held_is_not_sent_after_the_release,
);

const ADA: &str = "ada@example.org";

async fn room(server: &TestServer) -> Value {
    server.create_room(json!({"name": "Aula", "check_in": {"grace_minutes": 10}})).await
}

async fn a_room_is_released_unless_a_user_checks_in(server: TestServer) {
    let room = room(&server).await;
    let used = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let unused = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let release = json!(server.time_after(5 * HOUR + 10 * MINUTE));
    let warning = json!(server.time_after(5 * HOUR + 5 * MINUTE));
    assert_eq!(tasks(&unused)[1], task("meeting.warn_release", &warning), "{unused}");
    assert_eq!(tasks(&unused)[2], task("meeting.release", &release), "{unused}");
    assert_eq!(unused["release_at"], release);
    server.advance(3 * HOUR).await;
    let running = server.meeting(&used).await;
    let used = act(&server.as_colleague(), &running, "check-in").await.expect(200);
    assert_eq!(used["checked_in_at"], json!(server.time_after(0)));
    assert_eq!(tasks(&used), [task("meeting.end", &used["ends_at"])]);
    let again = act(&server.as_creator(), &used, "check-in").await.expect(200);
    assert_eq!(again["version"], used["version"], "nothing to do");
    server.advance(2 * HOUR).await;
    assert_eq!(
        (server.state(&used).await, server.state(&unused).await),
        ("ended".to_owned(), "in_progress".to_owned())
    );
    server.advance(10 * MINUTE).await;
    let released = server.meeting(&unused).await;
    assert_eq!((&released["state"], tasks(&released).len()), (&json!("released"), 0));
    assert_eq!(server.verbs(&unused).await, ["book", "start", "release"]);
    server.book(&room, MINUTE, 30 * MINUTE).await.expect(201);
    assert_eq!(act(&server.as_creator(), &released, "check-in").await.refused(409), "wrong_state");
    server.advance(60 * MINUTE).await;
    assert_eq!(server.state(&unused).await, "released", "it does not end");
    server.assert_execution_records_match().await;
}

async fn a_check_in_is_possible_shortly_before_the_start(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let page = path(&meeting, "").replace("/api/v1", "");
    let button = "value=\"check_in\"";
    server.advance(3 * HOUR - 16 * MINUTE).await;
    assert_eq!(act(&server.as_creator(), &meeting, "check-in").await.refused(409), "check_in_too_early");
    assert!(!server.page(&server.creator, &page).await.contains(button));
    server.advance(MINUTE).await;
    assert!(server.page(&server.creator, &page).await.contains(button));
    let used = act(&server.as_creator(), &meeting, "check-in").await.expect(200);
    assert_eq!(used["checked_in_at"], json!(server.time_after(0)));
}

async fn a_released_room_is_kept_by_an_undo(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.advance(3 * HOUR).await;
    server.advance(10 * MINUTE).await;
    let released = server.meeting(&meeting).await;
    assert_eq!((&released["state"], &released["undo"]["verb"]), (&json!("released"), &json!("release")));
    let kept = act(&server.as_creator(), &released, "undo").await.expect(200);
    assert_eq!(kept["state"], "in_progress");
    assert_eq!(tasks(&kept), [task("meeting.end", &meeting["ends_at"])]);
    server.advance(50 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "ended");
}

async fn long_and_late_bookings_need_no_check_in(server: TestServer) {
    let room = room(&server).await;
    let long = server.book(&room, 24 * HOUR, 32 * HOUR).await.expect(201);
    let late = server.book(&room, 2 * HOUR - 1, 3 * HOUR).await.expect(201);
    for meeting in [&long, &late] {
        assert_eq!(tasks(meeting).len(), 2, "{meeting}");
        assert!(meeting["checked_in_at"].is_string() && meeting["release_at"].is_null(), "{meeting}");
    }
    let settings =
        json!({"name": "Library", "check_in": {"grace_minutes": 1, "auto_if_booked_within_minutes": 0}});
    let strict = server.create_room(settings).await;
    let meeting = server.book(&strict, MINUTE, HOUR).await.expect(201);
    server.advance(MINUTE).await;
    server.advance(MINUTE).await;
    assert_eq!(server.state(&meeting).await, "released");
}

async fn a_room_is_kept_if_the_server_was_not_running(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.advance_without_loops(3 * HOUR + 20 * MINUTE);
    server.tick().await;
    server.advance(1).await;
    let kept = server.meeting(&meeting).await;
    assert_eq!(kept["state"], "in_progress", "no user could check in: {kept}");
    assert_eq!(server.verbs(&meeting).await, ["book", "start", "keep"]);
}

/// Books a meeting that Ada attends.
async fn book_with_ada(server: &TestServer) -> Value {
    let room = room(server).await;
    let mut new = server.new_meeting(&room, 3 * HOUR, 4 * HOUR);
    new["attendees"] = json!([{"email": ADA}]);
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    server.tick().await;
    meeting
}

/// Texts of the mails to this person about a room that will be released.
fn warnings(smtp: &SmtpSink, person: &str) -> Vec<String> {
    let mails = mails_to(smtp, person);
    let warnings = mails.iter().filter(|mail| mail.header("Subject") == "Check in: Planning");
    warnings.map(only_part).collect()
}

async fn organizer_and_attendees_are_warned_once_before_the_release(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = book_with_ada(&server).await;
    let organizer = server.creator.email.clone();
    server.advance(3 * HOUR).await;
    server.advance(5 * MINUTE - 1).await;
    assert_eq!((warnings(&smtp, ADA).len(), warnings(&smtp, &organizer).len()), (0, 0));
    server.advance(1).await;
    server.tick().await;
    assert_eq!((warnings(&smtp, ADA).len(), warnings(&smtp, &organizer).len()), (1, 1));
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let [one] = &list["items"].as_array().unwrap()[..] else { panic!("{list}") };
    let text = one["text"].as_str().unwrap();
    assert!(
        text.starts_with("No one has checked in to “Planning” yet.") && text.contains("“Aula”"),
        "{text}"
    );
    assert_eq!(one["link"], path(&meeting, "").replace("/api/v1", ""));
    // A change of the title does not warn again.
    let edit = json!({"title": "Budget", "seen_version": server.meeting(&meeting).await["version"]});
    server.as_creator().patch(&path(&meeting, ""), &edit).await.expect(200);
    server.advance(MINUTE).await;
    assert_eq!((warnings(&smtp, ADA).len(), warnings(&smtp, &organizer).len()), (1, 1));
    server.advance(4 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "released");
    server.assert_execution_records_match().await;
}

async fn a_link_in_the_warning_checks_in_by_post_only(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = book_with_ada(&server).await;
    server.advance(3 * HOUR).await;
    server.advance(5 * MINUTE).await;
    server.tick().await;
    let mails = mails_to(&smtp, ADA);
    let mail = warnings(&smtp, ADA).pop().unwrap();
    assert!(mail.contains("No one has checked in to “Planning” yet."), "{mail}");
    let at = mail.find("/check-in/").unwrap_or_else(|| panic!("{mail}"));
    let link = mail[at..].split_whitespace().next().unwrap().to_owned();
    let guest = server.as_anonymous();
    let page = guest.get(&link).await;
    assert_eq!(page.header("cache-control"), "no-store");
    let page = page.expect_page();
    assert!(
        page.contains("Check in now") && page.contains("Planning") && !page.contains("<script"),
        "{page}"
    );
    assert!(server.meeting(&meeting).await["checked_in_at"].is_null(), "opening it changes nothing");
    for _ in 0..2 {
        let page = guest.form(&link, &[]).await.expect_page();
        assert!(page.contains("The room stays reserved") && !page.contains("<form"), "{page}");
    }
    assert_eq!(server.meeting(&meeting).await["checked_in_at"], json!(server.time_after(0)));
    server.advance(10 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "in_progress", "it is not released");
    server.advance(HOUR).await;
    let refused = guest.form(&link, &[]).await;
    assert!(refused.status == 409 && refused.text.contains("This meeting is over"), "{}", refused.text);
    assert_eq!(guest.form("/check-in/wrong", &[]).await.status, 404);
    assert_eq!(guest.get(&format!("/check-in/{}", "x".repeat(5_000))).await.status, 404);
    // The link of an invitation checks in, too.
    let invitation = part(&mails[0], "text/plain").1;
    let at = invitation.find("/answer/").unwrap();
    let invitation = invitation[at..].split_whitespace().next().unwrap().replace("/answer/", "/check-in/");
    assert!(guest.get(&invitation).await.expect_page().contains("This meeting is over"));
}

async fn a_late_warning_of_a_release_is_not_sent(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = book_with_ada(&server).await;
    server.advance_without_loops(3 * HOUR + 10 * MINUTE);
    for _ in 0..3 {
        server.tick().await;
    }
    assert_eq!(server.state(&meeting).await, "released");
    assert_eq!(warnings(&smtp, ADA).len(), 0);
}

async fn a_warning_that_a_limit_held_is_not_sent_after_the_release(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let limit = async |per_day: i32| {
        let limits = json!({"account_per_day": per_day, "address_per_hour": 20, "desk_per_minute": 600});
        server.as_admin().put("/api/v1/mail-limits", &limits).await.expect(200);
    };
    let settle = async || {
        for _ in 0..8 {
            server.tick().await;
        }
    };
    limit(1).await;
    let meeting = book_with_ada(&server).await;
    settle().await;
    assert_eq!(mails_to(&smtp, ADA).len(), 1, "the invitation");
    server.advance(3 * HOUR).await;
    server.advance(5 * MINUTE).await;
    settle().await;
    let held = server.as_creator().get("/api/v1/held-mails").await.expect(200);
    assert_eq!(held["items"].as_array().unwrap().len(), 1, "the warning: {held}");
    server.advance(5 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "released");
    limit(200).await;
    settle().await;
    assert_eq!(mails_to(&smtp, ADA).len(), 2, "the cancellation came");
    assert_eq!(warnings(&smtp, ADA).len(), 0);
}
