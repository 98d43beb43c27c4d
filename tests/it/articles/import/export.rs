//! Exports: an import of one on an empty desk gives the same bytes, and the site as static files.

use super::NoProgress;
use crate::{
    articles::media::fixture,
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use presstime::{
    imports::importer::{self, Import},
    server::export,
    zone::Zone,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

on_both!(
    an_export_that_is_imported_and_exported_again_has_the_same_bytes,
    a_replaced_file_keeps_its_address_on_another_desk,
    a_schedule_by_local_time_is_exported_with_its_zone,
    the_site_is_written_as_static_files,
);

/// All files of a folder, by their path.
pub(super) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

async fn article(server: &TestServer, new: &Value) -> String {
    let article = server.as_admin().post("/api/v1/articles", new).await.expect(201);
    article["id"].as_str().expect("an id").to_owned()
}

async fn task(server: &TestServer, kind: &str, article: &str, millis: i64) {
    let new = json!({"kind": kind, "target_id": article, "due_at": server.time_after(millis)});
    server.as_admin().post("/api/v1/tasks", &new).await.expect(201);
}

/// Fills a desk with everything that an export writes.
pub(super) async fn fill(server: &TestServer) {
    let png = fixture::png(1);
    let upload = server.as_admin().request(Method::POST, "/api/v1/media").body(png);
    let media = Reply::of(upload).await.expect(201);
    let path = media["url"].as_str().expect("a URL").trim_start_matches(&server.url).to_owned();
    let body = format!("# Public: \"one\"\n\n![A cup]({path})\n\n```\n---\n```\nlast, no line end");
    let details = json!({"summary": "Short: #1", "tags": ["Ünï", "b c"], "authors": ["colleague", "admin"],
        "cover": path, "cover_alt": "A \\ cup", "language": "de", "is_featured": true, "is_noindex": true,
        "canonical": "https://a.example/x", "dated": "2019-05-03"});
    let public =
        article(server, &json!({"title": "Public: \"one\"", "body": body, "details": details})).await;
    let page = json!({"title": "About", "body": "", "details": {"template": "page"}});
    let page = article(server, &page).await;
    for id in [&public, &page] {
        task(server, "article.publish", id, 1_000).await;
    }
    server.advance(2_000).await;
    task(server, "article.unpublish", &public, 86_400_000).await;
    let later = article(server, &json!({"title": "商业观察", "body": "later\n"})).await;
    task(server, "article.publish", &later, 3_600_000).await;
    article(server, &json!({"title": "Draft", "body": "---\ntitle: no\n---\n\ttext {{ x }}\n"})).await;
    let id = page.parse().expect("an id");
    let articles = &server.app.services.articles;
    articles.rename(&server.admin.actor, id, "renamed".to_owned()).await.expect("it is renamed");
}

async fn an_export_that_is_imported_and_exported_again_has_the_same_bytes(server: TestServer) {
    fill(&server).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let written = export::run(&server.app, &first).await.expect("it is written");
    assert_eq!((written.articles, written.changes, written.media), (4, 0, 1));
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(first.clone(), Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!(
        (report.created, report.published, report.scheduled, report.expiring),
        (4, 2, 1, 1),
        "{report:?}"
    );
    assert_eq!((report.refused.len(), report.warnings.len()), (0, 0), "{report:?}");
    export::run(&other.app, &second).await.expect("it is written");
    let (before, after) = (files(&first), files(&second));
    for (name, bytes) in &before {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(2_000).collect::<String>();
        let other = after.get(name).map_or_else(|| "no such file".to_owned(), |other| text(other));
        assert!(after.get(name) == Some(bytes), "{name}:\n{}\nis now\n{other}", text(bytes));
    }
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    assert!(export::run(&other.app, &second).await.is_err(), "the folder is not empty");
}

async fn a_replaced_file_keeps_its_address_on_another_desk(server: TestServer) {
    let admin = server.as_admin();
    let media = admin.upload("a.png", &fixture::png(1)).await.expect(201);
    let path = media["path"].as_str().expect("a path").to_owned();
    let id = article(&server, &json!({"title": "Tea", "body": media["markdown"]})).await;
    task(&server, "article.publish", &id, 1_000).await;
    server.advance(1_000).await;
    let file = format!("/api/v1/media/{}/file", media["id"].as_str().expect("an id"));
    let jpeg = fixture::encoded(&fixture::picture(60, 50, 2), image::ImageFormat::Jpeg);
    Reply::of(admin.request(Method::POST, &file).body(jpeg)).await.expect(200);
    let folder = tempfile::tempdir().expect("a folder");
    let desk = folder.path().join("desk");
    assert_eq!(export::run(&server.app, &desk).await.expect("it is written").media, 1);
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(desk, Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((report.refused.len(), report.warnings.len()), (0, 0), "{report:?}");
    let list = other.as_admin().get("/api/v1/media").await.expect(200);
    assert_eq!((&list["items"][0]["width"], &list["items"][0]["type"]), (&json!(60), &json!("image/jpeg")));
    // The text names the size of the first picture.
    assert_eq!(other.as_anonymous().read_file(&path).await.status, 200);
}

async fn a_schedule_by_local_time_is_exported_with_its_zone(server: TestServer) {
    let twice = article(&server, &json!({"title": "Twice", "body": "text\n"})).await;
    let ends = article(&server, &json!({"title": "Ends", "body": "text\n"})).await;
    task(&server, "article.publish", &ends, 1_000).await;
    server.advance(2_000).await;
    for (kind, id, local, which) in [
        ("article.publish", &twice, "2027-10-31T02:30", Some("later")),
        ("article.unpublish", &ends, "2027-12-01T09:00", None),
    ] {
        let new = json!({"kind": kind, "target_id": id, "local": local, "zone": "Europe/Berlin",
            "disambiguation": which});
        server.as_admin().post("/api/v1/tasks", &new).await.expect(201);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    export::run(&server.app, &first).await.expect("it is written");
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(first.clone(), Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((report.published, report.scheduled, report.expiring), (1, 1, 1), "{report:?}");
    export::run(&other.app, &second).await.expect("it is written");
    for (name, line) in [
        ("articles/twice.md", "date: \"2027-10-31T02:30+01:00[Europe/Berlin]\"\n"),
        ("articles/ends.md", "expires: \"2027-12-01T09:00+01:00[Europe/Berlin]\"\n"),
    ] {
        for folder in [&first, &second] {
            let text = fs::read_to_string(folder.join(name)).expect("a file");
            assert!(text.contains(line), "{name}: {text}");
        }
    }
}

async fn the_site_is_written_as_static_files(server: TestServer) {
    fill(&server).await;
    let upload = server.as_admin().request(Method::POST, "/api/v1/media").body(fixture::png(2));
    let media = Reply::of(upload).await.expect(201);
    let address = media["url"].as_str().expect("a URL");
    assert!(address.starts_with(&server.url), "{address}");
    let body = format!("![A plate]({address}) and [one]({}/site/renamed)", server.url);
    let full = article(&server, &json!({"title": "Full addresses", "body": body})).await;
    task(&server, "article.publish", &full, 1_000).await;
    for number in 0..25 {
        let id = article(&server, &json!({"title": format!("Post {number}"), "body": "text"})).await;
        task(&server, "article.publish", &id, 1_000).await;
    }
    server.advance(2_000).await;
    let folder = tempfile::tempdir().expect("a folder");
    let written = export::site::run(&server.app, &folder.path().join("site")).await.expect("it is written");
    let files = files(&folder.path().join("site"));
    assert_eq!(written.redirects, 1);
    for name in [
        "site/index.html",
        "site/page/2/index.html",
        "site/renamed/index.html",
        "site/about/index.html",
        "site/public-one/index.html",
        "site/archive/all/index.html",
        "site/feed.xml",
        "site/sitemap.xml",
        "robots.txt",
        "404.html",
    ] {
        assert!(files.contains_key(name), "{name} of {:?}", files.keys());
    }
    let text = |name: &str| String::from_utf8_lossy(&files[name]).into_owned();
    assert!(
        text("site/index.html").contains("href=\"/site/page/2\"")
            && !text("site/index.html").contains("?after")
    );
    let served = server.as_anonymous().get("/site/public-one").await.text;
    assert_eq!(text("site/public-one/index.html"), served, "as the server renders it");
    let picture = address.trim_start_matches(&server.url).trim_start_matches('/');
    assert!(files.contains_key(picture), "{picture} of {:?}", files.keys());
    let shown = text("site/full-addresses/index.html");
    assert!(shown.contains(&format!("src=\"/{picture}\"")), "the picture is the one of the folder: {shown}");
    let icon = server.as_anonymous().get("/favicon.svg").await.status;
    assert_eq!(files.contains_key("favicon.svg"), icon == 200, "the icon, if the frontend is built");
    assert!(
        !files.values().any(|bytes| String::from_utf8_lossy(bytes).contains("later\n")),
        "nothing that is not public"
    );
}

#[tokio::test]
async fn newer_texts_of_public_articles_are_exported_beside_them() {
    let server = TestServer::start(Backend::Embedded).await;
    let id = article(&server, &json!({"title": "One", "body": "public"})).await;
    task(&server, "article.publish", &id, 1_000).await;
    server.advance(2_000).await;
    let edit = json!({"body": "not yet", "seen_revision": 1});
    server.as_admin().patch(&format!("/api/v1/articles/{id}"), &edit).await.expect(200);
    let folder = tempfile::tempdir().expect("a folder");
    let written = export::run(&server.app, &folder.path().join("x")).await.expect("it is written");
    assert_eq!((written.articles, written.changes), (1, 1));
    let files = files(&folder.path().join("x"));
    assert!(files["articles/one.md"].ends_with(b"public") && files["changes/one.md"].ends_with(b"not yet"));
}
