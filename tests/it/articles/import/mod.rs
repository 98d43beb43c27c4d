//! Import of Markdown folders: each file becomes one article.

mod archive;
mod export;
mod files;
mod front_matter;
mod gated;
mod ghost;
mod local_times;
mod only_public;
mod plan;
mod plan_form;
mod reimport;
mod stopped;
mod upload;
mod wordpress;

use crate::{on_both, test_server::TestServer};
use domain::article::ArticleQuery;
use presstime::{
    imports::importer::{self, Import, Progress, Report, Spacing},
    zone::Zone,
};
use std::{fs, path::Path};

on_both!(
    every_file_becomes_an_article_and_a_second_run_changes_nothing,
    a_changed_file_becomes_a_new_revision_and_keeps_its_schedule,
    past_articles_are_published_with_their_own_date_on_request,
    future_articles_are_scheduled_and_published,
    a_rate_limited_import_schedules_files_in_order,
    unreadable_files_are_reported_with_their_line_and_not_stored,
);

struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

/// Writes a file in a folder.
fn put(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn settings(folder: &Path) -> Import {
    Import::new(folder.to_path_buf(), Zone::stored("Europe/Berlin"))
}

async fn run(server: &TestServer, settings: &Import) -> Report {
    importer::run(&server.app.importer, &server.creator.actor, settings, &NoProgress)
        .await
        .expect("the import runs")
}

/// Slug, title and state of all articles, by slug.
async fn articles(server: &TestServer) -> Vec<(String, String, &'static str)> {
    let query = ArticleQuery { limit: Some(200), ..ArticleQuery::default() };
    let page = server.app.services.articles.list(&server.admin.actor, query).await.expect("the list");
    let state = |row: &domain::article::ArticleRow| match (&row.published, &row.waiting) {
        (Some(_), _) => "published",
        (None, Some(_)) => "scheduled",
        (None, None) => "draft",
    };
    let mut rows: Vec<_> =
        page.items.iter().map(|row| (row.slug.clone(), row.title.clone(), state(row))).collect();
    rows.sort();
    rows
}

async fn every_file_becomes_an_article_and_a_second_run_changes_nothing(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(
        at,
        "_index.md",
        "+++\ntitle = \"The blog\"\nsort_by = \"permalink\"\n[extra]\nx = \"\"\"\npath = 1\n\"\"\"\n+++\n",
    );
    put(at, "a/Hello-World.md", "+++\npath = \"2018/09/13/Hello\"\ntitle = \"Hello\"\n+++\n\nText.\n");
    put(at, "b/hello-world.md", "---\ntitle: Hello again\ndate: 2019-01-01\n---\nText.\n");
    put(at, "zh/商业.md", "\u{feff}## 商业观察 ｜ `区块链`\r\n\r\n![](lost.png)\r\n");
    put(at, "2020-02-03-untitled.md", "No heading, no matter.\n");
    put(at, "notes.txt", "not Markdown");
    let report = run(&server, &settings(at)).await;
    assert_eq!(
        (report.created, report.refused.len(), report.published, report.scheduled),
        (4, 0, 0, 0),
        "{report:?}"
    );
    let left_out: Vec<_> = report.left_out.values().flat_map(|files| &files.names).collect();
    assert_eq!(left_out, ["notes.txt", "_index.md"]);
    assert_eq!(report.warnings.len(), 1, "{report:?}");
    assert_eq!(report.warnings[0].1.line, 3);
    let titles = [
        ("hello-world", "Hello"),
        ("hello-world-2", "Hello again"),
        ("untitled", "2020-02-03-untitled"),
        ("商业", "商业观察 ｜ 区块链"),
    ];
    let expected: Vec<_> = titles.map(|(slug, title)| (slug.to_owned(), title.to_owned(), "draft")).into();
    assert_eq!(articles(&server).await, expected);
    let again = run(&server, &settings(at)).await;
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 4), "{again:?}");
    assert_eq!(articles(&server).await, expected);
}

async fn a_changed_file_becomes_a_new_revision_and_keeps_its_schedule(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "one.md", "---\ndate: 2027-06-01\n---\n# One\n\nFirst.\n");
    assert_eq!(run(&server, &settings(at)).await.scheduled, 1);
    put(at, "one.md", "---\ndate: 2027-07-01\n---\n# One\n\nSecond.\n");
    let report = run(&server, &settings(at)).await;
    assert_eq!((report.updated, report.scheduled), (1, 0), "{report:?}");
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    assert_eq!(list["items"][0]["revision"], 2);
    let tasks = server.as_creator().get("/api/v1/tasks").await.expect(200);
    assert_eq!(tasks["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(tasks["items"][0]["due_at"], "2027-05-31T22:00:00.000Z");
}

async fn past_articles_are_published_with_their_own_date_on_request(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "old.md", "---\ntitle: Old\ndate: 2018-09-13 12:00\n---\nText.\n");
    put(at, "hidden.md", "---\ntitle: Hidden\ndate: 2018-09-13\ndraft: true\n---\nText.\n");
    put(at, "undated.md", "# Undated\n");
    assert_eq!(run(&server, &settings(at)).await.published, 0);
    let report = run(&server, &Import { publish_past: true, ..settings(at) }).await;
    assert_eq!((report.unchanged, report.published), (3, 1), "{report:?}");
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    let old = list["items"]
        .as_array()
        .expect("items")
        .iter()
        .find(|row| row["slug"] == "old")
        .expect("old")
        .clone();
    assert_eq!(old["published_at"], "2018-09-13T10:00:00.000Z", "{old}");
    let third = run(&server, &Import { publish_past: true, ..settings(at) }).await;
    assert_eq!((third.unchanged, third.published), (3, 0), "{third:?}");
}

async fn future_articles_are_scheduled_and_published(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    // The manual clock starts on 2027-03-01 at 09:00 in Berlin.
    put(folder.path(), "soon.md", "+++\ndate = 2027-03-01T09:01:00\n+++\n# Soon\n");
    let report = run(&server, &settings(folder.path())).await;
    assert_eq!(report.scheduled, 1, "{report:?}");
    server.advance(59_000).await;
    assert_eq!(articles(&server).await[0].2, "scheduled");
    server.advance(1_000).await;
    assert_eq!(articles(&server).await[0].2, "published");
}

async fn a_rate_limited_import_schedules_files_in_order(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..130 {
        put(folder.path(), &format!("{number:03}.md"), format!("# Number {number}\n"));
    }
    let spacing = Some(Spacing { from: server.now().plus(2_000), every_ms: 2_000, zone: None });
    let report = run(&server, &Import { spacing, ..settings(folder.path()) }).await;
    assert_eq!((report.created, report.scheduled), (130, 130), "{report:?}");
    let tasks = server.as_creator().get("/api/v1/tasks?limit=200").await.expect(200);
    let dues: Vec<_> =
        tasks["items"].as_array().expect("items").iter().map(|task| task["due_at"].clone()).collect();
    assert_eq!(dues[0], server.time_after(2_000));
    assert_eq!(dues[129], server.time_after(260_000));
    server.advance(260_000).await;
    assert!(articles(&server).await.iter().all(|row| row.2 == "published"));
}

async fn unreadable_files_are_reported_with_their_line_and_not_stored(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "a.md", "+++\ntitle = \"A\"\ndate = \"soon\"\n+++\n");
    put(at, "b.md", "+++\ntitle = A\n+++\n");
    put(at, "c.md", b"# C\n\n\xff\xfe\n");
    put(at, "d.md", format!("# D\n\n{}", "x".repeat(500_001)));
    put(at, "e.md", format!("---\ntitle: {}\n---\n", "x".repeat(301)));
    put(at, "f.md", "# F\n\0\n");
    put(at, "g.md", "---\ndate: 12000-01-01\n---\n# G\n");
    put(at, "good.md", "# Good\n");
    let report = run(&server, &settings(at)).await;
    let lines: Vec<_> = report.refused.iter().map(|(path, problem)| (path.as_str(), problem.line)).collect();
    let expected =
        [("a.md", 3), ("b.md", 2), ("c.md", 3), ("d.md", 1), ("e.md", 2), ("f.md", 2), ("g.md", 2)];
    assert_eq!(lines, expected, "{report:?}");
    assert_eq!(articles(&server).await.len(), 1);
}
