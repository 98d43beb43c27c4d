//! Reminders and the limits of mail to outside addresses: those that a limit holds are shown, and those of
//! meetings count.

use super::{HOUR, MINUTE, addresses, text};
use crate::{http_client::Reply, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_reminder_shows_its_mail_that_a_limit_holds,
    a_reminder_of_a_meeting_shows_its_mails_that_a_limit_holds,
);

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
