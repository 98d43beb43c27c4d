//! Deleting articles: into the trash, back, and purged.

use crate::{
    on_both,
    test_server::{START_TIME, TestServer},
};
use domain::input_limits::TRASH_RETENTION_MS;
use presstime::imports::importer::{self, Import, Progress};
use serde_json::{Value, json};
use store::{Conn, PoolRole};

on_both!(
    a_draft_is_moved_to_the_trash_and_restored,
    the_reason_against_a_deletion_is_shown,
    an_article_in_the_trash_cannot_be_changed,
    a_deleted_article_that_was_public_answers_410,
    an_article_is_purged_thirty_days_after_deletion,
    a_deleted_article_is_not_imported_again,
    a_form_deletes_and_restores_without_javascript,
    a_backup_includes_the_trash,
    a_purge_deletes_revisions_and_renderings,
    an_empty_trash_has_its_own_message,
    the_page_of_a_deleted_article_says_who_deleted_it,
);

fn path(article: &Value) -> String {
    format!("/api/v1/articles/{}", article["id"].as_str().unwrap())
}

async fn titles(server: &TestServer, query: &str) -> Vec<String> {
    let list = server.as_creator().get(&format!("/api/v1/articles?{query}")).await.expect(200);
    let title = |item: &Value| item["title"].as_str().unwrap().to_owned();
    list["items"].as_array().unwrap().iter().map(title).collect()
}

async fn delete(server: &TestServer, article: &Value) {
    assert_eq!(server.as_creator().delete(&path(article)).await.status, 204);
}

async fn a_draft_is_moved_to_the_trash_and_restored(server: TestServer) {
    let draft = server.create_draft("Whale song").await;
    server.create_draft("Stays").await;
    let seen = format!("{}?seen_revision=9", path(&draft));
    let refused = server.as_creator().delete(&seen).await;
    assert_eq!((refused.json()["current"]["revision"].clone(), refused.status), (json!(1), 409));
    let message = refused.json()["error"]["message"].clone();
    assert!(message.as_str().unwrap().ends_with("reload it and try again"), "{message}");
    delete(&server, &draft).await;
    delete(&server, &draft).await;
    assert_eq!(titles(&server, "").await, ["Stays"]);
    assert!(titles(&server, "q=whale").await.is_empty());
    assert_eq!(titles(&server, "state=trash").await, ["Whale song"]);
    assert_eq!(titles(&server, "state=trash&q=whale").await, ["Whale song"]);
    let trash = server.as_creator().get("/api/v1/articles?state=trash").await.expect(200);
    assert_eq!(trash["items"][0]["deleted_at"], json!(START_TIME.to_string()));
    assert_eq!(server.as_creator().get(&path(&draft)).await.refused(410), "in_trash");
    let duplicate = server.create_draft("Whale song").await;
    assert_eq!(duplicate["slug"], "whale-song-2", "the slug is kept while the article can be restored");
    let restore = format!("{}/restore", path(&draft));
    for _ in 0..2 {
        let restored = server.as_creator().post(&restore, &json!({})).await.expect(200);
        assert_eq!((&restored["deleted_at"], &restored["slug"]), (&Value::Null, &json!("whale-song")));
    }
    assert_eq!(titles(&server, "q=whale").await.len(), 2);
    let id = draft["id"].as_str().unwrap().parse().unwrap();
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let events = store::event::history(lease.conn(), id, 10).await.unwrap();
    let verbs: Vec<_> = events.into_iter().map(|event| event.verb).collect();
    assert_eq!(verbs, ["create", "delete", "undelete"]);
}

async fn the_reason_against_a_deletion_is_shown(server: TestServer) {
    let (article, task) = server.schedule_new_article("Soon", 60_000).await;
    let refused = server.as_creator().delete(&path(&article)).await;
    assert_eq!((refused.status, &refused.json()["task"]["id"]), (409, &task["id"]));
    assert_eq!(refused.json()["error"]["code"], "in_the_way");
    server.advance(60_000).await;
    let refused = server.as_creator().delete(&path(&article)).await;
    let message = refused.json()["error"]["message"].to_string();
    assert!(refused.status == 409 && message.contains("unpublish"), "{message}");
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/articles/{}", article["id"].as_str().unwrap())).await.expect_page();
    assert!(page.contains("Unpublish it before you delete it."), "{page}");
}

async fn an_article_in_the_trash_cannot_be_changed(server: TestServer) {
    let (article, task) = server.schedule_new_article("Thrown away", 60_000).await;
    let task = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    server.as_creator().post(&format!("{task}/cancel"), &json!({"seen_version": 1})).await.expect(200);
    delete(&server, &article).await;
    let caller = server.as_creator();
    let edit = json!({"body": "other", "seen_revision": 1});
    assert_eq!(caller.patch(&path(&article), &edit).await.refused(409), "in_trash");
    let new_task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(60_000)});
    assert_eq!(caller.post("/api/v1/tasks", &new_task).await.refused(409), "in_trash");
    assert_eq!(
        caller.post(&format!("{task}/undo"), &json!({"seen_version": 2})).await.refused(409),
        "in_trash"
    );
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let (services, actor) = (&server.app.services, &server.creator.actor);
    assert_eq!(services.tasks.publish_now(actor, id).await.unwrap_err().code(), "in_trash");
    assert_eq!(services.articles.rename(actor, id, "other".to_owned()).await.unwrap_err().code(), "in_trash");
    assert_eq!(services.articles.restore(actor, id, 1, 1).await.unwrap_err().code(), "in_trash");
}

/// An article that was public and was unpublished.
async fn published_and_unpublished(server: &TestServer, title: &str) -> Value {
    let (article, _) = server.schedule_new_article(title, 60_000).await;
    server.advance(60_000).await;
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let services = &server.app.services;
    services
        .articles
        .rename(&server.creator.actor, id, format!("{}-new", article["slug"].as_str().unwrap()))
        .await
        .unwrap();
    services.tasks.unpublish_now(&server.creator.actor, id).await.unwrap();
    server.advance(1_000).await;
    article
}

async fn a_deleted_article_that_was_public_answers_410(server: TestServer) {
    let article = published_and_unpublished(&server, "Known").await;
    let status = async |slug: &str| server.as_anonymous().get(&format!("/site/{slug}")).await.status;
    assert_eq!((status("known").await, status("known-new").await), (404, 404));
    delete(&server, &article).await;
    assert_eq!((status("known").await, status("known-new").await), (410, 410));
    assert_eq!(server.as_anonymous().get("/2019/05/known/").await.status, 410);
    let page = server.as_anonymous().get("/site/known").await;
    assert!(page.text.contains("was deleted") && !page.text.contains("Known</"), "{}", page.text);
    assert!(!server.as_anonymous().get("/site/feed.xml").await.text.contains("Known"));
    let draft = server.create_draft("Never public").await;
    delete(&server, &draft).await;
    assert_eq!(status("never-public").await, 404);
    server.as_creator().post(&format!("{}/restore", path(&article)), &json!({})).await.expect(200);
    assert_eq!(status("known").await, 404);
}

async fn an_article_is_purged_thirty_days_after_deletion(server: TestServer) {
    let known = published_and_unpublished(&server, "Known").await;
    let draft = server.create_draft("Draft").await;
    delete(&server, &known).await;
    delete(&server, &draft).await;
    server.advance(TRASH_RETENTION_MS - 120_000).await;
    assert_eq!(titles(&server, "state=trash").await.len(), 2);
    server.advance(240_000).await;
    assert!(titles(&server, "state=trash").await.is_empty());
    assert_eq!(server.as_creator().get(&path(&draft)).await.status, 404);
    assert_eq!(server.as_creator().post(&format!("{}/restore", path(&draft)), &json!({})).await.status, 404);
    assert_eq!(server.as_anonymous().get("/site/known").await.status, 410);
    assert_eq!(
        server.create_draft("Known").await["slug"],
        "known-2",
        "readers knew another article under this slug"
    );
    assert_eq!(server.create_draft("Draft").await["slug"], "draft");
    let tasks = server.as_creator().get("/api/v1/tasks?state=executed").await.expect(200);
    assert_eq!(tasks["items"].as_array().unwrap().len(), 2);
}

/// Ignores progress.
struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: usize) {}
    fn step(&self, _: usize) {}
}

async fn a_deleted_article_is_not_imported_again(server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("post.md");
    let run = async |text: &str| {
        std::fs::write(&file, text).unwrap();
        let import = Import::new(folder.path().to_owned(), presstime::zone::Zone::UTC);
        importer::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.unwrap()
    };
    assert_eq!(run("# Post\n\ntext").await.created, 1);
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    delete(&server, &list["items"][0]).await;
    let again = async |text: &str| {
        let report = run(text).await;
        assert_eq!((report.created, report.updated), (0, 0));
        assert!(report.lines().join("\n").contains("deleted"), "{:?}", report.lines());
    };
    again("# Post\n\ntext").await;
    again("# Post\n\nother text").await;
    server.advance(TRASH_RETENTION_MS + 120_000).await;
    again("# Post\n\nother text").await;
    assert!(titles(&server, "").await.is_empty());
}

async fn a_form_deletes_and_restores_without_javascript(server: TestServer) {
    let draft = server.create_draft("By form").await;
    let id = draft["id"].as_str().unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    let asked = format!("/articles?delete={id}");
    assert!(browser.get(&asked).await.expect_page().contains("/fn/delete_article"));
    let answer = browser
        .form("/fn/delete_article", &[("id", id), ("seen_revision", "1"), ("from", "/articles")])
        .await;
    assert_eq!((answer.status, answer.result_location()), (303, format!("/articles?deleted={id}")));
    let page = browser.get(answer.header("location")).await.expect_page();
    assert!(page.contains("in the trash") && page.contains("/fn/undelete_article"), "{page}");
    let trash = browser.get("/articles?state=trash").await.expect_page();
    assert!(trash.contains("By form") && trash.contains("Restore"), "{trash}");
    let answer = browser.form("/fn/undelete_article", &[("id", id), ("from", "/articles")]).await;
    let restored = format!("/articles/{id}?done=undelete");
    assert_eq!((answer.status, answer.result_location()), (303, restored));
    assert_eq!(titles(&server, "").await, ["By form"]);
}

async fn the_page_of_a_deleted_article_says_who_deleted_it(server: TestServer) {
    let draft = server.create_draft("Left over").await;
    delete(&server, &draft).await;
    let page = format!("/articles/{}", draft["id"].as_str().unwrap());
    let own = server.log_in_browser(&server.creator).await.get(&page).await.expect_page();
    assert!(own.contains("moved this article to the trash"), "{own}");
    assert!(own.contains("/fn/undelete_article") && !own.contains("Only its owner and admins"), "{own}");
    assert!(!own.contains("action=\"/fn/schedule") && !own.contains("/fn/publish_article"), "{own}");
    let other = server.log_in_browser(&server.colleague).await.get(&page).await.expect_page();
    assert!(other.contains("moved this article to the trash"), "{other}");
    assert!(!other.contains("/fn/undelete_article"), "{other}");
}

async fn a_backup_includes_the_trash(server: TestServer) {
    let known = published_and_unpublished(&server, "Known").await;
    delete(&server, &known).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup.db");
    store::backup::write(&server.app.parts.store, &file).await.unwrap();
    let url = format!("sqlite:{}", folder.path().join("new.db").display());
    let fresh = store::Store::open(&store::Options::new(url)).await.unwrap();
    fresh.migrate().await.unwrap();
    store::restore::restore(&fresh, &file, server.now()).await.unwrap();
    let mut lease = fresh.read(PoolRole::Web).await.unwrap();
    let id = known["id"].as_str().unwrap().parse().unwrap();
    let found = store::article::find(lease.conn(), id).await.unwrap().unwrap();
    assert!(found.deleted_at.is_some());
    assert_eq!(
        store::site::find(lease.conn(), "known").await.unwrap(),
        Some(store::site::SiteLookup::Deleted)
    );
    assert!(!store::search::is_filled(lease.conn()).await.unwrap());
}

/// Returns the number of revisions and of renderings.
async fn count_texts(server: &TestServer) -> (i64, i64) {
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let count = "select (select count(*) from revision), (select count(*) from rendered)";
    match lease.conn() {
        Conn::Sqlite(c) => sqlx::query_as(count).fetch_one(c).await.unwrap(),
        Conn::Postgres(c) => sqlx::query_as(count).fetch_one(c).await.unwrap(),
    }
}

async fn a_purge_deletes_revisions_and_renderings(server: TestServer) {
    let draft = server.create_draft("Draft").await;
    let edit = json!({"body": "Another text.", "seen_revision": 1});
    server.as_creator().patch(&path(&draft), &edit).await.expect(200);
    let known = published_and_unpublished(&server, "Known").await;
    let before = count_texts(&server).await;
    assert!(before.0 >= 3 && before.1 == before.0, "each revision has its rendering: {before:?}");
    let kept = server.create_draft("Stays").await;
    let with_kept = count_texts(&server).await;
    for article in [&draft, &known] {
        delete(&server, article).await;
    }
    assert_eq!(count_texts(&server).await, with_kept, "the trash keeps them");
    server.advance(TRASH_RETENTION_MS + 120_000).await;
    assert_eq!(count_texts(&server).await, (with_kept.0 - before.0, with_kept.1 - before.1));
    server.as_creator().get(&path(&kept)).await.expect(200);
}

async fn an_empty_trash_has_its_own_message(server: TestServer) {
    server.create_draft("Stays").await;
    let page = server.page(&server.creator, "/articles?state=trash").await;
    assert!(page.contains("The trash is empty.") && !page.contains("No articles match."), "{page}");
    let page = server.page(&server.creator, "/articles?state=trash&q=whale").await;
    assert!(page.contains("No articles match."), "{page}");
    let texts = texts::articles::ArticleTexts(domain::account::Language::Zh);
    assert_eq!(texts.trash_empty(), "回收站是空的。");
}
