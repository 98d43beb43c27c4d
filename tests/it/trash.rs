//! Deleting articles: into the trash, back, and away for good.

use crate::{
    house::{BEGIN, Story},
    on_both,
};
use domain::limit::TRASH_MS;
use presstime::import::{self, Import, Progress};
use serde_json::{Value, json};
use store::Who;

on_both!(
    a_draft_goes_into_the_trash_and_comes_back,
    what_stands_in_the_way_is_said,
    nothing_can_be_done_to_what_is_in_the_trash,
    an_address_that_readers_knew_is_gone,
    what_was_deleted_thirty_days_ago_goes_for_good,
    a_deleted_article_is_not_imported_again,
    a_form_deletes_and_takes_back_without_javascript,
    a_backup_holds_the_trash,
);

fn path(article: &Value) -> String {
    format!("/api/v1/articles/{}", article["id"].as_str().unwrap())
}

async fn titles(story: &Story, query: &str) -> Vec<String> {
    let list = story.as_creator().get(&format!("/api/v1/articles?{query}")).await.expect(200);
    let title = |item: &Value| item["title"].as_str().unwrap().to_owned();
    list["items"].as_array().unwrap().iter().map(title).collect()
}

async fn delete(story: &Story, article: &Value) {
    assert_eq!(story.as_creator().delete(&path(article)).await.status, 204);
}

async fn a_draft_goes_into_the_trash_and_comes_back(story: Story) {
    let draft = story.draft("Whale song").await;
    story.draft("Stays").await;
    let seen = format!("{}?seen_revision=9", path(&draft));
    let refused = story.as_creator().delete(&seen).await;
    assert_eq!((refused.json()["current"]["revision"].clone(), refused.status), (json!(1), 409));
    delete(&story, &draft).await;
    delete(&story, &draft).await;
    assert_eq!(titles(&story, "").await, ["Stays"]);
    assert!(titles(&story, "q=whale").await.is_empty());
    assert_eq!(titles(&story, "state=trash").await, ["Whale song"]);
    assert_eq!(titles(&story, "state=trash&q=whale").await, ["Whale song"]);
    let trash = story.as_creator().get("/api/v1/articles?state=trash").await.expect(200);
    assert_eq!(trash["items"][0]["deleted_at"], json!(BEGIN.to_string()));
    assert_eq!(story.as_creator().get(&path(&draft)).await.refused(410), "in_trash");
    let twin = story.draft("Whale song").await;
    assert_eq!(twin["slug"], "whale-song-2", "the name is kept while it can come back");
    let restore = format!("{}/restore", path(&draft));
    for _ in 0..2 {
        let restored = story.as_creator().post(&restore, &json!({})).await.expect(200);
        assert_eq!((&restored["deleted_at"], &restored["slug"]), (&Value::Null, &json!("whale-song")));
    }
    assert_eq!(titles(&story, "q=whale").await.len(), 2);
    let id = draft["id"].as_str().unwrap().parse().unwrap();
    let mut lease = story.house.parts.store.read(Who::People).await.unwrap();
    let events = store::event::of(lease.conn(), id, 10).await.unwrap();
    let verbs: Vec<_> = events.into_iter().map(|event| event.verb).collect();
    assert_eq!(verbs, ["create", "delete", "undelete"]);
}

async fn what_stands_in_the_way_is_said(story: Story) {
    let (article, task) = story.scheduled("Soon", 60_000).await;
    let refused = story.as_creator().delete(&path(&article)).await;
    assert_eq!((refused.status, &refused.json()["task"]["id"]), (409, &task["id"]));
    assert_eq!(refused.json()["error"]["code"], "in_the_way");
    story.advance(60_000).await;
    let refused = story.as_creator().delete(&path(&article)).await;
    let message = refused.json()["error"]["message"].to_string();
    assert!(refused.status == 409 && message.contains("unpublish"), "{message}");
    let browser = story.browser_of(&story.creator).await;
    let page = browser.get(&format!("/articles/{}", article["id"].as_str().unwrap())).await.expect_page();
    assert!(page.contains("To delete it, unpublish it first."), "{page}");
}

async fn nothing_can_be_done_to_what_is_in_the_trash(story: Story) {
    let (article, task) = story.scheduled("Thrown away", 60_000).await;
    let task = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    story.as_creator().post(&format!("{task}/cancel"), &json!({"seen_version": 1})).await.expect(200);
    delete(&story, &article).await;
    let caller = story.as_creator();
    let edit = json!({"body": "other", "seen_revision": 1});
    assert_eq!(caller.patch(&path(&article), &edit).await.refused(409), "in_trash");
    let wish = json!({"kind": "article.publish", "target_id": article["id"], "due_at": story.later(60_000)});
    assert_eq!(caller.post("/api/v1/tasks", &wish).await.refused(409), "in_trash");
    assert_eq!(
        caller.post(&format!("{task}/undo"), &json!({"seen_version": 2})).await.refused(409),
        "in_trash"
    );
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let (desk, actor) = (&story.house.desk, &story.creator.actor);
    assert_eq!(desk.tasks.publish_at_once(actor, id).await.unwrap_err().code(), "in_trash");
    assert_eq!(desk.articles.rename(actor, id, "other".to_owned()).await.unwrap_err().code(), "in_trash");
    assert_eq!(desk.articles.restore(actor, id, 1, 1).await.unwrap_err().code(), "in_trash");
}

/// An article that was public and is not any more.
async fn taken_off(story: &Story, title: &str) -> Value {
    let (article, _) = story.scheduled(title, 60_000).await;
    story.advance(60_000).await;
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let desk = &story.house.desk;
    desk.articles
        .rename(&story.creator.actor, id, format!("{}-new", article["slug"].as_str().unwrap()))
        .await
        .unwrap();
    desk.tasks.unpublish_at_once(&story.creator.actor, id).await.unwrap();
    story.advance(1_000).await;
    article
}

async fn an_address_that_readers_knew_is_gone(story: Story) {
    let article = taken_off(&story, "Known").await;
    let status = async |slug: &str| story.as_nobody().get(&format!("/site/{slug}")).await.status;
    assert_eq!((status("known").await, status("known-new").await), (404, 404));
    delete(&story, &article).await;
    assert_eq!((status("known").await, status("known-new").await), (410, 410));
    let page = story.as_nobody().get("/site/known").await;
    assert!(page.text.contains("was deleted") && !page.text.contains("Known</"), "{}", page.text);
    assert!(!story.as_nobody().get("/site/feed.xml").await.text.contains("Known"));
    let draft = story.draft("Never public").await;
    delete(&story, &draft).await;
    assert_eq!(status("never-public").await, 404);
    story.as_creator().post(&format!("{}/restore", path(&article)), &json!({})).await.expect(200);
    assert_eq!(status("known").await, 404);
}

async fn what_was_deleted_thirty_days_ago_goes_for_good(story: Story) {
    let known = taken_off(&story, "Known").await;
    let draft = story.draft("Draft").await;
    delete(&story, &known).await;
    delete(&story, &draft).await;
    story.advance(TRASH_MS - 120_000).await;
    assert_eq!(titles(&story, "state=trash").await.len(), 2);
    story.advance(240_000).await;
    assert!(titles(&story, "state=trash").await.is_empty());
    assert_eq!(story.as_creator().get(&path(&draft)).await.status, 404);
    assert_eq!(story.as_creator().post(&format!("{}/restore", path(&draft)), &json!({})).await.status, 404);
    assert_eq!(story.as_nobody().get("/site/known").await.status, 410);
    assert_eq!(story.draft("Known").await["slug"], "known-2", "readers knew another article under the name");
    assert_eq!(story.draft("Draft").await["slug"], "draft");
    let tasks = story.as_creator().get("/api/v1/tasks?state=executed").await.expect(200);
    assert_eq!(tasks["items"].as_array().unwrap().len(), 2);
}

/// Nobody watches.
struct Unseen;

impl Progress for Unseen {
    fn begin(&self, _: usize) {}
    fn step(&self, _: usize) {}
}

async fn a_deleted_article_is_not_imported_again(story: Story) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("post.md");
    let run = async |text: &str| {
        std::fs::write(&file, text).unwrap();
        let import = Import {
            folder: folder.path().to_owned(),
            zone: presstime::zone::Zone::UTC,
            publish_past: false,
            pace: None,
        };
        import::run(&story.house, &story.creator.actor, &import, &Unseen).await.unwrap()
    };
    assert_eq!(run("# Post\n\ntext").await.created, 1);
    let list = story.as_creator().get("/api/v1/articles").await.expect(200);
    delete(&story, &list["items"][0]).await;
    let again = async |text: &str| {
        let report = run(text).await;
        assert_eq!((report.created, report.updated), (0, 0));
        assert!(report.lines().join("\n").contains("deleted"), "{:?}", report.lines());
    };
    again("# Post\n\ntext").await;
    again("# Post\n\nother text").await;
    story.advance(TRASH_MS + 120_000).await;
    again("# Post\n\nother text").await;
    assert!(titles(&story, "").await.is_empty());
}

async fn a_form_deletes_and_takes_back_without_javascript(story: Story) {
    let draft = story.draft("By form").await;
    let id = draft["id"].as_str().unwrap();
    let browser = story.browser_of(&story.creator).await;
    assert!(browser.get("/articles").await.expect_page().contains("/fn/delete_article"));
    let answer = browser
        .form("/fn/delete_article", &[("id", id), ("seen_revision", "1"), ("from", "/articles")])
        .await;
    assert_eq!((answer.status, answer.header("location")), (303, format!("/articles?deleted={id}").as_str()));
    let page = browser.get(&format!("/articles?deleted={id}")).await.expect_page();
    assert!(page.contains("in the trash") && page.contains("/fn/undelete_article"), "{page}");
    let trash = browser.get("/articles?state=trash").await.expect_page();
    assert!(trash.contains("By form") && trash.contains("Restore"), "{trash}");
    let answer = browser.form("/fn/undelete_article", &[("id", id), ("from", "/articles")]).await;
    assert_eq!((answer.status, answer.header("location")), (303, format!("/articles/{id}").as_str()));
    assert_eq!(titles(&story, "").await, ["By form"]);
}

async fn a_backup_holds_the_trash(story: Story) {
    let known = taken_off(&story, "Known").await;
    delete(&story, &known).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup.db");
    store::backup::write(&story.house.parts.store, &file).await.unwrap();
    let url = format!("sqlite:{}", folder.path().join("new.db").display());
    let fresh = store::Store::open(&store::Options::new(url)).await.unwrap();
    fresh.migrate().await.unwrap();
    store::restore::read(&fresh, &file, story.now()).await.unwrap();
    let mut lease = fresh.read(Who::People).await.unwrap();
    let id = known["id"].as_str().unwrap().parse().unwrap();
    let found = store::article::find(lease.conn(), id).await.unwrap().unwrap();
    assert!(found.deleted_at.is_some());
    assert_eq!(store::site::find(lease.conn(), "known").await.unwrap(), Some(store::site::Found::Gone));
    assert!(!store::search::is_filled(lease.conn()).await.unwrap());
}
