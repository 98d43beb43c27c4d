//! Addresses that get no mail from the desk: by the link in a mail, and by an admin.

use super::{DAY_MS, HOUR, MINUTE, addresses, plain, text};
use crate::{on_both, test_server::TestServer};
use serde_json::json;
use test_support::{ReceivedMail, SmtpSink};

on_both!(
    each_mail_says_who_sent_it_why_and_how_to_get_no_more,
    a_recipient_of_a_channel_asks_for_no_more_mail,
    an_admin_blocks_and_allows_addresses,
);

/// The path after the address of the server of the link to get no more mail.
fn stop_path(server: &TestServer, mail: &ReceivedMail) -> String {
    let link = mail.header("List-Unsubscribe").trim_matches(['<', '>']).to_owned();
    link.strip_prefix(&server.url).unwrap_or_else(|| panic!("{}", mail.text)).to_owned()
}

async fn each_mail_says_who_sent_it_why_and_how_to_get_no_more(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let meeting = server.plan_with(2 * DAY_MS, &addresses(2)).await;
    let new = json!({"text": "Call me", "due_at": server.time_after(MINUTE), "mail": "guest0@example.org"});
    server.as_admin().post("/api/v1/reminders", &new).await.expect(201);
    server.advance(MINUTE).await;
    server.send_mails().await;
    let mails = smtp.received();
    assert_eq!(mails.len(), 3);
    for mail in &mails {
        let is_reminder = mail.header("Subject") == "Call me";
        let (name, why) = if is_reminder { ("admin", "reminder") } else { ("creator", "invited") };
        let plain = plain(mail);
        assert!(plain.contains(name) && plain.contains(why), "{plain}");
        assert_eq!(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        let link = mail.header("List-Unsubscribe").trim_matches(['<', '>']);
        assert!(plain.contains(&format!("No more mail from this desk: {link}")), "{plain}");
    }
    let stop = stop_path(&server, &mails[0]);
    let stopped = mails[0].to[0].clone();
    let other = mails.iter().map(|mail| mail.to[0].clone()).find(|to| *to != stopped).unwrap();
    let anonymous = server.as_anonymous();
    // Opening the link changes nothing.
    let page = anonymous.get(&stop).await;
    assert!(page.status == 200 && page.text.contains("<form method=\"post\""), "{}", page.text);
    let list = server.as_admin().get("/api/v1/blocked-addresses").await.expect(200);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(0));
    // What mail programs send, and the button of the page, too.
    let done = anonymous.form(&stop, &[("List-Unsubscribe", "One-Click")]).await;
    assert!(done.status == 200 && done.text.contains(&stopped), "{} {}", done.status, done.text);
    assert_eq!(anonymous.form(&stop, &[]).await.status, 200, "again");
    assert_eq!(anonymous.form(&format!("{stop}0"), &[]).await.status, 404);
    let list = server.as_admin().get("/api/v1/blocked-addresses").await.expect(200);
    assert_eq!(
        (text(&list["items"][0]["address"]), list["items"][0]["blocked_by"].is_null()),
        (&stopped[..], true)
    );
    server.cancel_meeting(&meeting).await;
    server.send_mails().await;
    let last = &smtp.received()[3..];
    assert_eq!(last.iter().map(|mail| mail.to[0].as_str()).collect::<Vec<_>>(), [other.as_str()]);
    let held = server.held_mails(&server.as_creator()).await;
    assert_eq!((text(&held[0]["reason"]), held[0]["until"].is_null()), ("blocked", true), "{held:?}");
    let notified = server.notifications_of_held_mails().await;
    assert!(notified.iter().any(|one| one.contains(&stopped) && one.contains("not sent")), "{notified:?}");
    // Nor is anything planned for it any more.
    let refused = json!({"text": "Call", "due_at": server.time_after(HOUR), "mail": stopped});
    server.as_admin().post("/api/v1/reminders", &refused).await.expect(422);
    // The mail server is not to blame.
    let server_body = server.as_admin().get("/api/v1/mail-server").await.expect(200);
    assert!(server_body["failed_at"].is_null(), "{server_body}");
}

async fn a_recipient_of_a_channel_asks_for_no_more_mail(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.create_mail_channel(&smtp, json!({})).await;
    server.publish_article("News").await;
    let mail = plain(&smtp.received()[0]);
    assert!(mail.contains("an admin of"), "{mail}");
    let at = mail.find("/stop-mail/").unwrap_or_else(|| panic!("{mail}"));
    let stop = mail[at..].split_whitespace().next().unwrap();
    let anonymous = server.as_anonymous();
    assert!(anonymous.get(stop).await.expect_page().contains("name=\"address\""));
    // An address that is no recipient is not blocked, and the answer is the same.
    for address in ["eve@example.org", "ben@example.org"] {
        let said = anonymous.form(stop, &[("address", address)]).await.expect_page();
        assert!(said.contains("If this address is one of the recipients"), "{said}");
    }
    let list = server.as_admin().get("/api/v1/blocked-addresses").await.expect(200);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "{list}");
    server.publish_article("More news").await;
    assert_eq!(smtp.received()[1].to, ["anna@example.org"]);
}

async fn an_admin_blocks_and_allows_addresses(server: TestServer) {
    let path = "/api/v1/blocked-addresses";
    let added = server.as_admin().post(path, &json!({"address": " Anna@Example.org "})).await.expect(201);
    assert_eq!((text(&added["address"]), text(&added["blocked_by"])), ("anna@example.org", "admin"));
    server.as_admin().post(path, &json!({"address": "anna@example.org"})).await.expect(409);
    server.as_admin().post(path, &json!({"address": "ben@example.org"})).await.expect(201);
    let page = server.as_admin().get(&format!("{path}?limit=1")).await.expect(200);
    assert_eq!(text(&page["items"][0]["address"]), "anna@example.org");
    let next =
        server.as_admin().get(&format!("{path}?cursor={}", text(&page["next_cursor"]))).await.expect(200);
    assert_eq!(
        (text(&next["items"][0]["address"]), next["next_cursor"].is_null()),
        ("ben@example.org", true)
    );
    server.as_admin().delete(&format!("{path}/anna@example.org")).await.expect(204);
    assert_eq!(server.as_admin().delete(&format!("{path}/anna@example.org")).await.status, 404);
    assert_eq!(server.as_creator().get(path).await.status, 403);
}
