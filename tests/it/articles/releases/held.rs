//! Releases of texts that a reviewer must approve.

use super::{MINUTE, id, item, path};
use crate::{on_both, test_server::TestServer};
use domain::ArticleId;
use serde_json::{Value, json};

on_both!(
    a_release_that_is_approved_in_time_is_published_at_its_moment,
    a_held_release_is_published_at_once_after_the_last_approval,
    a_held_release_goes_on_without_the_blocked_article,
    a_release_whose_review_ends_by_its_deadline_goes_on,
);

const SECOND: i64 = 1_000;

impl TestServer {
    async fn set_reviewers(&self, more: Value) {
        let mut settings = json!({"workflow": "one_reviewer"});
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.as_admin().patch("/api/v1/settings/review", &settings).await.expect(200);
    }

    /// Submits a new article to the reviewers.
    async fn submitted(&self, title: &str) -> ArticleId {
        let article = self.create_article(title).await;
        let path = format!("/api/v1/articles/{article}/submit");
        self.as_creator().post(&path, &json!({"seen_revision": 1})).await.expect(200);
        article
    }

    async fn approve_text(&self, article: ArticleId) {
        let path = format!("/api/v1/articles/{article}");
        let review = self.as_creator().get(&path).await.expect(200)["review"].clone();
        let body = json!({"seen_revision": review["revision"], "revision_hash": review["hash"]});
        self.as_reviewer().post(&format!("{path}/approve"), &body).await.expect(200);
    }

    /// When the articles were published; `None`: it is not public.
    async fn published_at(&self, articles: &[ArticleId]) -> Vec<Option<domain::Timestamp>> {
        let publications = self.publications(articles).await.into_iter();
        publications.map(|public| Some(domain::Timestamp::from_millis(public?.published_at))).collect()
    }
}

fn publish_all(articles: &[ArticleId]) -> Vec<Value> {
    articles.iter().map(|article| item(article, "publish")).collect()
}

async fn a_release_that_is_approved_in_time_is_published_at_its_moment(server: TestServer) {
    server.set_reviewers(json!({})).await;
    let articles = [server.submitted("One").await, server.submitted("Two").await];
    let release = server.release_of("Spring", publish_all(&articles)).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    assert_eq!(server.release(&release).await["items"][1]["problem"], "not_approved");
    let moment = server.now().plus(MINUTE);
    server.approve_text(articles[0]).await;
    server.approve_text(articles[1]).await;
    server.advance(MINUTE - SECOND).await;
    assert_eq!(server.published_at(&articles).await, [None, None]);
    server.advance(SECOND).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.published_at(&articles).await, [Some(moment), Some(moment)]);
    server.assert_execution_records_match().await;
}

async fn a_held_release_is_published_at_once_after_the_last_approval(server: TestServer) {
    server.set_reviewers(json!({})).await;
    let articles =
        [server.submitted("One").await, server.submitted("Two").await, server.submitted("Three").await];
    let release = server.release_of("Spring", publish_all(&articles)).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    server.approve_text(articles[0]).await;
    server.advance(MINUTE).await;
    let held = server.task(&task).await;
    assert_eq!(
        (&held["state"], &held["reason"]),
        (&json!("failed"), &json!("blocked_item:not_approved:Two"))
    );
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/releases/{}", id(&release))).await.expect_page();
    assert!(page.contains("It is published as soon as all its articles are approved"), "{page}");
    server.advance(10 * MINUTE).await;
    server.approve_text(articles[1]).await;
    server.advance(SECOND).await;
    assert_eq!(server.task(&task).await["state"], "failed", "another one is not approved yet");
    assert_eq!(server.published_at(&articles).await, [None, None, None]);
    server.approve_text(articles[2]).await;
    let shown = server.release(&release).await;
    assert_eq!(shown["state"], "scheduled", "{shown}");
    let moment = server.now();
    server.tick().await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.published_at(&articles).await, [Some(moment); 3]);
    assert_eq!(server.release(&release).await["state"], "published");
    server.assert_execution_records_match().await;
}

async fn a_held_release_goes_on_without_the_blocked_article(server: TestServer) {
    server.set_reviewers(json!({})).await;
    let (fine, blocked) = (server.submitted("Fine").await, server.submitted("Blocked").await);
    server.approve_text(fine).await;
    let release = server.release_of("Spring", publish_all(&[fine, blocked])).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["reason"], "blocked_item:not_approved:Blocked");
    let creator = server.as_creator();
    let version = server.release(&release).await["version"].clone();
    let renamed = json!({"name": "Summer", "seen_version": version});
    let renamed = creator.patch(&path(&release, ""), &renamed).await.expect(200);
    assert_eq!(renamed["state"], "failed", "a new name removes nothing");
    let items = json!({"items": publish_all(&[fine]), "seen_version": renamed["version"]});
    let reduced = creator.patch(&path(&release, ""), &items).await.expect(200);
    assert_eq!(reduced["state"], "scheduled", "{reduced}");
    server.tick().await;
    assert_eq!(server.task(&task).await["state"], "executed");
    let published = server.published_at(&[fine, blocked]).await;
    assert!(published[0].is_some() && published[1].is_none(), "{published:?}");
    // Removing all that is left leaves nothing to publish.
    let other = server.release_of("Other", publish_all(&[blocked])).await;
    server.schedule_release(&other, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    let none = json!({"items": [], "seen_version": 1});
    let emptied = creator.patch(&path(&other, ""), &none).await.expect(200);
    assert_eq!(emptied["state"], "failed", "{emptied}");
    server.assert_execution_records_match().await;
}

async fn a_release_whose_review_ends_by_its_deadline_goes_on(server: TestServer) {
    server.set_reviewers(json!({"deadline": {"after_submit": 5, "decision": "approve"}})).await;
    let article = server.submitted("Slow").await;
    let release = server.release_of("Spring", publish_all(&[article])).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["state"], "failed");
    server.advance(4 * MINUTE).await;
    server.advance(SECOND).await;
    let shown = server.as_creator().get(&format!("/api/v1/articles/{article}")).await.expect(200);
    assert_eq!(shown["review"]["state"], "approved", "{shown}");
    assert_eq!(server.task(&task).await["state"], "executed");
    assert!(server.published_at(&[article]).await[0].is_some());
    server.assert_execution_records_match().await;
}
