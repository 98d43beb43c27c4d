//! Releases: articles that become public, or are unpublished, together or not at all.

mod changes;
mod held;
mod planned;

use crate::{
    http_client::Reply,
    new_task::publish,
    on_both,
    test_server::{Account, TestServer},
};
use domain::ArticleId;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use store::{PoolRole, publication::PublicState};
use test_support::Sink;

on_both!(
    readers_never_see_a_part_of_a_release,
    a_blocked_article_names_itself_and_nothing_changes,
    an_article_in_the_trash_blocks_its_release,
    a_release_is_reverted_as_a_whole,
    a_release_is_not_reverted_over_later_changes,
    the_task_of_a_release_is_moved_cancelled_and_run_now,
    channels_get_a_message_for_each_article,
    a_release_of_two_hundred_articles_is_published_and_reverted,
    plain_forms_make_publish_and_revert_a_release,
    several_ticked_articles_become_a_release,
    one_form_makes_and_schedules_a_release,
);

const MINUTE: i64 = 60_000;

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

fn path(release: &Value, rest: &str) -> String {
    format!("/api/v1/releases/{}{rest}", id(release))
}

fn item(article: impl ToString, action: &str) -> Value {
    json!({"article_id": article.to_string(), "action": action})
}

impl TestServer {
    async fn try_release(&self, by: &Account, name: &str, items: Vec<Value>) -> Reply {
        let new = json!({"name": name, "items": items});
        self.as_account(by).post("/api/v1/releases", &new).await
    }

    async fn release_of(&self, name: &str, items: Vec<Value>) -> Value {
        self.try_release(&self.creator, name, items).await.expect(201)
    }

    async fn schedule_release(&self, release: &Value, millis: i64) -> Reply {
        let at = json!({"due_at": self.time_after(millis)});
        self.as_creator().post(&path(release, "/schedule"), &at).await
    }

    async fn release(&self, release: &Value) -> Value {
        self.as_creator().get(&path(release, "")).await.expect(200)
    }

    async fn revert(&self, release: &Value) -> Reply {
        self.as_creator().post(&path(release, "/revert"), &json!({})).await
    }

    /// Publishes articles by tasks of their own.
    async fn publish_each(&self, articles: &[ArticleId]) {
        for article in articles {
            let new = publish(*article, self.now().plus(1_000));
            self.app.services.tasks.schedule(&self.creator.actor, new).await.unwrap();
        }
        self.advance(1_000).await;
    }

    /// Saves another text of an article.
    async fn rewrite_article(&self, article: ArticleId, body: &str) -> Value {
        let path = format!("/api/v1/articles/{article}");
        let revision = self.as_creator().get(&path).await.expect(200)["revision"].clone();
        self.as_creator().patch(&path, &json!({"body": body, "seen_revision": revision})).await.expect(200)
    }

    async fn publications(&self, articles: &[ArticleId]) -> Vec<Option<PublicState>> {
        let mut all = Vec::new();
        for article in articles {
            all.push(self.publication(*article).await);
        }
        all
    }

    async fn retry_release(&self, task: &Value) -> Reply {
        let seen = json!({"seen_version": self.task(task).await["version"]});
        self.as_creator().post(&format!("/api/v1/tasks/{}/retry", id(task)), &seen).await
    }
}

/// Returns how many articles of each half the site lists.
async fn listed(server: &TestServer) -> (usize, usize) {
    let sitemap = server.as_anonymous().get("/site/sitemap.xml").await.expect_page();
    let is_listed = |number: &usize| sitemap.contains(&format!("/site/many-{number}<"));
    ((0..50).filter(is_listed).count(), (50..60).filter(is_listed).count())
}

async fn readers_never_see_a_part_of_a_release(server: TestServer) {
    let articles = server.create_articles(60).await;
    let (new, old) = articles.split_at(50);
    server.publish_each(old).await;
    let items =
        new.iter().map(|one| item(one, "publish")).chain(old.iter().map(|one| item(one, "unpublish")));
    let release = server.release_of("Spring issue", items.collect()).await;
    assert_eq!((&release["state"], release["items"].as_array().unwrap().len()), (&json!("draft"), 60));
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    assert_eq!((&task["kind"], &task["title"]), (&json!("release.publish"), &json!("Spring issue")));
    assert_eq!(listed(&server).await, (0, 10));
    let is_done = AtomicBool::new(false);
    let execute = async {
        server.advance(MINUTE).await;
        is_done.store(true, SeqCst);
    };
    let read = async {
        let mut seen = vec![listed(&server).await];
        while !is_done.load(SeqCst) {
            seen.push(listed(&server).await);
        }
        seen.push(listed(&server).await);
        seen
    };
    let ((), seen) = tokio::join!(execute, read);
    assert!(seen.iter().all(|seen| [(0, 10), (50, 0)].contains(seen)), "{seen:?}");
    assert_eq!(seen.last(), Some(&(50, 0)));
    let shown = server.release(&release).await;
    assert_eq!((&shown["state"], &shown["items"][59]["state"]), (&json!("published"), &json!("done")));
    assert_eq!(server.task(&task).await["state"], "executed");
    // Each article has an executed task of its own, at the same moment.
    let publications = server.publications(&articles).await;
    let moments = publications[..50].iter().map(|public| public.unwrap().published_at);
    assert!(
        moments.collect::<std::collections::HashSet<_>>().len() == 1
            && publications[50..].iter().all(Option::is_none)
    );
    let executed = server
        .as_creator()
        .get("/api/v1/tasks?state=executed&kind=article.publish&limit=200")
        .await
        .expect(200);
    assert_eq!(executed["items"].as_array().unwrap().len(), 60);
    server.assert_execution_records_match().await;
}

async fn a_blocked_article_names_itself_and_nothing_changes(server: TestServer) {
    let settings = json!({"workflow": "automatic"});
    server.as_admin().patch("/api/v1/settings/review", &settings).await.expect(200);
    let (one, two) = (server.create_article("One").await, server.create_article("A casino").await);
    let three = server.create_article("Three").await;
    server.publish_each(&[three]).await;
    let before = server.publications(&[one, two, three]).await;
    let items = vec![item(one, "publish"), item(two, "publish"), item(three, "unpublish")];
    let release = server.release_of("Games", items).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    let list = json!({"name": "Bets", "language": "any", "action": "block", "terms": ["casino"]});
    let list = server.as_admin().post("/api/v1/word-lists", &list).await.expect(201);
    server.advance(MINUTE).await;
    let failed = server.task(&task).await;
    assert_eq!(
        (&failed["state"], &failed["reason"]),
        (&json!("failed"), &json!("blocked_item:words_block:A casino"))
    );
    assert_eq!(server.publications(&[one, two, three]).await, before);
    let shown = server.release(&release).await;
    assert_eq!(shown["state"], "failed");
    let states: Vec<&Value> = (0..3).map(|place| &shown["items"][place]["state"]).collect();
    assert_eq!(states, ["ready", "blocked", "ready"]);
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/releases/{}", id(&release))).await.expect_page();
    assert!(page.contains("so no reviewer can approve it") && !page.contains("as soon as all its"), "{page}");
    let attention = server.as_creator().get("/api/v1/attention").await.expect(200);
    assert_eq!(attention["items"][0]["cause"], "task_held", "{attention}");
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/").await.expect_page();
    assert!(page.contains("“A casino” contains words that must not be published"), "{page}");
    let refused = server.retry_release(&task).await;
    assert!(refused.text.contains("“A casino”"), "{}", refused.text);
    assert_eq!(refused.refused(409), "release_blocked");
    assert_eq!(server.as_admin().delete(&format!("/api/v1/word-lists/{}", id(&list))).await.status, 204);
    server.retry_release(&task).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    let is_public: Vec<bool> =
        server.publications(&[one, two, three]).await.iter().map(Option::is_some).collect();
    assert_eq!(is_public, [true, true, false]);
    server.assert_execution_records_match().await;
}

async fn an_article_in_the_trash_blocks_its_release(server: TestServer) {
    let (kept, thrown) = (server.create_article("Kept").await, server.create_article("Thrown away").await);
    let release = server.release_of("Two", vec![item(kept, "publish"), item(thrown, "publish")]).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    let article = format!("/api/v1/articles/{thrown}");
    let refused = server.as_creator().delete(&article).await;
    assert!(refused.text.contains("“Two”"), "{}", refused.text);
    assert_eq!(refused.refused(409), "in_scheduled_release");
    // An import that is undone moves its articles to the trash.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert!(store::trash::put(tx.conn(), thrown, server.now()).await.unwrap());
    tx.commit().await.unwrap();
    server.advance(MINUTE).await;
    let failed = server.task(&task).await;
    assert_eq!(
        (&failed["state"], &failed["reason"]),
        (&json!("failed"), &json!("blocked_item:in_trash:Thrown away"))
    );
    assert_eq!(server.publications(&[kept, thrown]).await, [None, None]);
    assert_eq!(server.release(&release).await["items"][1]["problem"], "in_trash");
    assert_eq!(server.schedule_release(&release, MINUTE).await.refused(409), "release_blocked");
    server.as_creator().post(&format!("{article}/restore"), &json!({})).await.expect(200);
    server.retry_release(&task).await.expect(200);
    server.advance(1).await;
    assert!(server.publications(&[kept, thrown]).await.iter().all(Option::is_some));
}

/// A published release: a new article, a changed one and an unpublished one. Returns it with the
/// articles, and with what was public before.
async fn published(server: &TestServer) -> (Value, [ArticleId; 3], Vec<Option<PublicState>>) {
    let (new, changed) = (server.create_article("New").await, server.create_article("Changed").await);
    let gone = server.create_article("Gone").await;
    server.publish_each(&[changed, gone]).await;
    server.rewrite_article(changed, "Another text.").await;
    let articles = [new, changed, gone];
    let before = server.publications(&articles).await;
    let items = vec![item(new, "publish"), item(changed, "publish"), item(gone, "unpublish")];
    let release = server.release_of("Issue", items).await;
    assert_eq!(server.revert(&release).await.refused(409), "release_not_published");
    server.schedule_release(&release, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    assert_eq!(server.release(&release).await["state"], "published");
    (release, articles, before)
}

async fn a_release_is_reverted_as_a_whole(server: TestServer) {
    let (release, articles, before) = published(&server).await;
    let after = server.publications(&articles).await;
    assert!(after[0].is_some() && after[1] != before[1] && after[2].is_none());
    let task = server.revert(&release).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.publications(&articles).await, before);
    let shown = server.release(&release).await;
    assert_eq!((&shown["state"], &shown["published_at"]), (&json!("reverted"), &Value::Null));
    server.assert_execution_records_match().await;
    // It can be published again.
    server.schedule_release(&release, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    assert_eq!(server.release(&release).await["state"], "published");
    let again = server.publications(&articles).await;
    assert!(again[0].is_some() && again[2].is_none());
}

async fn a_release_is_not_reverted_over_later_changes(server: TestServer) {
    let (release, articles, _) = published(&server).await;
    server.rewrite_article(articles[1], "A third text.").await;
    server.publish_each(&[articles[1]]).await;
    let public = server.publications(&articles).await;
    let refused = server.revert(&release).await;
    assert!(refused.text.contains("“Changed”"), "{}", refused.text);
    assert_eq!(refused.refused(409), "release_blocked");
    assert_eq!(server.release(&release).await["items"][1]["problem"], "changed_since");
    server.advance(1_000).await;
    assert_eq!(server.publications(&articles).await, public);
}

async fn the_task_of_a_release_is_moved_cancelled_and_run_now(server: TestServer) {
    let article = server.create_article("Soon").await;
    let release = server.release_of("Moved", vec![item(article, "publish")]).await;
    let task = server.schedule_release(&release, MINUTE).await.expect(201);
    let action = |action: &str| format!("/api/v1/tasks/{}/{action}", id(&task));
    let creator = server.as_creator();
    let moved = json!({"seen_version": 1, "due_at": server.time_after(2 * MINUTE)});
    creator.post(&action("reschedule"), &moved).await.expect(200);
    server.advance(MINUTE).await;
    assert_eq!(server.publication(article).await, None);
    creator.post(&action("cancel"), &json!({"seen_version": 2})).await.expect(200);
    assert_eq!(server.release(&release).await["state"], "draft");
    creator.post(&action("undo"), &json!({"seen_version": 3})).await.expect(200);
    assert_eq!(server.release(&release).await["state"], "scheduled");
    // A double click changes nothing and gets the same task.
    let now = creator.post(&path(&release, "/publish-now"), &json!({})).await.expect(200);
    assert_eq!(id(&now), id(&task));
    server.tick().await;
    let again = creator.post(&path(&release, "/publish-now"), &json!({})).await.expect(200);
    assert_eq!(id(&again), id(&task));
    assert!(server.publication(article).await.is_some());
    let calendar = server.now().to_string();
    let day = &calendar[..10];
    let shown = creator.get(&format!("/api/v1/calendar?from={day}&to={day}")).await.expect(200);
    assert!(shown.to_string().contains("release.publish"), "{shown}");
}

async fn channels_get_a_message_for_each_article(server: TestServer) {
    let sink = Sink::start().await;
    let channel = json!({"name": "Sink", "url": sink.url()});
    server.as_admin().post("/api/v1/channels", &channel).await.expect(201);
    let (one, two) = (server.create_article("One").await, server.create_article("Two").await);
    let release = server.release_of("Both", vec![item(one, "publish"), item(two, "publish")]).await;
    server.schedule_release(&release, MINUTE).await.expect(201);
    server.advance(MINUTE).await;
    server.advance(1_000).await;
    let deliveries = server.as_admin().get("/api/v1/deliveries").await.expect(200);
    let mut titles: Vec<&str> =
        deliveries["items"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["One", "Two"]);
    let states = deliveries["items"].as_array().unwrap().iter().map(|one| one["state"].as_str().unwrap());
    assert!(states.into_iter().all(|state| state == "delivered"), "{deliveries}");
}

async fn a_release_of_two_hundred_articles_is_published_and_reverted(server: TestServer) {
    let articles = server.create_articles(200).await;
    let items = articles.iter().map(|one| item(one, "publish")).collect();
    let release = server.release_of("Large", items).await;
    server.as_creator().post(&path(&release, "/publish-now"), &json!({})).await.expect(200);
    server.advance(1).await;
    assert!(server.publications(&articles).await.iter().all(Option::is_some));
    server.revert(&release).await.expect(200);
    server.advance(1).await;
    assert!(server.publications(&articles).await.iter().all(Option::is_none));
    server.assert_execution_records_match().await;
}

async fn plain_forms_make_publish_and_revert_a_release(server: TestServer) {
    let (article, browser) =
        (server.create_article("Lead story").await, server.log_in_browser(&server.creator).await);
    let empty = browser.get("/releases").await.expect_page();
    assert!(empty.contains("No releases yet."), "{empty}");
    let long = "x".repeat(201);
    let refused = browser.form("/fn/create_release", &[("name", &long), ("from", "/releases/new")]).await;
    assert!(refused.status == 422 && refused.text.contains(&long), "the input comes back: {}", refused.text);
    let made = browser.form("/fn/create_release", &[("name", "Spring"), ("from", "/releases/new")]).await;
    let page = made.header("location").to_owned();
    let id = page.trim_start_matches("/releases/");
    let found = browser.get(&format!("{page}?q=lead")).await.expect_page();
    assert!(found.contains("No articles yet.") && found.contains("Lead story"), "{found}");
    let article = article.to_string();
    let form = |action: &'static str, seen: &'static str| {
        [("release", id), ("seen", seen), ("id", &*article), ("action", action)]
    };
    let stale = browser.form("/fn/change_release_item", &form("publish", "9")).await;
    assert_eq!(stale.status, 409, "{}", stale.text);
    assert_eq!(browser.form("/fn/change_release_item", &form("publish", "1")).await.header("location"), page);
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("Publish · Revision 1") && shown.contains("1 of 1 ready"), "{shown}");
    let act = |what: &'static str, seen: &'static str| [("id", id), ("seen", seen), ("what", what)];
    assert_eq!(browser.form("/fn/act_on_release", &act("publish", "2")).await.header("location"), page);
    server.advance(1_000).await;
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("Revert this release") && !shown.contains("/fn/schedule_release"), "{shown}");
    assert_eq!(browser.form("/fn/act_on_release", &act("revert", "3")).await.header("location"), page);
    server.advance(1_000).await;
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("readers see everything as before"), "{shown}");
    let list = browser.get("/releases").await.expect_page();
    assert!(list.contains("Spring") && list.contains("Reverted"), "{list}");
}

async fn several_ticked_articles_become_a_release(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let mut ids = Vec::new();
    for title in ["Lead story", "Timeline", "Interview"] {
        ids.push(server.create_article(title).await.to_string());
    }
    let list = browser.get("/articles").await.expect_page();
    assert!(list.contains("formaction=\"/releases/new\""), "{list}");
    let panel = browser.get(&format!("/articles/{}", ids[0])).await.expect_page();
    assert!(panel.contains(&format!("/releases/new?ids={}", ids[0])), "{panel}");
    let new = browser.get(&format!("/releases/new?ids={}&ids={}", ids[0], ids[1])).await.expect_page();
    assert!(new.contains("Lead story and 1 more"), "a name is proposed: {new}");
    assert_eq!(new.matches(" checked").count(), 2, "{new}");
    let fields = [("name", "Council"), ("ids[]", &*ids[0]), ("ids[]", &*ids[1]), ("from", "/releases/new")];
    let made = browser.form("/fn/create_release", &fields).await;
    let page = made.header("location").to_owned();
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("2 of 2 ready") && shown.contains("Interview"), "{shown}");
    let id = page.trim_start_matches("/releases/");
    let into = |version: i32| format!("{id}.{version}");
    let add = |into: String| [("name", String::new()), ("into", into), ("ids[]", ids[2].clone())];
    let stale = add(into(7));
    let stale: Vec<(&str, &str)> = stale.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.form("/fn/create_release", &stale).await.status, 409);
    let added = add(into(1));
    let added: Vec<(&str, &str)> = added.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.form("/fn/create_release", &added).await.header("location"), page);
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("3 of 3 ready"), "{shown}");
    let none = [("release", id), ("seen", "2"), ("action", "publish")];
    assert_eq!(browser.form("/fn/change_release_item", &none).await.status, 422, "nothing is ticked");
}

async fn one_form_makes_and_schedules_a_release(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let mut ids = Vec::new();
    for title in ["Lead story", "Interview", "Timeline"] {
        ids.push(server.create_article(title).await.to_string());
    }
    // A search keeps what is ticked and typed.
    let typed = "name=Council&date=2027-03-05&time=10%3A00&zone=UTC";
    let search = format!("/releases/new?q=timel&ids%5B%5D={}&ids%5B%5D={}&{typed}", ids[0], ids[1]);
    let found = browser.get(&search).await.expect_page();
    assert_eq!(found.matches(" checked").count(), 2, "{found}");
    for part in ["2 selected", "Timeline", "value=\"Council\"", "value=\"2027-03-05\"", "value=\"10:00\""] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let form = |date: &'static str| {
        let ticked = ids.iter().map(|id| ("ids[]", id.as_str()));
        let others = [("name", "Council"), ("date", date), ("time", "10:00"), ("zone", "UTC")];
        ticked.chain(others).chain([("from", "/releases/new")]).collect::<Vec<_>>()
    };
    // A time that has passed: nothing is made, and everything comes back.
    let refused = browser.form("/fn/create_release", &form("2027-02-01")).await;
    assert!(refused.status >= 400, "{}", refused.status);
    assert_eq!(refused.text.matches(" checked").count(), 3, "{}", refused.text);
    let list = browser.get("/releases").await.expect_page();
    assert!(list.contains("No releases yet."), "{list}");
    let made = browser.form("/fn/create_release", &form("2027-03-05")).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let shown = browser.get(made.header("location")).await.expect_page();
    assert!(shown.contains("3 articles") && shown.contains("While it is scheduled"), "{shown}");
    let fourth = server.create_article("Portrait").await.to_string();
    let others =
        [("name", "Later"), ("date", "2027-03-06"), ("time", "10:00"), ("zone", "UTC"), ("draft", "1")];
    let draft = [&[("ids[]", fourth.as_str()), ("from", "/releases/new")][..], &others].concat();
    let made = browser.form("/fn/create_release", &draft).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let shown = browser.get(made.header("location")).await.expect_page();
    assert!(!shown.contains("While it is scheduled"), "{shown}");
}
