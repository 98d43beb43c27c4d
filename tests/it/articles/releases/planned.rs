//! Articles, lists, calendars and reminders name the scheduled release of an article.

use super::{MINUTE, id, item};
use crate::{on_both, test_server::TestServer};
use domain::ArticleId;
use serde_json::{Value, json};

on_both!(
    an_article_names_its_scheduled_release,
    a_feed_has_one_event_for_a_release,
    reminders_about_an_article_follow_its_release,
);

const HOUR: i64 = 60 * MINUTE;

impl TestServer {
    async fn shown_article(&self, article: ArticleId) -> Value {
        self.as_creator().get(&format!("/api/v1/articles/{article}")).await.expect(200)
    }

    /// Ids of the articles in a state.
    async fn listed_as(&self, state: &str) -> Vec<String> {
        let list = self.as_creator().get(&format!("/api/v1/articles?state={state}")).await.expect(200);
        let items = list["items"].as_array().unwrap().iter();
        items.map(|article| article["id"].as_str().unwrap().to_owned()).collect()
    }

    async fn act_on_release_task(&self, task: &Value, action: &str, more: Value) -> Value {
        let mut body = json!({"seen_version": self.task(task).await["version"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.as_creator().post(&format!("/api/v1/tasks/{}/{action}", id(task)), &body).await.expect(200)
    }

    /// When a reminder is due, milliseconds from now, and its state.
    async fn reminds_in(&self, reminder: &Value) -> (i64, String) {
        let shown = self.as_creator().get(&format!("/api/v1/reminders/{}", id(reminder))).await.expect(200);
        let due: domain::Timestamp = shown["due_at"].as_str().unwrap().parse().unwrap();
        (due.since(self.now()), shown["state"].as_str().unwrap().to_owned())
    }
}

async fn an_article_names_its_scheduled_release(server: TestServer) {
    let (article, other) = (server.create_article("Lead").await, server.create_article("Other").await);
    let release = server.release_of("Spring & more", vec![item(article, "publish")]).await;
    assert_eq!(server.shown_article(article).await["release"], Value::Null, "it is not scheduled");
    let due_at = server.time_after(HOUR);
    let task = server.schedule_release(&release, HOUR).await.expect(201);
    let expected =
        json!({"id": release["id"], "name": "Spring & more", "action": "publish", "due_at": due_at});
    assert_eq!(server.shown_article(article).await["release"], expected);
    assert_eq!(server.shown_article(other).await["release"], Value::Null);
    assert_eq!(server.listed_as("scheduled").await, [article.to_string()]);
    assert_eq!(server.listed_as("draft").await, [other.to_string()]);
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/articles/{article}")).await.expect_page();
    let link = format!("/releases/{}", id(&release));
    assert!(page.contains("Part of the release") && page.contains(&link), "{page}");
    assert!(page.contains("Spring &amp; more") && !page.contains("Draft: not scheduled"), "{page}");
    let page = browser.get(&format!("/articles/{other}")).await.expect_page();
    assert!(!page.contains("Part of the release") && page.contains("Draft: not scheduled"), "{page}");
    let list = browser.get("/articles").await.expect_page();
    assert!(list.contains(&link) && list.contains("Spring &amp; more"), "{list}");
    server.act_on_release_task(&task, "cancel", json!({})).await;
    assert_eq!(server.shown_article(article).await["release"], Value::Null);
    assert!(server.listed_as("scheduled").await.is_empty());
}

async fn a_feed_has_one_event_for_a_release(server: TestServer) {
    let articles = [server.create_article("One").await, server.create_article("Two").await];
    let items = articles.iter().map(|article| item(article, "publish")).collect();
    let release = server.release_of("Spring", items).await;
    server.schedule_release(&release, HOUR).await.expect(201);
    let mut texts = Vec::new();
    for (client, kind) in
        [(server.as_creator(), "person"), (server.as_colleague(), "desk"), (server.as_colleague(), "person")]
    {
        let feed = client.post("/api/v1/feeds", &json!({"kind": kind})).await.expect(201);
        let url = feed["url"].as_str().unwrap();
        let reply = server.as_anonymous().get(&url[url.find("/feeds/").unwrap()..]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        texts.push(reply.text);
    }
    for text in &texts[..2] {
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 1, "{text}");
        assert!(text.contains("SUMMARY:\u{2191} Spring (2 articles)\r\n"), "{text}");
        assert!(text.contains("STATUS:TENTATIVE\r\n"), "{text}");
        // Long lines are folded.
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&format!("/releases/{}", id(&release))), "{text}");
    }
    assert!(!texts[2].contains("Spring"), "not theirs: {}", texts[2]);
}

async fn reminders_about_an_article_follow_its_release(server: TestServer) {
    let article = server.create_article("Bridges").await;
    let release = server.release_of("Spring", vec![item(article, "publish")]).await;
    let new = json!({"text": "ask for the picture", "article_id": article, "offset_minutes": -60});
    let creator = server.as_creator();
    assert_eq!(creator.post("/api/v1/reminders", &new).await.refused(422), "invalid", "no moment yet");
    let task = server.schedule_release(&release, 5 * HOUR).await.expect(201);
    let reminder = creator.post("/api/v1/reminders", &new).await.expect(201);
    assert_eq!(server.reminds_in(&reminder).await, (4 * HOUR, "scheduled".to_owned()));
    let later = json!({"due_at": server.time_after(8 * HOUR)});
    server.act_on_release_task(&task, "reschedule", later).await;
    assert_eq!(server.reminds_in(&reminder).await, (7 * HOUR, "scheduled".to_owned()), "it moves");
    server.act_on_release_task(&task, "cancel", json!({})).await;
    assert_eq!(server.reminds_in(&reminder).await.1, "cancelled");
    server.act_on_release_task(&task, "undo", json!({})).await;
    assert_eq!(server.reminds_in(&reminder).await, (7 * HOUR, "scheduled".to_owned()), "it comes back");
    server.advance(7 * HOUR).await;
    let list = creator.get("/api/v1/notifications").await.expect(200);
    let note = list["items"][0]["text"].as_str().unwrap().to_owned();
    assert!(note.starts_with("ask for the picture\n“Bridges” is published: "), "{note}");
    server.advance(HOUR).await;
    assert!(server.publication(article).await.is_some());
}
