//! Mail to persons outside the desk: limits, and collected changes.

mod blocked;
mod reminders;

use super::{DAY_MS, text};
use crate::{calendar::ics::part, http_client::HttpClient, on_both, test_server::TestServer};
use presstime::reminders::notifications::announce::Announcer;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{ReceivedMail, SmtpSink};

on_both!(
    only_admins_set_reminders_for_outside_addresses_unless_the_setting_allows_more,
    more_mails_to_one_address_within_an_hour_are_refused_with_the_limit,
    a_limit_holds_mails_and_sends_cancellations_first,
    changes_of_a_meeting_are_collected_for_ten_minutes,
    a_change_is_mailed_at_once_if_the_meeting_begins_within_the_hour,
    a_page_shows_held_mails_limits_and_blocked_addresses,
    a_meeting_shows_blocked_attendees_and_the_mails_that_a_limit_holds,
    bad_addresses_do_not_delay_the_others,
);

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const LIMITS: &str = "/api/v1/mail-limits";

impl TestServer {
    /// Sets the limits: the defaults, overridden by `more`.
    async fn limit_mails(&self, more: Value) {
        let mut limits = json!({"account_per_day": 200, "address_per_hour": 20, "desk_per_minute": 600});
        for (name, value) in more.as_object().unwrap() {
            limits[name] = value.clone();
        }
        self.as_admin().put(LIMITS, &limits).await.expect(200);
    }

    /// Plans a meeting of the creator, which begins after this time, with these attendees.
    async fn plan_with(&self, millis: i64, attendees: &[String]) -> Value {
        let attendees: Vec<Value> = attendees.iter().map(|email| json!({"email": email})).collect();
        let new = json!({"title": "Planning", "starts_at": self.time_after(millis),
                         "ends_at": self.time_after(millis + HOUR), "attendees": attendees});
        self.as_creator().post("/api/v1/meetings", &new).await.expect(201)
    }

    /// Changes the title of a meeting of the creator.
    async fn rename_meeting(&self, meeting: &Value, title: &str) {
        let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
        let version = self.as_creator().get(&path).await.expect(200)["version"].clone();
        let change = json!({"title": title, "seen_version": version});
        self.as_creator().patch(&path, &change).await.expect(200);
    }

    async fn cancel_meeting(&self, meeting: &Value) {
        let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
        let version = self.as_creator().get(&path).await.expect(200)["version"].clone();
        self.as_creator()
            .post(&format!("{path}/cancel"), &json!({"seen_version": version}))
            .await
            .expect(200);
    }

    /// Runs the loops until all mails are sent or held.
    async fn send_mails(&self) {
        for _ in 0..8 {
            self.tick().await;
        }
    }

    async fn held_mails(&self, client: &HttpClient) -> Vec<Value> {
        let list = client.get("/api/v1/held-mails").await.expect(200);
        list["items"].as_array().unwrap().clone()
    }

    /// Texts of the notifications of the creator, after held mails were announced.
    async fn notifications_of_held_mails(&self) -> Vec<String> {
        let mut announcer = Announcer::new(self.app.parts.clone(), "https://desk.example".to_owned());
        announcer.round().await.unwrap();
        let list = self.as_creator().get("/api/v1/notifications").await.expect(200);
        list["items"].as_array().unwrap().iter().map(|one| text(&one["text"]).to_owned()).collect()
    }
}

fn addresses(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("guest{number}@example.org")).collect()
}

/// The text of a mail.
fn plain(mail: &ReceivedMail) -> String {
    match mail.text.contains("boundary=\"") {
        true => part(mail, "text/plain").1,
        false => mail.text.replace("=\r\n", ""),
    }
}

fn subjects(smtp: &SmtpSink) -> Vec<String> {
    smtp.received().iter().map(|mail| mail.header("Subject").to_owned()).collect()
}

async fn only_admins_set_reminders_for_outside_addresses_unless_the_setting_allows_more(server: TestServer) {
    let new = json!({"text": "Call", "due_at": server.time_after(HOUR), "mail": "anna@example.org"});
    let path = "/api/v1/reminders";
    assert_eq!(server.as_creator().post(path, &new).await.refused(403), "outside_reminder");
    server.as_admin().post(path, &new).await.expect(201);
    // Persons of the desk may be reminded by everyone.
    let inside = json!({"text": "Call", "due_at": server.time_after(HOUR), "mail": server.colleague.email});
    let made = server.as_creator().post(path, &inside).await.expect(201);
    // An edit leads to no outside address either.
    let edit = json!({"mail": "anna@example.org", "seen_version": made["version"]});
    let own = format!("{path}/{}", text(&made["id"]));
    assert_eq!(server.as_creator().patch(&own, &edit).await.refused(403), "outside_reminder");
    server.limit_mails(json!({"outside_reminders": "everyone"})).await;
    server.as_creator().post(path, &new).await.expect(201);
    assert_eq!(
        server
            .as_creator()
            .put(LIMITS, &json!({"account_per_day": 9, "address_per_hour": 9, "desk_per_minute": 9}))
            .await
            .status,
        403
    );
}

async fn more_mails_to_one_address_within_an_hour_are_refused_with_the_limit(server: TestServer) {
    let plan = async |minutes: i64, mail: &str| {
        let new = json!({"text": "Call", "due_at": server.time_after(minutes * MINUTE), "mail": mail});
        server.as_admin().post("/api/v1/reminders", &new).await
    };
    for number in 0..20 {
        plan(100 + 2 * number, "anna@example.org").await.expect(201);
    }
    let refused = plan(120, "Anna@example.org").await;
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert_eq!(refused.json()["error"]["code"], "mail_limit");
    assert!(refused.text.contains("20") && refused.text.contains("anna@example.org"), "{}", refused.text);
    assert_eq!(plan(45, "anna@example.org").await.status, 201, "the hour before has fewer");
    assert_eq!(plan(161, "anna@example.org").await.status, 201, "the hour after has fewer");
    assert_eq!(plan(120, "ben@example.org").await.status, 201);
    for _ in 0..21 {
        let address = &server.colleague.email;
        assert_eq!(plan(120, address).await.status, 201, "the limit is for outside addresses");
    }
    // Invitations count, too.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let cleo = ["cleo@example.org".to_owned()];
    for _ in 0..20 {
        server.plan_with(3 * HOUR, &cleo).await;
    }
    let new = json!({"title": "Planning", "starts_at": server.time_after(HOUR),
                     "ends_at": server.time_after(2 * HOUR), "attendees": [{"email": cleo[0]}]});
    assert_eq!(server.as_creator().post("/api/v1/meetings", &new).await.refused(429), "mail_limit");
}

async fn a_limit_holds_mails_and_sends_cancellations_first(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.limit_mails(json!({"account_per_day": 3})).await;
    let meeting = server.plan_with(10 * DAY_MS, &addresses(5)).await;
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 3);
    let held = server.held_mails(&server.as_creator()).await;
    assert_eq!((held.len(), text(&held[0]["reason"])), (2, "account"), "{held:?}");
    assert!(text(&held[0]["subject"]).contains("Planning") && !held[0]["until"].is_null(), "{held:?}");
    assert_eq!(server.held_mails(&server.as_admin()).await.len(), 2);
    assert!(server.held_mails(&server.as_colleague()).await.is_empty());
    let notified = server.notifications_of_held_mails().await;
    assert!(notified.iter().any(|one| one.contains("2 of your mails are waiting")), "{notified:?}");
    // A colleague has a limit of its own.
    let new = json!({"title": "Other", "starts_at": server.time_after(DAY_MS), "ends_at": server.time_after(2 * DAY_MS),
                     "attendees": [{"email": "guest0@example.org"}]});
    server.as_colleague().post("/api/v1/meetings", &new).await.expect(201);
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 4);
    server.cancel_meeting(&meeting).await;
    server.send_mails().await;
    assert_eq!((smtp.received().len(), server.held_mails(&server.as_creator()).await.len()), (4, 5));
    assert_eq!(subjects(&smtp).iter().filter(|subject| subject.starts_with("Cancelled")).count(), 0);
    server.advance(DAY_MS + MINUTE).await;
    server.send_mails().await;
    let next = &subjects(&smtp)[4..];
    assert_eq!(next, ["Cancelled: Planning"; 3], "cancellations first");
    // Higher limits send what is left at once.
    server.limit_mails(json!({})).await;
    server.send_mails().await;
    assert_eq!((smtp.received().len(), server.held_mails(&server.as_creator()).await.len()), (9, 0));
    let invited = subjects(&smtp).iter().filter(|subject| *subject == "Invitation: Planning").count();
    assert_eq!(invited, 3, "an invitation does not follow the cancellation");
}

async fn changes_of_a_meeting_are_collected_for_ten_minutes(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = server.plan_with(2 * DAY_MS, &addresses(2)).await;
    server.send_mails().await;
    server.rename_meeting(&meeting, "Planning A").await;
    server.send_mails().await;
    assert_eq!(subjects(&smtp).len(), 4, "the first change is mailed at once");
    for title in ["Planning B", "Planning C", "Planning D"] {
        server.advance(MINUTE).await;
        server.rename_meeting(&meeting, title).await;
        server.send_mails().await;
    }
    assert_eq!(subjects(&smtp).len(), 4);
    server.advance(10 * MINUTE).await;
    server.send_mails().await;
    assert_eq!(subjects(&smtp)[4..], ["Changed: Planning D"; 2], "the others together");
    server.advance(HOUR).await;
    server.send_mails().await;
    assert_eq!(subjects(&smtp).len(), 6);
    // A cancellation does not wait.
    server.rename_meeting(&meeting, "Planning E").await;
    server.rename_meeting(&meeting, "Planning F").await;
    server.send_mails().await;
    server.cancel_meeting(&meeting).await;
    server.send_mails().await;
    assert_eq!(
        subjects(&smtp)[6..],
        ["Changed: Planning E", "Changed: Planning E", "Cancelled: Planning F", "Cancelled: Planning F"]
    );
    server.advance(HOUR).await;
    assert_eq!(subjects(&smtp).len(), 10, "nothing follows");
}

async fn a_change_is_mailed_at_once_if_the_meeting_begins_within_the_hour(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = server.plan_with(30 * MINUTE, &addresses(1)).await;
    for title in ["Planning A", "Planning B", "Planning C"] {
        server.rename_meeting(&meeting, title).await;
        server.send_mails().await;
    }
    assert_eq!(subjects(&smtp).len(), 4);
}

async fn a_page_shows_held_mails_limits_and_blocked_addresses(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let admin = server.log_in_browser(&server.admin).await;
    let limits = [
        ("account_per_day", "1"),
        ("address_per_hour", "20"),
        ("desk_per_minute", "600"),
        ("outside_reminders", "admins"),
    ];
    let saved = admin.form("/fn/set_mail_limits", &limits).await;
    assert!((300..400).contains(&saved.status), "{} {}", saved.status, saved.text);
    let blocked = admin.form("/fn/block_address", &[("address", "ben@example.org")]).await;
    assert!((300..400).contains(&blocked.status), "{}", blocked.text);
    server.plan_with(DAY_MS, &addresses(2)).await;
    server.send_mails().await;
    let page = admin.get("/settings/outside-mail").await.expect_page();
    assert!(page.contains("ben@example.org") && page.contains("guest"), "{page}");
    let creator = server.log_in_browser(&server.creator).await;
    let page = creator.get("/settings/outside-mail").await.expect_page();
    assert!(page.contains("guest") && !page.contains("ben@example.org"), "{page}");
    let allowed = admin.form("/fn/allow_address", &[("address", "ben@example.org")]).await;
    assert!((300..400).contains(&allowed.status), "{}", allowed.text);
    assert!(!admin.get("/settings/outside-mail").await.expect_page().contains("ben@example.org"));
}

async fn a_meeting_shows_blocked_attendees_and_the_mails_that_a_limit_holds(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.limit_mails(json!({"account_per_day": 1})).await;
    server
        .as_admin()
        .post("/api/v1/blocked-addresses", &json!({"address": "guest0@example.org"}))
        .await
        .expect(201);
    let meeting = server.plan_with(DAY_MS, &addresses(4)).await;
    server.send_mails().await;
    assert_eq!(smtp.received().len(), 1);
    let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
    let shown = server.as_creator().get(&path).await.expect(200);
    let blocked: Vec<bool> =
        shown["attendees"].as_array().unwrap().iter().map(|one| one["is_blocked"] == true).collect();
    assert_eq!(blocked, [true, false, false, false], "{shown}");
    let held = shown["held_mails"].as_array().unwrap();
    assert_eq!((held.len(), text(&held[0]["reason"])), (2, "account"), "{shown}");
    assert!(!held[0]["until"].is_null() && text(&held[0]["subject"]).contains("Planning"), "{shown}");
    assert_eq!(server.as_admin().get(&path).await.expect(200)["held_mails"].as_array().unwrap().len(), 2);
    let other = server.as_colleague().get(&path).await.expect(200);
    assert_eq!(other["held_mails"], json!([]), "only the organizer and admins see them");
    let path = format!("/meetings/{}", text(&meeting["id"]));
    let page = server.log_in_browser(&server.creator).await.get(&path).await.expect_page();
    assert!(page.contains("gets no mail from this desk: the address is blocked"), "{page}");
    assert!(page.contains("2 mails wait until ") && page.contains("data-held-mails=\"account\""), "{page}");
    assert!(!page.contains(">Blocked addresses"), "the list is for admins: {page}");
    let page = server.log_in_browser(&server.admin).await.get(&path).await.expect_page();
    assert!(page.contains("href=\"/settings/outside-mail\">Blocked addresses"), "{page}");
    let page = server.log_in_browser(&server.colleague).await.get(&path).await.expect_page();
    assert!(page.contains("the address is blocked") && !page.contains("mails wait until"), "{page}");
    // Another meeting shows its own alone.
    let other = server.plan_with(2 * DAY_MS, &addresses(1)).await;
    let shown =
        server.as_creator().get(&format!("/api/v1/meetings/{}", text(&other["id"]))).await.expect(200);
    assert_eq!(shown["held_mails"], json!([]));
}

/// Of 500 mails 50 go to addresses that the mail server refuses.
async fn bad_addresses_do_not_delay_the_others(server: TestServer) {
    let backend = server.backend;
    drop(server);
    let server = TestServer::start_realtime(backend).await;
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.limit_mails(json!({"account_per_day": 10_000, "desk_per_minute": 10_000})).await;
    let all = addresses(500);
    for bad in all.iter().step_by(10) {
        smtp.refuse(bad, ["550 5.1.1 unknown user"]);
    }
    for part in all.chunks(200) {
        server.plan_with(DAY_MS, part).await;
    }
    // No failure pauses the server: a pause is longer than all of this takes.
    let sent = tokio::time::timeout(Duration::from_secs(60), smtp.wait_for(450)).await;
    assert!(sent.is_ok(), "{} of 450 mails", smtp.received().len());
}
