//! Owners are notified of what others do to what belongs to them: who, what, before and after, once.

mod things;
mod verbs;

use super::{MINUTE, push::subscribe};
use crate::{deliveries::text, http_client::HttpClient, on_both, test_server::TestServer};
use presstime::reminders::notifications::announce::Announcer;
use serde_json::{Value, json};
use test_support::{Sink, SmtpSink};

on_both!(
    a_change_of_a_publication_names_who_before_and_after,
    a_change_of_many_is_one_notification_that_names_how_many,
    a_text_that_is_saved_again_and_again_is_notified_once_until_it_is_read,
    a_change_is_undone_from_the_list_while_it_can_be,
    an_article_in_the_trash_is_restored_from_the_list,
    former_and_new_owner_are_notified_of_a_hand_over,
    a_change_is_notified_as_chosen_by_mail_and_on_devices,
);

const HOUR: i64 = 60 * MINUTE;

impl TestServer {
    /// What an account has not read yet, oldest first; it is read from then on.
    async fn news_of(&self, announcer: &mut Announcer, client: &HttpClient) -> Vec<String> {
        self.announce(announcer).await;
        let list = client.get("/api/v1/notifications").await.expect(200);
        client.post("/api/v1/notifications/read", &json!({})).await.expect(200);
        let unread = list["items"].as_array().unwrap().iter().filter(|one| one["is_read"] == false);
        let mut texts: Vec<String> = unread.map(|one| text(&one["text"]).to_owned()).collect();
        texts.reverse();
        texts
    }

    /// What the creator is notified; the admin, who did it, is notified nothing.
    async fn notified_owner(&self, announcer: &mut Announcer) -> Vec<String> {
        let texts = self.news_of(announcer, &self.as_creator()).await;
        assert_eq!(self.notified(&self.as_admin()).await, [""; 0], "who did it is not notified");
        texts
    }

    /// The same as one text.
    async fn notified_once(&self, announcer: &mut Announcer) -> String {
        let texts = self.notified_owner(announcer).await;
        let [only] = &texts[..] else { panic!("one notification: {texts:?}") };
        only.clone()
    }

    /// A change of a task by the admin. Returns the task.
    async fn admin_changes(&self, task: &Value, verb: &str, more: Value) -> Value {
        let mut body = json!({"seen_version": self.task(task).await["version"]});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.as_admin().post(&format!("/api/v1/tasks/{}/{verb}", text(&task["id"])), &body).await.expect(200)
    }

    /// The newest notification of the creator.
    async fn newest(&self) -> Value {
        self.as_creator().get("/api/v1/notifications").await.expect(200)["items"][0].clone()
    }
}

async fn a_change_of_a_publication_names_who_before_and_after(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (article, task) = server.schedule_new_article("Harbour", HOUR).await;
    assert_eq!(server.notified_owner(&mut announcer).await, [""; 0], "the owner did it");
    server.admin_changes(&task, "reschedule", json!({"due_at": "2027-03-02T10:30:00Z"})).await;
    let notified = server.notified_once(&mut announcer).await;
    let lines: Vec<&str> = notified.lines().collect();
    assert_eq!(lines[0], "admin rescheduled “Harbour”.");
    assert!(
        lines[1].starts_with("Before: ") && lines[1].contains("1 Mar 2027") && lines[1].contains("09:0"),
        "{notified}"
    );
    assert!(
        lines[2].starts_with("Now: ") && lines[2].contains("2 Mar 2027") && lines[2].contains("10:30"),
        "{notified}"
    );
    assert_eq!(server.newest().await["link"], format!("/articles/{}", text(&article["id"])));
    server.admin_changes(&task, "cancel", json!({})).await;
    let notified = server.notified_once(&mut announcer).await;
    assert!(
        notified.starts_with("admin unscheduled “Harbour”.\nBefore: ") && !notified.contains("Now:"),
        "{notified}"
    );
    server.admin_changes(&task, "undo", json!({})).await;
    assert!(
        server.notified_once(&mut announcer).await.starts_with("admin undid the last change of “Harbour”.")
    );
    // Published by another: notified once, not again as published.
    server.admin_changes(&task, "publish-now", json!({})).await;
    server.tick().await;
    assert!(server.notified_once(&mut announcer).await.starts_with("admin published “Harbour” now."));
    let new = json!({"kind": "article.unpublish", "target_id": article["id"], "due_at": server.time_after(48 * HOUR)});
    let unpublish = server.as_admin().post("/api/v1/tasks", &new).await.expect(201);
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin scheduled the unpublishing of “Harbour”.\nNow: "), "{notified}");
    server.admin_changes(&unpublish, "publish-now", json!({})).await;
    server.tick().await;
    assert!(server.notified_once(&mut announcer).await.starts_with("admin unpublished “Harbour” now."));
}

async fn a_change_of_many_is_one_notification_that_names_how_many(server: TestServer) {
    let mut announcer = server.announcer().await;
    let mut tasks = Vec::new();
    for number in 1..=5 {
        tasks.push(server.schedule_new_article(&format!("Tide {number}"), HOUR).await.1["id"].clone());
    }
    let new = json!({"title": "Other", "body": "Text"});
    let other = server.as_colleague().post("/api/v1/articles", &new).await.expect(201);
    let new = json!({"kind": "article.publish", "target_id": other["id"], "due_at": server.time_after(HOUR)});
    tasks.push(server.as_colleague().post("/api/v1/tasks", &new).await.expect(201)["id"].clone());
    let body = json!({"ids": tasks, "change": {"type": "shift", "days": 1}});
    let done = server.as_admin().post("/api/v1/tasks/bulk-change", &body).await.expect(200);
    assert_eq!(done["changed"], 6, "{done}");
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin rescheduled 5 articles of yours (“Tide "), "{notified}");
    assert!(notified.ends_with(" and 2 more)."), "{notified}");
    let link = format!("/activity?person={}", server.admin.actor.account.0);
    assert_eq!(server.newest().await["link"], link);
    let colleague = server.news_of(&mut announcer, &server.as_colleague()).await;
    assert!(colleague.len() == 1 && colleague[0].starts_with("admin rescheduled “Other”."), "{colleague:?}");
    // The undo of it too.
    let undo = format!("/api/v1/batches/{}/undo", text(&done["batch_id"]));
    server.as_admin().post(&undo, &json!({})).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin undid the last change of 5 articles of yours ("), "{notified}");
}

async fn a_text_that_is_saved_again_and_again_is_notified_once_until_it_is_read(server: TestServer) {
    let mut announcer = server.announcer().await;
    let draft = server.create_draft("Harbour").await;
    let path = format!("/api/v1/articles/{}", text(&draft["id"]));
    let save = async |revision: i64| {
        let edit = json!({"body": format!("Text {revision}"), "seen_revision": revision});
        server.as_admin().patch(&path, &edit).await.expect(200)
    };
    save(1).await;
    save(2).await;
    server.announce(&mut announcer).await;
    save(3).await;
    let notified = server.notified_once(&mut announcer).await;
    assert_eq!(notified, "admin edited “Harbour”.\nBefore: revision 1\nNow: revision 3");
    save(4).await;
    let notified = server.notified_once(&mut announcer).await;
    assert_eq!(
        notified, "admin edited “Harbour”.\nBefore: revision 4\nNow: revision 5",
        "the first one was read"
    );
    let browser = server.log_in_browser(&server.admin).await;
    let form = [("id", text(&draft["id"])), ("slug", "quay"), ("from", "/articles")];
    assert_eq!(browser.form("/fn/rename_article", &form).await.status, 303);
    let notified = server.notified_once(&mut announcer).await;
    assert_eq!(notified, "admin changed the address of “Harbour”.\nBefore: harbour\nNow: quay");
}

async fn a_change_is_undone_from_the_list_while_it_can_be(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (_, task) = server.schedule_new_article("Harbour", 3 * HOUR).await;
    let due = server.task(&task).await["due_at"].clone();
    let moved =
        server.admin_changes(&task, "reschedule", json!({"due_at": server.time_after(5 * HOUR)})).await;
    server.announce(&mut announcer).await;
    let undo = server.newest().await["undo"].clone();
    assert_eq!(undo, json!({"thing": "task", "id": task["id"], "version": moved["version"]}));
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/notifications").await.expect_page();
    assert!(page.contains("/fn/undo_notified") && page.contains("Undo"), "{page}");
    let version = moved["version"].to_string();
    let form = [("thing", "task"), ("id", text(&task["id"])), ("seen", &version), ("from", "/notifications")];
    let done = browser.form("/fn/undo_notified", &form).await;
    assert_eq!((done.status, done.result_location().as_str()), (303, "/notifications?done=undo"));
    assert!(browser.get(done.header("location")).await.expect_page().contains("The change was undone."));
    assert_eq!(server.task(&task).await["due_at"], due);
    assert_eq!(server.newest().await["undo"], Value::Null, "it is undone");
    let again = browser.form("/fn/undo_notified", &form).await;
    assert_eq!(again.status, 409);
    // Another account cannot use the form.
    let colleague = server.log_in_browser(&server.colleague).await;
    assert_eq!(colleague.form("/fn/undo_notified", &form).await.status, 403);
    // Nor is an undo offered after the time has passed.
    server.admin_changes(&task, "cancel", json!({})).await;
    server.announce(&mut announcer).await;
    assert_eq!(server.newest().await["undo"]["thing"], "task");
    server.advance(4 * HOUR).await;
    assert_eq!(server.newest().await["undo"], Value::Null);
}

async fn an_article_in_the_trash_is_restored_from_the_list(server: TestServer) {
    let mut announcer = server.announcer().await;
    let article = server.create_draft("Harbour").await;
    let path = format!("/api/v1/articles/{}", text(&article["id"]));
    assert_eq!(server.as_admin().delete(&path).await.status, 204);
    assert_eq!(server.notified_once(&mut announcer).await, "admin moved “Harbour” to the trash.");
    let undo = server.newest().await["undo"].clone();
    assert_eq!((&undo["thing"], &undo["id"]), (&json!("article"), &article["id"]));
    let browser = server.log_in_browser(&server.creator).await;
    let id = text(&article["id"]);
    let form = [("thing", "article"), ("id", id), ("seen", "1"), ("from", "/notifications")];
    assert_eq!(browser.form("/fn/undo_notified", &form).await.status, 303);
    assert_eq!(server.as_creator().get(&path).await.expect(200)["deleted_at"], Value::Null);
    assert_eq!(server.notified_owner(&mut announcer).await, [""; 0], "the owner did it");
    assert_eq!(server.newest().await["undo"], Value::Null);
}

async fn former_and_new_owner_are_notified_of_a_hand_over(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (first, second) = (server.create_draft("Harbour").await, server.create_draft("Quay").await);
    let assign = async |ids: &[&Value], to: Value| {
        let ids: Vec<&Value> = ids.iter().map(|one| &one["id"]).collect();
        let body = json!({"ids": ids, "change": {"type": "assign", "to": to}});
        let done = server.as_admin().post("/api/v1/articles/bulk-change", &body).await.expect(200);
        assert_eq!(done["changed"], json!(ids.len()), "{done}");
    };
    // What was done before it in the same round is notified to who was the owner then.
    let path = format!("/api/v1/articles/{}", text(&first["id"]));
    server.as_admin().patch(&path, &json!({"body": "New", "seen_revision": 1})).await.expect(200);
    assign(&[&first], json!(server.colleague.actor.account.0)).await;
    let notified = server.notified_owner(&mut announcer).await;
    assert_eq!(
        notified,
        [
            "admin edited “Harbour”.\nBefore: revision 1\nNow: revision 2",
            "admin handed “Harbour” over to another person.\nNew owner: colleague",
        ]
    );
    let new = server.news_of(&mut announcer, &server.as_colleague()).await;
    assert_eq!(new, ["admin made you the owner of “Harbour”."]);
    assign(&[&second], json!("me")).await;
    assert_eq!(server.notified_once(&mut announcer).await, "admin took over “Quay”.");
    assign(&[&first, &second], json!(server.creator.actor.account.0)).await;
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin made you the owner of 2 articles of yours ("), "{notified}");
}

async fn a_change_is_notified_as_chosen_by_mail_and_on_devices(server: TestServer) {
    let (smtp, sink) = (SmtpSink::start().await, Sink::start().await);
    server.set_mail_server(&smtp).await;
    subscribe(&server.as_creator(), &sink.url()).await;
    let mut announcer = server.announcer().await;
    let (_, task) = server.schedule_new_article("Harbour", 6 * HOUR).await;
    server.admin_changes(&task, "reschedule", json!({"due_at": server.time_after(8 * HOUR)})).await;
    server.announce(&mut announcer).await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.to, std::slice::from_ref(&server.creator.email));
    let body = super::announcements::readable(mail);
    for part in
        ["admin rescheduled “Harbour”.", "Before: ", "Now: ", "Undo: https://desk.example/notifications"]
    {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert_eq!(sink.received().len(), 1);
    let silent = json!({"bell": true, "mail": "off", "push": false});
    server.choose(&server.as_creator(), json!({"changed": silent})).await;
    server.admin_changes(&task, "cancel", json!({})).await;
    assert_eq!(server.news_of(&mut announcer, &server.as_creator()).await.len(), 2);
    assert_eq!((smtp.received().len(), sink.received().len()), (1, 1));
    let off = json!({"bell": false, "mail": "off", "push": false});
    server.choose(&server.as_creator(), json!({"changed": off})).await;
    server.admin_changes(&task, "undo", json!({})).await;
    assert_eq!(server.notified_owner(&mut announcer).await, [""; 0]);
    // A request of a program that does not know this choice leaves it as it is.
    let mut choices = server.as_creator().get("/api/v1/notifications/choices").await.expect(200);
    choices.as_object_mut().unwrap().remove("changed");
    let kept = server.as_creator().put("/api/v1/notifications/choices", &choices).await.expect(200);
    assert_eq!(kept["changed"], off);
}
