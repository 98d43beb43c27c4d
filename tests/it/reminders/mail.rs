//! The mail server of the desk, and reminders to addresses.

use super::MINUTE;
use crate::{deliveries::text, http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_reminder_to_an_address_is_mailed_once,
    without_a_mail_server_a_reminder_to_an_address_is_in_attention,
    a_test_reports_what_the_mail_server_said,
    bad_settings_of_the_mail_server_are_refused,
    an_address_of_the_desk_gets_a_notification,
    an_address_counts_if_it_was_typed,
);

impl TestServer {
    /// Makes this the mail server of the desk.
    pub async fn set_mail_server(&self, smtp: &SmtpSink) -> Value {
        let new =
            json!({"host": "127.0.0.1", "port": smtp.port, "security": "none", "from": "desk@example.org"});
        self.as_admin().put("/api/v1/mail-server", &new).await.expect(200)
    }
}

async fn a_reminder_to_an_address_is_mailed_once(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let set = server.set_mail_server(&smtp).await;
    assert_eq!((text(&set["host"]), &set["has_password"]), ("127.0.0.1", &json!(false)));
    server.allow_outside_reminders().await;
    let to_anna = json!({"mail": "Anna@Example.org"});
    let made = server.remind("Bring the keys\nand the map", MINUTE, to_anna).await;
    assert_eq!((text(&made["recipient"]), text(&made["mail"])), ("mail", "anna@example.org"));
    server.advance(MINUTE - 1).await;
    assert!(smtp.received().is_empty());
    server.advance(1).await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(
        (mail.to.as_slice(), mail.header("Subject")),
        (&["anna@example.org".to_owned()][..], "Bring the keys")
    );
    assert_eq!(server.reminder_state(&made).await, "sent");
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(smtp.received().len(), 1);
    // It is no channel that users choose, and it follows no events.
    let channels = server.as_admin().get("/api/v1/channels").await.expect(200);
    assert_eq!(channels["items"].as_array().map(Vec::len), Some(0), "{channels}");
    server.publish_article("Not mailed").await;
    assert_eq!(smtp.received().len(), 1);
}

async fn without_a_mail_server_a_reminder_to_an_address_is_in_attention(server: TestServer) {
    server.allow_outside_reminders().await;
    let made = server.remind("Lost", MINUTE, json!({"mail": "anna@example.org"})).await;
    server.advance(MINUTE).await;
    let failed = server.reminder(&made).await;
    assert_eq!((text(&failed["state"]), text(&failed["reason"])), ("failed", "no_mail_server"));
    assert_eq!(server.attention_count().await, 1);
    // With a mail server, a retry sends it.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let task = server.task(&json!({"id": failed["task_id"]})).await;
    let retry = format!("/api/v1/tasks/{}/retry", text(&task["id"]));
    server.as_creator().post(&retry, &json!({"seen_version": task["version"]})).await.expect(200);
    server.tick().await;
    assert_eq!((smtp.received().len(), server.reminder_state(&made).await.as_str()), (1, "sent"));
    assert_eq!(server.attention_count().await, 0);
    server.as_admin().delete("/api/v1/mail-server").await.expect(204);
    assert_eq!(server.as_admin().get("/api/v1/mail-server").await.status, 404);
}

async fn a_test_reports_what_the_mail_server_said(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let begun = server.as_admin().post("/api/v1/mail-server/test", &json!({})).await.expect(202);
    server.tick().await;
    let path = format!("/api/v1/deliveries/{}", text(&begun["id"]));
    let done = server.as_admin().get(&path).await.expect(200);
    assert_eq!((text(&done["state"]), done["attempt_log"][0]["status"].as_u64()), ("delivered", Some(250)));
    assert_eq!(smtp.received()[0].to, [server.admin.email.as_str()]);
    smtp.refuse(&server.admin.email, ["550 5.7.1 relaying denied"]);
    let begun = server.as_admin().post("/api/v1/mail-server/test", &json!({})).await.expect(202);
    server.tick().await;
    let path = format!("/api/v1/deliveries/{}", text(&begun["id"]));
    let refused = server.as_admin().get(&path).await.expect(200);
    assert_eq!(text(&refused["state"]), "failed", "{refused}");
    assert!(refused["attempt_log"][0]["response_body"].to_string().contains("relaying denied"), "{refused}");
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get("/settings/mail").await.expect_page();
    assert!(page.contains("relaying denied"), "{page}");
}

async fn bad_settings_of_the_mail_server_are_refused(server: TestServer) {
    let good = json!({"host": "mail.example.org", "port": 587, "from": "desk@example.org"});
    for (more, field) in [
        (json!({"host": ""}), "host"),
        (json!({"host": "http://x"}), "host"),
        (json!({"port": 22}), "port"),
        (json!({"from": "desk@example.org\r\nBcc: x@example.org"}), "from"),
        (json!({"username": "desk"}), "password"),
        (json!({"password": "secret"}), "username"),
        (json!({"security": "magic"}), "security"),
    ] {
        let mut new = good.clone();
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = server.as_admin().put("/api/v1/mail-server", &new).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{refused}");
    }
    let set = server.as_admin().put("/api/v1/mail-server", &good).await.expect(200);
    assert_eq!(text(&set["security"]), "starttls");
    let with_user = json!({"host": "mail.example.org", "port": 587, "from": "desk@example.org",
                           "username": "desk", "password": "secret word"});
    let set = server.as_admin().put("/api/v1/mail-server", &with_user).await.expect(200);
    assert_eq!(set["has_password"], true);
    // The stored password is never sent to another server.
    let elsewhere =
        json!({"host": "other.example.org", "port": 587, "from": "desk@example.org", "username": "desk"});
    let refused = server.as_admin().put("/api/v1/mail-server", &elsewhere).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "password", "{refused}");
}

/// Saves a reminder with the form, due in ten minutes.
async fn save(server: &TestServer, browser: &HttpClient, fields: &[(&str, &str)]) {
    let due = server.now().plus(10 * MINUTE).to_string();
    let time = [("date", &due[..10]), ("time", &due[11..16]), ("zone", "UTC"), ("from", "/reminders")];
    let reply = browser.form("/fn/save_reminder", &[fields, &time].concat()).await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
}

async fn an_address_of_the_desk_gets_a_notification(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let address = server.colleague.email.as_str();
    save(&server, &browser, &[("text", "Look at the layout"), ("to", "address"), ("address", address)]).await;
    server.advance(10 * MINUTE).await;
    assert_eq!(server.notified(&server.as_colleague()).await, ["Look at the layout"]);
    let colleague = server.log_in_browser(&server.colleague).await;
    let page = colleague.get("/notifications").await.expect_page();
    assert!(page.contains("Look at the layout") && page.contains("1 unread"), "{page}");
    let reply = colleague.form("/fn/mark_all_read", &[("from", "/notifications")]).await;
    assert!((300..400).contains(&reply.status), "{}", reply.status);
    assert!(!colleague.get("/notifications").await.expect_page().contains("1 unread"));
    let page = browser.get("/reminders").await.expect_page();
    assert!(page.contains("Look at the layout"), "{page}");
}

async fn an_address_counts_if_it_was_typed(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let address = server.colleague.email.as_str();
    // The choice was left at the user. The second form was opened with the address.
    for (content, before) in [("Call the printer", ""), ("Call the editor", address)] {
        let fields = [("text", content), ("to", "me"), ("address", address), ("address_before", before)];
        save(&server, &browser, &fields).await;
    }
    server.advance(10 * MINUTE).await;
    assert_eq!(server.notified(&server.as_colleague()).await, ["Call the printer"]);
    assert_eq!(server.notified(&server.as_creator()).await, ["Call the editor"]);
}
