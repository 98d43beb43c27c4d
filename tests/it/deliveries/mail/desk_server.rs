//! Mail channels without a server of their own: the mail server of the desk sends.

use super::super::text;
use crate::{on_both, test_server::TestServer};
use domain::channel::MAIL_SERVER;
use serde_json::{Value, json};
use store::{
    PoolRole,
    dispatch::{self, Stuck},
};
use test_support::SmtpSink;

on_both!(
    a_channel_without_a_server_uses_that_of_the_desk,
    without_a_mail_server_its_mails_wait_and_the_page_says_why,
    a_channel_moves_to_the_mail_server_of_the_desk_and_back,
    its_mails_wait_while_the_mail_server_is_paused,
);

/// Creates a channel that mails Anna through the mail server of the desk.
async fn readers(server: &TestServer) -> Value {
    let mail = json!({"to": ["anna@example.org"], "language": "zh"});
    let new = json!({"transport": "mail", "name": "Readers", "retry_schedule": "10s, 1m", "mail": mail});
    server.create_channel(new, json!({})).await
}

async fn a_channel_without_a_server_uses_that_of_the_desk(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let with_login = json!({"host": "127.0.0.1", "port": smtp.port, "security": "none",
                            "from": "desk@example.org", "username": "desk", "password": "open sesame"});
    server.as_admin().put("/api/v1/mail-server", &with_login).await.expect(200);
    let channel = readers(&server).await;
    for field in ["host", "port", "security", "username", "from"] {
        assert!(channel["mail"][field].is_null(), "{field}: {channel}");
    }
    assert_eq!(channel["has_secret"], false);
    server.publish_article("Through the desk").await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("desk@example.org", &["anna@example.org".to_owned()][..])
    );
    assert!(!mail.login.is_empty(), "the password of the desk's server is used");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["state"]), "delivered");
    assert_eq!(mail.header("Message-ID"), format!("<msg_{}@example.org>", text(&delivery["id"])));
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    assert_eq!(smtp.received().len(), 2);
}

async fn without_a_mail_server_its_mails_wait_and_the_page_says_why(server: TestServer) {
    let channel = readers(&server).await;
    server.publish_article("Waits").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["state"]), "pending");
    let why = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(why.contains("the desk has no mail server"), "{delivery}");
    let browser = server.log_in_browser(&server.admin).await;
    let path = format!("/settings/channels/{}?tab=settings", text(&channel["id"]));
    let sentence = "This desk has no mail server, so this channel sends nothing.";
    let log = path.trim_end_matches("?tab=settings");
    assert!(browser.get(log).await.expect_page().contains(sentence), "above the log too");
    let page = browser.get(&path).await.expect_page();
    assert!(page.contains(sentence));
    // Its own server is not chosen: no browser may refuse to send the form because of fields that it does not show.
    for name in ["channel[port]", "channel[from]"] {
        let field = page.split("<input").find(|rest| rest.contains(&format!("name=\"{name}\""))).unwrap();
        let (field, _) = field.split_once('>').unwrap();
        assert!(field.contains("type=\"text\"") && !field.contains("required"), "{field}");
    }
    assert!(browser.get("/settings/channels?add=mail").await.expect_page().contains(sentence));
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    for path in [log, &path] {
        assert!(!browser.get(path).await.expect_page().contains(sentence), "{path}");
    }
    server.advance(12_000).await;
    assert_eq!(smtp.received().len(), 1);
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
}

async fn a_channel_moves_to_the_mail_server_of_the_desk_and_back(server: TestServer) {
    let (own, desk) = (SmtpSink::start().await, SmtpSink::start().await);
    server.set_mail_server(&desk).await;
    let login = json!({"mail": {"username": "anna", "password": "open sesame"}});
    let channel = server.create_mail_channel(&own, login).await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let change = async |mail: Value| server.as_admin().patch(&path, &json!({"mail": mail})).await;
    let moved = change(json!({"host": ""})).await.expect(200);
    assert!(moved["mail"]["host"].is_null() && moved["mail"]["username"].is_null(), "{moved}");
    assert_eq!((&moved["has_secret"], &moved["mail"]["to"]), (&json!(false), &channel["mail"]["to"]));
    server.publish_article("Desk").await;
    assert_eq!((own.received().len(), desk.received().len()), (0, 1));
    // Half a server is none.
    for half in [json!({"from": "other@example.org"}), json!({"username": "anna"}), json!({"port": 25})] {
        let refused = change(half.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], "mail.host", "{half}: {refused}");
    }
    let server_of_its_own =
        json!({"host": "127.0.0.1", "port": own.port, "security": "none", "from": "own@example.org"});
    change(server_of_its_own).await.expect(200);
    server.publish_article("Own").await;
    let [mail] = &own.received()[..] else { panic!("{:?}", own.received()) };
    assert_eq!((mail.from.as_str(), desk.received().len()), ("own@example.org", 1));
}

async fn its_mails_wait_while_the_mail_server_is_paused(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let channel = readers(&server).await;
    let act = async |verb: &str| {
        let path = format!("/api/v1/channels/{MAIL_SERVER}/{verb}");
        server.as_admin().post(&path, &Value::Null).await.expect(200)
    };
    act("pause").await;
    server.publish_article("Later").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("pending", Some(0)));
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let later = server.now().plus(600_000);
    assert_eq!(dispatch::stuck(lease.conn(), later).await.unwrap(), Stuck::default(), "no false alarm");
    drop(lease);
    act("resume").await;
    server.tick().await;
    assert_eq!(smtp.received().len(), 1);
}
