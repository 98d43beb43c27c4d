//! Front matter: drafts are never published, and dates are respected.

use super::{articles, put, run, settings};
use crate::{on_both, test_server::TestServer};
use presstime::imports::importer::{Import, Spacing};

on_both!(
    every_draft_marker_is_recognized,
    invalid_front_matter_is_refused_with_its_line,
    the_publish_date_overrides_the_date,
    an_expired_article_is_unpublished_or_never_published,
    a_rate_limited_import_publishes_nothing_before_its_own_date,
    the_last_change_is_kept,
    dates_are_read_in_every_common_format,
    titles_slugs_and_tags_are_read_as_they_are_written,
);

fn all(folder: &std::path::Path) -> Import {
    Import { publish_past: true, ..settings(folder) }
}

/// Front matter lines that mark a draft, in YAML and in TOML.
const DRAFT_YAML: [&str; 18] = [
    "draft: \"true\"",
    "draft: yes",
    "draft: On",
    "draft: 1",
    "Draft: TRUE",
    "published: \"false\"",
    "published: no",
    "published: 0",
    "private: true",
    "unlisted: yes",
    "hidden: true",
    "headless: true",
    "password: secret",
    "status: draft",
    "status: pending",
    "visibility: private",
    "build:\n  render: never",
    "_build: {list: never}",
];
const DRAFT_TOML: [&str; 5] =
    ["draft = \"true\"", "draft = true", "published = \"no\"", "private = 1", "[build]\nrender = \"never\""];

async fn titles_slugs_and_tags_are_read_as_they_are_written(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(
        at,
        "a.md",
        "---\ntitle: 1.10\ntags: [1.10, 2.0, no, 0x10, 1_000, 2024-01-05]\ndate: 2018-01-01\n---\nVersion note.\n",
    );
    put(at, "b.md", "---\ntitle: 007\nslug: 0123\n---\nBond.\n");
    put(at, "c.md", "---\ntitle: No\n---\nNorway.\n");
    put(at, "d.md", "---\ntitle: 1e3\ntags:\n  - 1e3\n---\nx\n");
    put(at, "e.md", "---\ntitle: 12:30\nslug: /docs/intro/\n---\nx\n");
    let report = run(&server, &all(at)).await;
    assert_eq!((report.created, report.refused.len(), report.warnings.len()), (5, 0, 0), "{report:?}");
    let articles: Vec<_> =
        articles(&server).await.into_iter().map(|(slug, title, _)| (slug, title)).collect();
    let expected = [("0123", "007"), ("a", "1.10"), ("c", "No"), ("d", "1e3"), ("intro", "12:30")];
    assert_eq!(articles, expected.map(|(slug, title)| (slug.to_owned(), title.to_owned())));
    let page = server.as_anonymous().get("/site/a").await.text;
    for tag in ["2.0", "0x10", "1_000", "2024-01-05"] {
        assert!(page.contains(tag), "{tag}: {page}");
    }
}

async fn every_draft_marker_is_recognized(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (index, line) in DRAFT_YAML.iter().enumerate() {
        put(
            at,
            &format!("yaml-{index:02}.md"),
            format!("---\ntitle: A\ndate: 2018-01-01\n{line}\n---\nText\n"),
        );
    }
    for (index, line) in DRAFT_TOML.iter().enumerate() {
        put(
            at,
            &format!("toml-{index}.md"),
            format!("+++\ntitle = \"A\"\ndate = 2018-01-01\n{line}\n+++\nText\n"),
        );
    }
    put(at, "json.md", "{\"title\": \"A\", \"date\": \"2018-01-01\", \"draft\": \"yes\"}\nText\n");
    put(at, "blank-first.md", "\n---\ndate: 2018-01-01\ndraft: true\n---\nText\n");
    put(at, "_drafts/2018-01-01-a.md", "# A\n");
    put(at, "blog/_Drafts/deep/2018-01-01-b.md", "# B\n");
    put(at, "secret/_index.md", "---\ncascade:\n  draft: true\n---\n");
    put(at, "secret/below/2018-01-01-c.md", "# C\n");
    put(at, "odd/_index.md", "---\ndraft: perhaps\n---\n");
    put(at, "odd/2018-01-01-d.md", "# D\n");
    let count = DRAFT_YAML.len() + DRAFT_TOML.len() + 6;
    let spacing = Some(Spacing { from: server.now().plus(1_000), every_ms: 1_000, zone: None });
    for settings in [all(at), Import { spacing, ..all(at) }] {
        let report = run(&server, &settings).await;
        assert_eq!((report.published, report.scheduled, report.refused.len()), (0, 0, 0), "{report:?}");
        assert_eq!(report.held.len(), count, "{report:?}");
    }
    server.advance(600_000).await;
    let articles = articles(&server).await;
    assert!(articles.len() == count && articles.iter().all(|article| article.2 == "draft"), "{articles:?}");
    put(
        at,
        "open.md",
        "---\ndate: 2018-01-01\ndraft: \"no\"\npublished: on\nextra: {draft: true}\n---\nText\n",
    );
    assert_eq!(run(&server, &all(at)).await.published, 1, "an article without draft marker is published");
}

async fn invalid_front_matter_is_refused_with_its_line(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (index, line) in
        ["draft: maybe", "draft:", "draft: [true]", "published: soon", "private: friends", "date: 01/02/2018"]
            .iter()
            .enumerate()
    {
        put(at, &format!("{index}.md"), format!("---\ntitle: A\n{line}\n---\nText\n"));
    }
    put(at, "expiry.md", "+++\ndate = 2018-01-01\nexpiryDate = \"some day\"\n+++\n");
    put(at, "loose.md", "Title: A\nDate: 2018-01-01\nStatus: draft\n\nText\n");
    put(at, "twice.md", "---\ndate: 2018-01-01\ndraft: true\ndraft: false\n---\n");
    let report = run(&server, &all(at)).await;
    let lines: Vec<_> = report.refused.iter().map(|(_, problem)| problem.line).collect();
    assert_eq!(lines, [3, 3, 3, 3, 3, 3, 3, 3, 4], "{report:?}");
    assert!(articles(&server).await.is_empty());
}

async fn the_publish_date_overrides_the_date(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(
        at,
        "a.md",
        "---\ntitle: A\ndate: 2024-03-01\npublishDate: 2027-03-01T09:00:30+01:00\nexpiryDate: 2027-03-01T09:01:00+01:00\n---\n",
    );
    put(at, "b.md", "+++\ntitle = \"B\"\ndate = 2024-03-01\npubdate = 2027-03-01T09:00:30\n+++\n");
    put(at, "c.md", "---\ntitle: C\ndate: 2024-03-01\npublished: 2027-03-01 09:00:30\n---\n");
    let report = run(&server, &all(at)).await;
    assert_eq!((report.published, report.scheduled, report.expiring), (0, 3, 1), "{report:?}");
    let states = async || articles(&server).await.into_iter().map(|article| article.2).collect::<Vec<_>>();
    server.advance(29_000).await;
    assert_eq!(states().await, ["scheduled"; 3]);
    server.advance(1_000).await;
    assert_eq!(states().await, ["published"; 3]);
    server.advance(30_000).await;
    assert_eq!(states().await, ["draft", "published", "published"], "it has expired");
    let again = run(&server, &all(at)).await;
    assert_eq!((again.unchanged, again.published, again.kept.len()), (3, 0, 0), "{again:?}");
}

async fn an_expired_article_is_unpublished_or_never_published(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "past.md", "---\ndate: 2018-01-01\nexpiryDate: 2019-01-01\n---\n");
    put(at, "never.md", "---\ndate: 2027-05-01\nexpires: 2027-04-01\n---\n");
    put(at, "soon.md", "---\ndate: 2018-01-01\nexpiryDate: 2027-03-01 09:01\n---\n");
    let report = run(&server, &all(at)).await;
    let held: Vec<_> = report.held.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(held, ["never.md", "past.md"], "{report:?}");
    assert_eq!((report.published, report.expiring, report.scheduled), (1, 1, 0), "{report:?}");
    server.advance(59_000).await;
    assert_eq!(articles(&server).await[2].2, "published");
    server.advance(1_000).await;
    assert!(articles(&server).await.iter().all(|article| article.2 == "draft"));
}

async fn a_rate_limited_import_publishes_nothing_before_its_own_date(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", "---\ndate: 2027-06-01 09:00\n---\n# A\n");
    put(folder.path(), "b.md", "# B\n");
    let spacing = Some(Spacing { from: server.now().plus(1_000), every_ms: 1_000, zone: None });
    let report = run(&server, &Import { spacing, ..settings(folder.path()) }).await;
    assert_eq!(report.scheduled, 2, "{report:?}");
    server.advance(10_000).await;
    let states: Vec<_> = articles(&server).await.into_iter().map(|article| article.2).collect();
    assert_eq!(states, ["scheduled", "published"]);
}

async fn the_last_change_is_kept(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "a.md", "---\ndate: 2018-01-01\nlastmod: 2020-02-03T04:05:06Z\n---\n");
    put(at, "b.md", "+++\ndate = 2018-01-01\nupdated = 2020-02-03T04:05:06Z\n+++\n");
    put(at, "c.md", "---\ndate: 2018-01-01\nlast_modified_at: 2017-01-01\n---\n");
    // As drafts first: a later publication keeps the date.
    assert_eq!(run(&server, &settings(at)).await.published, 0);
    assert_eq!(run(&server, &all(at)).await.published, 3);
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    for row in list["items"].as_array().expect("items") {
        let path = format!("/api/v1/articles/{}", row["id"].as_str().expect("an id"));
        let article = server.as_creator().get(&path).await.expect(200);
        let page =
            server.as_anonymous().get(&format!("/site/{}", article["slug"].as_str().expect("a slug"))).await;
        let is_kept = page.text.contains("2020-02-03T04:05:06");
        assert_eq!(is_kept, article["slug"] != "c", "{}", page.text);
    }
}

async fn dates_are_read_in_every_common_format(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (index, date) in [
        "2026-1-5 9:05",
        "20260105T0905",
        "Jan 5, 2026 9:05 AM",
        "2026-01-05 08:05 +0000",
        "2026-01-05 9:05 CET",
    ]
    .iter()
    .enumerate()
    {
        put(at, &format!("{index}.md"), format!("---\ntitle: A\ndate: {date}\n---\n"));
    }
    assert_eq!(run(&server, &all(at)).await.published, 5);
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    for row in list["items"].as_array().expect("items") {
        assert_eq!(row["published_at"], "2026-01-05T08:05:00.000Z", "{row}");
    }
}
