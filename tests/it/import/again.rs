//! A second import: what people did at the desk meanwhile is left as it is, and the report says why.

use super::{articles, put, run, wish};
use crate::{house::Story, on_both};
use domain::{TaskId, Version, task::Change};
use presstime::import::{Import, Report};
use serde_json::{Value, json};
use std::path::Path;

on_both!(
    what_was_unpublished_at_the_desk_stays_unpublished,
    a_text_changed_at_the_desk_is_neither_overwritten_nor_published,
    what_was_rescheduled_at_the_desk_keeps_its_moment,
    a_schedule_cancelled_at_the_desk_stays_cancelled,
    a_draft_scheduled_at_the_desk_is_left,
    a_file_that_is_held_back_later_is_not_published_by_its_schedule,
    a_public_article_whose_file_changed_is_updated_only_if_nobody_else_changed_it,
);

const OLD: &str = "---\ntitle: A\ndate: 2018-01-01\n---\nFirst.\n";
const LATER: &str = "---\ntitle: A\ndate: 2027-06-01\n---\nFirst.\n";

async fn import(house: &Story, folder: &Path, text: &str) -> Report {
    put(folder, "a.md", text);
    run(house, &Import { publish_past: true, ..wish(folder) }).await
}

/// Imports the file as it is and changed: both leave the article, and say so with this word.
async fn is_left(house: &Story, folder: &Path, text: &str, word: &str) {
    let before = shown(house).await;
    for text in [text.to_owned(), format!("{text}More.\n")] {
        let report = import(house, folder, &text).await;
        assert_eq!((report.updated, report.published, report.scheduled), (0, 0, 0), "{report:?}");
        assert_eq!(report.kept.len(), 1, "{text}: {report:?}");
        assert!(report.kept[0].1.why.contains(word), "{report:?}");
        assert!(report.to_string().contains("1 left as they are at the desk"), "{report}");
        assert_eq!(shown(house).await, before);
    }
}

/// The article and its tasks as the API shows them.
async fn shown(house: &Story) -> (Value, Value) {
    let list = house.as_creator().get("/api/v1/articles").await.expect(200);
    let path = format!("/api/v1/articles/{}", list["items"][0]["id"].as_str().expect("an article"));
    let tasks = house.as_creator().get("/api/v1/tasks").await.expect(200);
    (house.as_creator().get(&path).await.expect(200), tasks["items"].clone())
}

async fn unpublish(house: &Story) {
    let (article, _) = shown(house).await;
    let id = article["id"].as_str().expect("an id").parse::<uuid::Uuid>().expect("an id");
    house
        .house
        .desk
        .tasks
        .unpublish_at_once(&house.creator.actor, id.into())
        .await
        .expect("it leaves the site");
    house.tick().await;
}

/// Changes the only task at the desk.
async fn change_task(house: &Story, change: Change) {
    let (_, tasks) = shown(house).await;
    let id: uuid::Uuid = tasks[0]["id"].as_str().expect("a task").parse().expect("an id");
    let version =
        tasks[0]["version"].as_i64().and_then(|version| version.try_into().ok()).expect("a version");
    let changed =
        house.house.desk.tasks.change(&house.creator.actor, TaskId(id), change, Version(version)).await;
    changed.expect("it is changed");
}

async fn what_was_unpublished_at_the_desk_stays_unpublished(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&house, folder.path(), OLD).await.published, 1);
    unpublish(&house).await;
    assert_eq!(articles(&house).await[0].2, "draft");
    is_left(&house, folder.path(), OLD, "unpublished at the desk").await;
}

async fn a_text_changed_at_the_desk_is_neither_overwritten_nor_published(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", OLD);
    assert_eq!(run(&house, &wish(folder.path())).await.created, 1);
    let (article, _) = shown(&house).await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().expect("an id"));
    let edit = json!({ "title": "A", "body": "By hand.\n", "seen_revision": article["revision"] });
    house.as_creator().patch(&path, &edit).await.expect(200);
    is_left(&house, folder.path(), OLD, "changed at the desk").await;
}

async fn what_was_rescheduled_at_the_desk_keeps_its_moment(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&house, folder.path(), LATER).await.scheduled, 1);
    change_task(&house, Change::Reschedule { when: house.now().plus(60_000).into() }).await;
    is_left(&house, folder.path(), LATER, "scheduled for 2027-03-01T08:01:00.000Z at the desk").await;
}

async fn a_schedule_cancelled_at_the_desk_stays_cancelled(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&house, folder.path(), LATER).await.scheduled, 1);
    change_task(&house, Change::Cancel).await;
    is_left(&house, folder.path(), LATER, "cancelled at the desk").await;
}

async fn a_draft_scheduled_at_the_desk_is_left(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", OLD);
    assert_eq!(run(&house, &wish(folder.path())).await.created, 1);
    let (article, _) = shown(&house).await;
    let new = json!({ "kind": "article.publish", "target_id": article["id"], "due_at": house.later(90_000) });
    house.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    is_left(&house, folder.path(), OLD, "scheduled for").await;
}

async fn a_file_that_is_held_back_later_is_not_published_by_its_schedule(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&house, folder.path(), LATER).await.scheduled, 1);
    let report =
        import(&house, folder.path(), "---\ntitle: A\ndate: 2027-06-01\ndraft: yes\n---\nFirst.\n").await;
    assert_eq!((report.updated, report.held.len(), report.warnings.len()), (1, 1, 1), "{report:?}");
    assert_eq!(articles(&house).await[0].2, "draft", "its schedule is cancelled");
    // What is public stays so, and the report says it.
    put(folder.path(), "b.md", OLD);
    assert_eq!(run(&house, &Import { publish_past: true, ..wish(folder.path()) }).await.published, 1);
    put(folder.path(), "b.md", "---\ntitle: A\ndate: 2018-01-01\npublished: no\n---\nSecond.\n");
    let report = run(&house, &Import { publish_past: true, ..wish(folder.path()) }).await;
    assert!(
        report.warnings.iter().any(|(path, why)| path == "b.md" && why.why.contains("unpublish it")),
        "{report:?}"
    );
    assert!(!house.as_nobody().get("/site/b").await.text.contains("Second."));
}

async fn a_public_article_whose_file_changed_is_updated_only_if_nobody_else_changed_it(house: Story) {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(import(&house, folder.path(), OLD).await.published, 1);
    let report = import(&house, folder.path(), &OLD.replace("First", "Second")).await;
    assert_eq!((report.updated, report.published, report.kept.len()), (1, 1, 0), "{report:?}");
    assert!(house.as_nobody().get("/site/a").await.text.contains("Second."));
    put(folder.path(), "a.md", OLD.replace("First", "Third"));
    let report = run(&house, &wish(folder.path())).await;
    assert_eq!((report.updated, report.published, report.warnings.len()), (1, 0, 1), "{report:?}");
    assert!(
        house.as_nobody().get("/site/a").await.text.contains("Second."),
        "only drafts change without the flag"
    );
}
