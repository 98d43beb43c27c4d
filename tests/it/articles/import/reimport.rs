//! A second import keeps changes that users made at the desk, and reports why.

use super::{articles, put, run, settings};
use crate::{on_both, test_server::TestServer};
use domain::{TaskId, Version, task::Change};
use presstime::imports::importer::{Import, Report};
use serde_json::{Value, json};
use std::path::Path;

on_both!(
    an_article_unpublished_at_the_desk_stays_unpublished,
    a_text_changed_at_the_desk_is_neither_overwritten_nor_published,
    an_article_rescheduled_at_the_desk_keeps_its_time,
    a_schedule_cancelled_at_the_desk_stays_cancelled,
    a_draft_scheduled_at_the_desk_is_left_unchanged,
    a_file_marked_as_draft_later_is_not_published_by_its_schedule,
    a_public_article_is_updated_from_its_file_only_if_unchanged_at_the_desk,
);

const OLD: &str = "---\ntitle: A\ndate: 2018-01-01\n---\nFirst.\n";
const LATER: &str = "---\ntitle: A\ndate: 2027-06-01\n---\nFirst.\n";

async fn import(server: &TestServer, folder: &Path, text: &str) -> Report {
    put(folder, "a.md", text);
    run(server, &Import { publish_past: true, ..settings(folder) }).await
}

/// Imports the unchanged file, then a changed one: both keep the article and report this word.
async fn check_unchanged(server: &TestServer, folder: &Path, text: &str, word: &str) {
    let before = load_article(server).await;
    for text in [text.to_owned(), format!("{text}More.\n")] {
        let report = import(server, folder, &text).await;
        assert_eq!((report.updated, report.published, report.scheduled), (0, 0, 0), "{report:?}");
        assert_eq!(report.kept.len(), 1, "{text}: {report:?}");
        assert!(report.kept[0].1.why.contains(word), "{report:?}");
        assert!(report.to_string().contains("1 left as they are at the desk"), "{report}");
        assert_eq!(load_article(server).await, before);
    }
}

/// The article and its tasks as the API returns them.
async fn load_article(server: &TestServer) -> (Value, Value) {
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    let path = format!("/api/v1/articles/{}", list["items"][0]["id"].as_str().expect("an article"));
    let tasks = server.as_creator().get("/api/v1/tasks").await.expect(200);
    (server.as_creator().get(&path).await.expect(200), tasks["items"].clone())
}

async fn unpublish(server: &TestServer) {
    let (article, _) = load_article(server).await;
    let id = article["id"].as_str().expect("an id").parse::<uuid::Uuid>().expect("an id");
    server
        .app
        .services
        .tasks
        .unpublish_now(&server.creator.actor, id.into())
        .await
        .expect("it is unpublished");
    server.tick().await;
}

/// Changes the only task at the desk.
async fn change_task(server: &TestServer, change: Change) {
    let (_, tasks) = load_article(server).await;
    let id: uuid::Uuid = tasks[0]["id"].as_str().expect("a task").parse().expect("an id");
    let version =
        tasks[0]["version"].as_i64().and_then(|version| version.try_into().ok()).expect("a version");
    let changed =
        server.app.services.tasks.change(&server.creator.actor, TaskId(id), change, Version(version)).await;
    changed.expect("it is changed");
}

async fn an_article_unpublished_at_the_desk_stays_unpublished(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&server, folder.path(), OLD).await.published, 1);
    unpublish(&server).await;
    assert_eq!(articles(&server).await[0].2, "draft");
    check_unchanged(&server, folder.path(), OLD, "unpublished at the desk").await;
}

async fn a_text_changed_at_the_desk_is_neither_overwritten_nor_published(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", OLD);
    assert_eq!(run(&server, &settings(folder.path())).await.created, 1);
    let (article, _) = load_article(&server).await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().expect("an id"));
    let edit = json!({ "title": "A", "body": "By hand.\n", "seen_revision": article["revision"] });
    server.as_creator().patch(&path, &edit).await.expect(200);
    check_unchanged(&server, folder.path(), OLD, "changed at the desk").await;
}

async fn an_article_rescheduled_at_the_desk_keeps_its_time(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&server, folder.path(), LATER).await.scheduled, 1);
    change_task(&server, Change::Reschedule { when: server.now().plus(60_000).into() }).await;
    check_unchanged(&server, folder.path(), LATER, "scheduled for 2027-03-01T08:01:00.000Z at the desk")
        .await;
}

async fn a_schedule_cancelled_at_the_desk_stays_cancelled(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&server, folder.path(), LATER).await.scheduled, 1);
    change_task(&server, Change::Cancel).await;
    check_unchanged(&server, folder.path(), LATER, "cancelled at the desk").await;
}

async fn a_draft_scheduled_at_the_desk_is_left_unchanged(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", OLD);
    assert_eq!(run(&server, &settings(folder.path())).await.created, 1);
    let (article, _) = load_article(&server).await;
    let new =
        json!({ "kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(90_000) });
    server.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    check_unchanged(&server, folder.path(), OLD, "scheduled for").await;
}

async fn a_file_marked_as_draft_later_is_not_published_by_its_schedule(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&server, folder.path(), LATER).await.scheduled, 1);
    let report =
        import(&server, folder.path(), "---\ntitle: A\ndate: 2027-06-01\ndraft: yes\n---\nFirst.\n").await;
    assert_eq!((report.updated, report.held.len(), report.warnings.len()), (1, 1, 1), "{report:?}");
    assert_eq!(articles(&server).await[0].2, "draft", "its schedule is cancelled");
    // A public article stays public, and the report says so.
    put(folder.path(), "b.md", OLD);
    assert_eq!(run(&server, &Import { publish_past: true, ..settings(folder.path()) }).await.published, 1);
    put(folder.path(), "b.md", "---\ntitle: A\ndate: 2018-01-01\npublished: no\n---\nSecond.\n");
    let report = run(&server, &Import { publish_past: true, ..settings(folder.path()) }).await;
    assert!(
        report.warnings.iter().any(|(path, why)| path == "b.md" && why.why.contains("unpublish it")),
        "{report:?}"
    );
    assert!(!server.as_anonymous().get("/site/b").await.text.contains("Second."));
}

async fn a_public_article_is_updated_from_its_file_only_if_unchanged_at_the_desk(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&server, folder.path(), OLD).await.published, 1);
    let report = import(&server, folder.path(), &OLD.replace("First", "Second")).await;
    assert_eq!((report.updated, report.published, report.kept.len()), (1, 1, 0), "{report:?}");
    assert!(server.as_anonymous().get("/site/a").await.text.contains("Second."));
    put(folder.path(), "a.md", OLD.replace("First", "Third"));
    let report = run(&server, &settings(folder.path())).await;
    assert_eq!((report.updated, report.published, report.warnings.len()), (1, 0, 1), "{report:?}");
    assert!(
        server.as_anonymous().get("/site/a").await.text.contains("Second."),
        "only drafts change without the flag"
    );
}
