//! Reminders and the limits of mail to outside addresses: those that a limit holds are shown, and those of
//! meetings count.

use super::{HOUR, MINUTE, addresses, text};
use crate::{http_client::Reply, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_reminder_shows_its_mail_that_a_limit_holds,
    a_reminder_of_a_meeting_shows_its_mails_that_a_limit_holds,
    reminders_of_meetings_beyond_the_limit_of_an_address_are_refused,
    reminders_of_a_series_beyond_the_limit_of_an_address_are_refused,
    an_attendee_who_would_get_too_many_reminders_is_refused,
);

const ANNA: &str = "anna@example.org";

/// Reminders by mail, these minutes before the start of a meeting.
fn by_mail(minutes: &[i64]) -> Value {
    minutes.iter().map(|minutes| json!({"before": "start", "minutes": minutes, "by": "mail"})).collect()
}

/// Books a meeting of the creator, which begins after these hours, with reminders these minutes before.
async fn book(server: &TestServer, hours: i64, emails: &[&str], minutes: &[i64]) -> Reply {
    let attendees: Vec<Value> = emails.iter().map(|email| json!({"email": email})).collect();
    let new = json!({"title": "Planning", "starts_at": server.time_after(hours * HOUR),
                     "ends_at": server.time_after((hours + 1) * HOUR), "attendees": attendees,
                     "reminders": by_mail(minutes)});
    server.as_creator().post("/api/v1/meetings", &new).await
}

/// Changes a meeting of the creator.
async fn change(server: &TestServer, meeting: &Value, mut change: Value) -> Reply {
    let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
    change["seen_version"] = server.as_creator().get(&path).await.expect(200)["version"].clone();
    server.as_creator().patch(&path, &change).await
}

/// Asserts that Anna would get more than the two mails in an hour that she may.
#[track_caller]
fn assert_refused(reply: Reply) {
    let said = reply.text.clone();
    assert_eq!(reply.refused(429), "mail_limit");
    assert!(said.contains("anna@example.org gets at most 2 mails within an hour"), "{said}");
}

/// Number of mails that a limit holds.
fn held(shown: &Value) -> usize {
    shown["held_mails"].as_array().unwrap_or_else(|| panic!("{shown}")).len()
}

async fn a_reminder_shows_its_mail_that_a_limit_holds(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.limit_mails(json!({"account_per_day": 1, "outside_reminders": "everyone"})).await;
    let path = "/api/v1/reminders";
    for address in addresses(2) {
        let new = json!({"text": "Call", "due_at": server.time_after(MINUTE), "mail": address});
        let made = server.as_creator().post(path, &new).await.expect(201);
        assert_eq!(held(&made), 0);
    }
    server.advance(MINUTE).await;
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 1);
    let list = server.as_creator().get(path).await.expect(200);
    let waiting: Vec<&Value> =
        list["items"].as_array().unwrap().iter().filter(|shown| held(shown) > 0).collect();
    let [waiting] = waiting[..] else { panic!("{list}") };
    let mail = &waiting["held_mails"][0];
    assert_eq!((held(waiting), text(&mail["reason"])), (1, "account"), "{waiting}");
    assert_eq!((&mail["address"], mail["until"].is_null()), (&waiting["mail"], false), "{waiting}");
    let own = format!("{path}/{}", text(&waiting["id"]));
    assert_eq!(held(&server.as_creator().get(&own).await.expect(200)), 1);
    assert_eq!(held(&server.as_admin().get(&own).await.expect(200)), 1);
    let creator = server.log_in_browser(&server.creator).await;
    let notices = |page: &str| page.matches("data-held-mails=\"account\"").count();
    let page = creator.get("/reminders").await.expect_page();
    assert!(page.contains("One mail waits until ") && notices(&page) == 1, "{page}");
    let page = creator.get(&format!("/reminders?edit={}", text(&waiting["id"]))).await.expect_page();
    assert_eq!(notices(&page), 2, "in the list and beside its form: {page}");
    // Another moment does not hide the mail that waits still.
    let snooze = json!({"minutes": 60, "seen_version": waiting["version"]});
    let snoozed = server.as_creator().post(&format!("{own}/snooze"), &snooze).await.expect(200);
    assert_eq!(held(&snoozed), 1, "{snoozed}");
    server.limit_mails(json!({})).await;
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 2);
    assert_eq!(held(&server.as_creator().get(&own).await.expect(200)), 0);
}

async fn a_reminder_of_a_meeting_shows_its_mails_that_a_limit_holds(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    // Two invitations and one of the two reminders.
    server.limit_mails(json!({"account_per_day": 3})).await;
    let guests = addresses(2);
    let emails: Vec<&str> = guests.iter().map(String::as_str).collect();
    let meeting = book(&server, 2, &emails, &[30, 10]).await.expect(201);
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 2);
    server.advance(2 * HOUR - 30 * MINUTE).await;
    server.send_mails().await;
    let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
    let shown = server.as_creator().get(&path).await.expect(200);
    let of_reminders = |shown: &Value| [held(&shown["reminders"][0]), held(&shown["reminders"][1])];
    assert_eq!((held(&shown), of_reminders(&shown)), (0, [1, 0]), "{shown}");
    assert_eq!(of_reminders(&server.as_admin().get(&path).await.expect(200)), [1, 0]);
    let other = server.as_colleague().get(&path).await.expect(200);
    assert_eq!(of_reminders(&other), [0, 0], "only the organizer and admins see them");
    let path = format!("/meetings/{}", text(&meeting["id"]));
    let page = server.log_in_browser(&server.creator).await.get(&path).await.expect_page();
    assert!(page.contains("data-held-mails=\"account\"") && page.contains("To guest"), "{page}");
    let page = server.log_in_browser(&server.colleague).await.get(&path).await.expect_page();
    assert!(!page.contains("data-held-mails"), "{page}");
}

async fn reminders_of_meetings_beyond_the_limit_of_an_address_are_refused(server: TestServer) {
    server.limit_mails(json!({"address_per_hour": 2})).await;
    let first = book(&server, 10, &[ANNA], &[30, 60]).await.expect(201);
    let refused = book(&server, 10, &["ben@example.org", ANNA], &[45]).await;
    let at = server.time_after(10 * HOUR - 45 * MINUTE);
    assert!(refused.text.contains(&at), "it names the hour: {}", refused.text);
    assert_refused(refused);
    for _ in 0..3 {
        let inside = server.colleague.email.as_str();
        book(&server, 10, &[inside], &[45]).await.expect(201);
    }
    // More reminders, and another time.
    let second = book(&server, 20, &[ANNA], &[30]).await.expect(201);
    assert_refused(change(&server, &second, json!({"reminders": by_mail(&[30, 20, 10])})).await);
    let (from, to) = (server.time_after(10 * HOUR), server.time_after(11 * HOUR));
    assert_refused(change(&server, &second, json!({"starts_at": from, "ends_at": to})).await);
    let path = format!("/api/v1/meetings/{}", text(&second["id"]));
    let shown = server.as_creator().get(&path).await.expect(200);
    assert_eq!((&shown["starts_at"], &shown["reminders"]), (&second["starts_at"], &second["reminders"]));
    change(&server, &second, json!({"reminders": by_mail(&[30, 20])})).await.expect(200);
    // What is planned already is in the way of no other change, whatever the limit is now.
    server.advance(MINUTE).await;
    server.limit_mails(json!({"address_per_hour": 1})).await;
    change(&server, &first, json!({"title": "Review"})).await.expect(200);
}

async fn reminders_of_a_series_beyond_the_limit_of_an_address_are_refused(server: TestServer) {
    server.limit_mails(json!({"address_per_hour": 2})).await;
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 10});
    let book = async |minutes: &[i64]| {
        let new = json!({"title": "Planning", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
                         "zone": "UTC", "series": {"rule": rule}, "attendees": [{"email": ANNA}],
                         "reminders": by_mail(minutes)});
        server.as_creator().post("/api/v1/meetings", &new).await
    };
    assert_refused(book(&[10, 20, 30]).await);
    let first = book(&[10, 20]).await.expect(201);
    assert_refused(book(&[25]).await);
    let all = |minutes: &[i64]| json!({"reminders": by_mail(minutes), "reach": "following"});
    assert_refused(change(&server, &first, all(&[10, 20, 30])).await);
    change(&server, &first, all(&[10, 30])).await.expect(200);
}

async fn an_attendee_who_would_get_too_many_reminders_is_refused(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.limit_mails(json!({"address_per_hour": 2})).await;
    book(&server, 10, &[ANNA], &[30, 20]).await.expect(201);
    let other = book(&server, 10, &[], &[25]).await.expect(201);
    server.advance(MINUTE).await;
    assert_refused(change(&server, &other, json!({"attendees": [{"email": ANNA}]})).await);
    let path = format!("/api/v1/meetings/{}", text(&other["id"]));
    assert_eq!(server.as_creator().get(&path).await.expect(200)["attendees"], json!([]));
    change(&server, &other, json!({"attendees": [{"email": "ben@example.org"}]})).await.expect(200);
}
