//! Owners are notified of what happens to their tasks, once, in the ways they have chosen.

mod account;

use super::{MINUTE, push::subscribe};
use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use presstime::reminders::notifications::announce::Announcer;
use serde_json::{Value, json};
use test_support::{ReceivedMail, Sink, SmtpSink};

on_both!(
    an_article_that_goes_out_is_announced_once_to_its_owner,
    many_articles_that_go_out_together_are_one_notification,
    what_the_owner_does_is_not_announced,
    what_happened_before_the_first_look_is_not_announced,
    a_missed_task_is_mailed_at_once_or_after_the_quiet_hours,
    a_task_that_the_review_holds_is_announced_as_held,
    the_daily_mail_has_what_is_unread,
    without_a_mail_server_nothing_is_lost,
    two_nodes_announce_once,
    an_article_that_expires_soon_is_announced_once,
    choices_are_kept_and_checked,
    a_text_that_waits_is_announced_as_chosen,
    devices_show_what_was_chosen_after_the_quiet_hours_unless_it_was_read,
);

const CHOICES: &str = "/api/v1/notifications/choices";
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Time after which a missing number of the log is not awaited any more.
const SETTLED: i64 = 36_000;

/// The text of a mail, without the encoding of characters that are not ASCII.
pub(super) fn readable(mail: &ReceivedMail) -> String {
    let text = mail.text.replace("=\r\n", "");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('=') {
        bytes.extend(rest[..at].bytes());
        let code = rest.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(b'='));
        rest = &rest[at + if code.is_some() { 3 } else { 1 }..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

impl TestServer {
    /// A node that announces, after its first look.
    pub async fn announcer(&self) -> Announcer {
        let mut announcer = Announcer::new(self.app.parts.clone(), "https://desk.example".to_owned());
        announcer.round().await.unwrap();
        announcer
    }

    /// Announces what has happened, and executes the mails.
    pub async fn announce(&self, announcer: &mut Announcer) {
        self.advance(SETTLED).await;
        // The first round writes the notifications, the second one mails what was due in the first.
        announcer.round().await.unwrap();
        announcer.round().await.unwrap();
        self.tick().await;
    }

    /// Makes choices of the creator: the defaults, overridden by `more`.
    pub async fn choose(&self, client: &HttpClient, more: Value) {
        let mut choices = client.get(CHOICES).await.expect(200);
        for (name, value) in more.as_object().unwrap() {
            choices[name] = value.clone();
        }
        client.put(CHOICES, &choices).await.expect(200);
    }

    /// Quiet hours from now on. Accounts are in UTC.
    fn next_two_hours(&self) -> Value {
        let minute = self.now().millis() / MINUTE % (24 * 60);
        let text = |minute: i64| format!("{:02}:{:02}", minute / 60 % 24, minute % 60);
        json!({"from": text(minute), "until": text(minute + 2 * 60)})
    }

    /// Lets a task of the creator miss its time.
    async fn miss_a_task(&self, title: &str) {
        self.schedule_new_article(title, MINUTE).await;
        self.advance_without_loops(10 * DAY);
        self.tick().await;
    }
}

async fn an_article_that_goes_out_is_announced_once_to_its_owner(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (article, _) = server.schedule_new_article("Harbour", MINUTE).await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await, [""; 0], "it is not public yet");
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    assert_eq!(list["items"][0]["text"], "“Harbour” was published.");
    assert_eq!(list["items"][0]["link"], format!("/articles/{}", article["id"].as_str().unwrap()));
    assert_eq!((list["unread"].as_u64(), list["items"].as_array().map(Vec::len)), (Some(1), Some(1)));
    // A node that starts later finds nothing new.
    let mut another = server.announcer().await;
    server.announce(&mut another).await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await.len(), 1);
    for other in [server.as_admin(), server.as_colleague()] {
        assert_eq!(server.notified(&other).await, [""; 0], "only the owner");
    }
}

async fn many_articles_that_go_out_together_are_one_notification(server: TestServer) {
    let mut announcer = server.announcer().await;
    for number in 1..=4 {
        server.schedule_new_article(&format!("Tide {number}"), MINUTE).await;
    }
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    let [text] = &server.notified(&server.as_creator()).await[..] else { panic!("one notification") };
    assert!(text.starts_with("4 articles were published or unpublished; the last one is “Tide "), "{text}");
}

async fn what_the_owner_does_is_not_announced(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (_, task) = server.schedule_new_article("Mine", HOUR).await;
    let now = format!("/api/v1/tasks/{}/publish-now", task["id"].as_str().unwrap());
    let seen = json!({"seen_version": task["version"]});
    server.as_creator().post(&now, &seen).await.expect(200);
    let (_, task) = server.schedule_new_article("By another", HOUR).await;
    let now = format!("/api/v1/tasks/{}/publish-now", task["id"].as_str().unwrap());
    let seen = json!({"seen_version": task["version"]});
    server.as_admin().post(&now, &seen).await.expect(200);
    server.tick().await;
    server.announce(&mut announcer).await;
    let [text] = &server.notified(&server.as_creator()).await[..] else { panic!("one notification") };
    assert!(text.starts_with("admin published “By another” now.\nBefore: "), "{text}");
    let (_, task) = server.schedule_new_article("At its time", HOUR).await;
    server.as_admin().get(&format!("/api/v1/tasks/{}", task["id"].as_str().unwrap())).await.expect(200);
    server.advance(HOUR).await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await[0], "“At its time” was published.");
}

async fn what_happened_before_the_first_look_is_not_announced(server: TestServer) {
    server.schedule_new_article("Old", MINUTE).await;
    server.advance(MINUTE).await;
    let mut announcer = server.announcer().await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await, [""; 0]);
}

async fn a_missed_task_is_mailed_at_once_or_after_the_quiet_hours(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let mut announcer = server.announcer().await;
    server.miss_a_task("Late").await;
    server.announce(&mut announcer).await;
    let text = "A task for “Late” missed its time: run it now, or dismiss it.";
    assert_eq!(server.notified(&server.as_creator()).await, [text]);
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.to, std::slice::from_ref(&server.creator.email));
    let body = readable(mail);
    assert!(body.contains(text) && body.contains("https://desk.example/tasks/"), "{body}");
    assert!(body.contains("https://desk.example/settings/notifications"), "{body}");
    server.choose(&server.as_creator(), json!({"quiet": server.next_two_hours()})).await;
    server.miss_a_task("Quiet").await;
    server.announce(&mut announcer).await;
    assert_eq!((server.notified(&server.as_creator()).await.len(), smtp.received().len()), (2, 1));
    server.advance(HOUR).await;
    server.announce(&mut announcer).await;
    assert_eq!(smtp.received().len(), 1, "still quiet");
    server.advance(HOUR).await;
    server.announce(&mut announcer).await;
    server.announce(&mut announcer).await;
    assert_eq!(smtp.received().len(), 2, "once, at the end");
}

async fn a_task_that_the_review_holds_is_announced_as_held(server: TestServer) {
    let one_reviewer = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &one_reviewer).await.expect(200);
    let mut announcer = server.announcer().await;
    server.schedule_new_article("Kept", MINUTE).await;
    server.advance(MINUTE).await;
    server.advance(6_000).await;
    server.announce(&mut announcer).await;
    let text = "“Kept” was not published: its text needs a reviewer.";
    assert_eq!(server.notified(&server.as_creator()).await, [text]);
}

async fn the_daily_mail_has_what_is_unread(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let daily = json!({"bell": true, "mail": "daily", "push": false});
    server.choose(&server.as_creator(), json!({"went_out": daily})).await;
    let mut announcer = server.announcer().await;
    server.schedule_new_article("Read", MINUTE).await;
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    server.as_creator().post("/api/v1/notifications/read", &json!({})).await.expect(200);
    server.schedule_new_article("First", MINUTE).await;
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    server.schedule_new_article("Second", MINUTE).await;
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    assert_eq!(smtp.received().len(), 0, "not before its time");
    server.advance(DAY).await;
    server.announce(&mut announcer).await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.header("Subject"), "2 notifications");
    let text = readable(mail);
    assert!(text.contains("“First” was published.") && text.contains("“Second” was published."), "{text}");
    assert!(!text.contains("“Read”"), "{text}");
    server.advance(DAY).await;
    server.announce(&mut announcer).await;
    assert_eq!(smtp.received().len(), 1);
}

async fn without_a_mail_server_nothing_is_lost(server: TestServer) {
    let mail_only = json!({"bell": false, "mail": "now", "push": false});
    server.choose(&server.as_creator(), json!({"missed": mail_only})).await;
    let mut announcer = server.announcer().await;
    server.miss_a_task("Alone").await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await.len(), 1);
    // With one, it is only mailed.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.miss_a_task("Mailed").await;
    server.announce(&mut announcer).await;
    assert_eq!((server.notified(&server.as_creator()).await.len(), smtp.received().len()), (1, 1));
}

async fn two_nodes_announce_once(server: TestServer) {
    let (mut one, mut two) = (server.announcer().await, server.announcer().await);
    for number in 0..10 {
        server.schedule_new_article(&format!("Race {number}"), MINUTE).await;
        server.advance(MINUTE).await;
        server.advance(SETTLED).await;
        let (first, second) = tokio::join!(one.round(), two.round());
        // On SQLite one of them may have found the database locked; it tries again.
        assert!(first.is_ok() || second.is_ok(), "{first:?} {second:?}");
    }
    server.announce(&mut one).await;
    server.announce(&mut two).await;
    let mut texts = server.notified(&server.as_creator()).await;
    texts.sort();
    let expected: Vec<String> = (0..10).map(|number| format!("“Race {number}” was published.")).collect();
    assert_eq!(texts, expected);
}

async fn an_article_that_expires_soon_is_announced_once(server: TestServer) {
    let mut announcer = server.announcer().await;
    let published = server.publish_article("Offer").await;
    let due = json!({"kind": "article.unpublish", "target_id": published["target_id"], "due_at": server.time_after(2 * DAY)});
    server.as_creator().post("/api/v1/tasks", &due).await.expect(201);
    server.announce(&mut announcer).await;
    let soon =
        |texts: Vec<String>| texts.into_iter().filter(|text| text.contains("unpublished soon")).count();
    assert_eq!(soon(server.notified(&server.as_creator()).await), 0);
    server.advance(DAY).await;
    server.announce(&mut announcer).await;
    assert_eq!(soon(server.notified(&server.as_creator()).await), 1);
    server.advance(HOUR).await;
    server.announce(&mut announcer).await;
    assert_eq!(soon(server.notified(&server.as_creator()).await), 1);
}

async fn choices_are_kept_and_checked(server: TestServer) {
    let creator = server.as_creator();
    let mut choices = creator.get(CHOICES).await.expect(200);
    assert_eq!((&choices["quiet"], &choices["daily_at"]), (&Value::Null, &json!("08:00")));
    assert_eq!(choices["missed"], json!({"bell": true, "mail": "now", "push": true}));
    choices["quiet"] = json!({"from": "22:00", "until": "07:30"});
    choices["missed"] = json!({"bell": false, "mail": "off", "push": false});
    assert_eq!(creator.put(CHOICES, &choices).await.expect(200), choices);
    assert_eq!(creator.get(CHOICES).await.expect(200), choices);
    assert_eq!(server.as_colleague().get(CHOICES).await.expect(200)["quiet"], Value::Null);
    for (field, value) in [
        ("daily_at", json!("24:00")),
        ("daily_at", json!("8:00")),
        ("quiet", json!({"from": "07:00", "until": "07:00"})),
        ("quiet", json!({"from": "noon", "until": "07:00"})),
        ("missed", json!({"bell": true, "mail": "weekly", "push": true})),
    ] {
        let mut wrong = choices.clone();
        wrong[field] = value;
        creator.put(CHOICES, &wrong).await.expect(422);
    }
    // The form without a script.
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/settings/notifications").await.expect_page();
    assert!(page.contains("22:00") && page.contains("This desk has no mail server"), "{page}");
    let mails = ["went_out", "failed", "missed", "approval", "decided", "changed", "expires_soon", "access"]
        .map(|one| format!("{one}[mail]"));
    let mut fields: Vec<(&str, &str)> = mails.iter().map(|name| (name.as_str(), "daily")).collect();
    fields.extend([
        ("missed[bell]", "true"),
        ("quiet_from", "23:00"),
        ("quiet_until", ""),
        ("daily_at", "06:15"),
    ]);
    fields.push(("from", "/settings/notifications"));
    let refused = browser.form("/fn/save_notification_choices", &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["23:00", "06:15"]);
    assert_eq!(creator.get(CHOICES).await.expect(200), choices, "nothing was changed");
    let last = fields.len() - 3;
    fields[last] = ("quiet_until", "23:00");
    let same = browser.form("/fn/save_notification_choices", &fields).await;
    assert_eq!(same.status, 422);
    assert_contains(&same.text, &["must differ from the start"]);
    fields[last] = ("quiet_until", "06:00");
    let reply = browser.form("/fn/save_notification_choices", &fields).await;
    assert_eq!((reply.status, reply.result_location().as_str()), (303, "/settings/notifications?done=save"));
    let saved = creator.get(CHOICES).await.expect(200);
    assert_eq!(saved["missed"], json!({"bell": true, "mail": "daily", "push": false}));
    assert_eq!(saved["failed"], json!({"bell": false, "mail": "daily", "push": false}));
    assert_eq!((&saved["quiet"]["from"], &saved["daily_at"]), (&json!("23:00"), &json!("06:15")));
}

async fn a_text_that_waits_is_announced_as_chosen(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server
        .as_admin()
        .patch("/api/v1/settings/review", &json!({"workflow": "one_reviewer"}))
        .await
        .expect(200);
    let mut announcer = server.announcer().await;
    let at_once = json!({"bell": false, "mail": "now", "push": false});
    server.choose(&server.as_reviewer(), json!({"approval": at_once})).await;
    let article = server.create_draft("Harbour").await;
    let submit = format!("/api/v1/articles/{}/submit", article["id"].as_str().unwrap());
    server.as_creator().post(&submit, &json!({"seen_revision": article["revision"]})).await.expect(200);
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_reviewer()).await, [""; 0]);
    let to_reviewer = smtp.received().into_iter().filter(|mail| mail.to.contains(&server.reviewer.email));
    let bodies: Vec<String> = to_reviewer.map(|mail| readable(&mail)).collect();
    assert!(bodies.len() == 1 && bodies[0].contains("“Harbour” waits for your review."), "{bodies:?}");
}

async fn devices_show_what_was_chosen_after_the_quiet_hours_unless_it_was_read(server: TestServer) {
    let sink = Sink::start().await;
    subscribe(&server.as_creator(), &sink.url()).await;
    let silent = json!({"bell": true, "mail": "off", "push": false});
    server.choose(&server.as_creator(), json!({"went_out": silent})).await;
    let mut announcer = server.announcer().await;
    server.schedule_new_article("Not on devices", MINUTE).await;
    server.advance(MINUTE).await;
    server.announce(&mut announcer).await;
    assert_eq!((server.notified(&server.as_creator()).await.len(), sink.received().len()), (1, 0));
    server.miss_a_task("At once").await;
    server.announce(&mut announcer).await;
    assert_eq!(sink.received().len(), 1);
    server.choose(&server.as_creator(), json!({"quiet": server.next_two_hours()})).await;
    server.miss_a_task("Read meanwhile").await;
    server.announce(&mut announcer).await;
    server.as_creator().post("/api/v1/notifications/read", &json!({})).await.expect(200);
    server.miss_a_task("After the quiet hours").await;
    server.announce(&mut announcer).await;
    assert_eq!((server.notified(&server.as_creator()).await.len(), sink.received().len()), (4, 1));
    server.advance(2 * HOUR).await;
    server.announce(&mut announcer).await;
    assert_eq!(sink.received().len(), 2, "only what is unread");
}
