//! Exports: an import of one on an empty desk gives the same bytes, and the site as static files.

use super::NoProgress;
use crate::{
    articles::media::fixture,
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use domain::accounts::site_look::SiteLook;
use presstime::{
    imports::importer::{self, Import},
    server::export,
    zone::Zone,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};
use store::{Conn, PoolRole};

on_both!(
    an_export_that_is_imported_and_exported_again_has_the_same_bytes,
    a_replaced_file_keeps_its_address_on_another_desk,
    every_row_of_an_export_is_restored,
    a_schedule_by_local_time_is_exported_with_its_zone,
    a_look_is_restored_without_what_the_desk_refuses_by_name,
    the_site_is_written_as_static_files,
    every_link_and_feed_of_an_exported_site_leads_to_a_file,
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

pub(super) async fn article(server: &TestServer, new: &Value) -> String {
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
    assert_eq!((written.articles, written.revisions, written.media), (4, 0, 1));
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
    // The address never shows the first picture here, also when the restored one is put back.
    let id = list["items"][0]["id"].as_str().expect("an id");
    let new = fixture::encoded(&fixture::picture(60, 50, 3), image::ImageFormat::Jpeg);
    let file = format!("/api/v1/media/{id}/file");
    Reply::of(other.as_admin().request(Method::POST, &file).body(new)).await.expect(200);
    other.as_admin().post(&format!("/api/v1/media/{id}/put-back"), &json!({})).await.expect(200);
    let first = other.as_admin().upload("a.png", &fixture::png(1)).await.expect(201);
    assert!(first["id"] != id && first["path"] != path.as_str(), "{first}");
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

async fn a_look_is_restored_without_what_the_desk_refuses_by_name(server: TestServer) {
    fill(&server).await;
    let navigation = vec!["renamed".to_owned()];
    let look = SiteLook { footer: "Printed here".to_owned(), navigation, ..SiteLook::default() };
    let settings = &server.app.services.settings;
    settings.change_look(&server.admin.actor, look, None).await.expect("it is changed");
    let folder = tempfile::tempdir().expect("a folder");
    let first = folder.path().join("first");
    export::run(&server.app, &first).await.expect("it is written");
    let manifest = fs::read_to_string(first.join("presstime.json")).expect("a manifest");
    let mut manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    manifest["site"]["accent"] = json!("#ffcc00");
    manifest["site"]["logo"] = json!("/media/gone.png");
    fs::write(first.join("presstime.json"), manifest.to_string()).expect("it is written");
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(first, Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((report.created, report.warnings.len()), (4, 2), "{report:?}");
    let lines = report.lines().join("\n");
    for part in ["presstime.json: left out", "accent has too little contrast", "site: logo "] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    let look = other.app.services.settings.look().await.expect("the look");
    assert_eq!((look.footer.as_str(), look.accent.as_str()), ("Printed here", ""));
    assert_eq!(look.navigation, ["renamed"], "its page is an article of the export");
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
    let written =
        export::site::run(&server.app, &folder.path().join("site"), false).await.expect("it is written");
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

/// The values of these attributes.
fn values(text: &str, names: &[&str]) -> Vec<String> {
    let of = |name: &&str| {
        let mark = format!(" {name}=\"");
        let ends = text.split(&mark).skip(1).filter_map(|rest| rest.split('"').next());
        ends.map(str::to_owned).collect::<Vec<_>>()
    };
    names.iter().flat_map(of).collect()
}

/// Whether an address leads to one of the files. `page`: the one that has it; empty: the root.
fn is_file(files: &BTreeMap<String, Vec<u8>>, page: &str, address: &str) -> bool {
    let path = address.split(['#', '?']).next().unwrap_or_default();
    let base = url::Url::parse("http://root.example/").and_then(|root| root.join(page)).expect("a path");
    let target = base.join(path).expect("an address");
    let name = presstime::text::percent::decoded(target.path());
    let name = name.trim_start_matches('/');
    files.contains_key(name) || files.contains_key(&format!("{name}/index.html"))
}

async fn every_link_and_feed_of_an_exported_site_leads_to_a_file(server: TestServer) {
    fill(&server).await;
    let tea = json!({"title": "茶与商业", "details": {"tags": ["新闻 & more"], "authors": ["colleague"]},
        "body": "## Part\n\n[one](/site/renamed#x), [old](/site/about), [part](#part), [away](https://a.example/)"});
    let tea = article(&server, &tea).await;
    task(&server, "article.publish", &tea, 1_000).await;
    for number in 0..30 {
        let id = article(&server, &json!({"title": format!("Post {number}"), "body": "text"})).await;
        task(&server, "article.publish", &id, 1_000).await;
    }
    server.advance(2_000).await;
    let folder = tempfile::tempdir().expect("a folder");
    for is_relative in [false, true] {
        let at = folder.path().join(is_relative.to_string());
        export::site::run(&server.app, &at, is_relative).await.expect("it is written");
        let files = files(&at);
        let pages = files.iter().filter(|(name, _)| name.ends_with("/index.html"));
        let (mut links, mut feeds) = (0, 0);
        for (name, bytes) in pages {
            let html = String::from_utf8_lossy(bytes);
            for address in values(&html, &["href", "src"]) {
                // Only built frontends have an icon.
                let is_elsewhere = address.contains("://")
                    || address.starts_with('#')
                    || address.contains("favicon")
                    || address.contains("pkg/");
                if is_elsewhere {
                    continue;
                }
                assert!(is_file(&files, name, &address), "{address} of {name}");
                assert!(!is_relative || !address.starts_with('/'), "{address} of {name}");
                links += 1;
            }
        }
        for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".xml")) {
            let text = String::from_utf8_lossy(bytes).replace("<loc>", " href=\"").replace("</loc>", "\"");
            for address in values(&text, &["href"]) {
                let Some(path) = address.strip_prefix(&server.url) else { continue };
                assert!(is_file(&files, "", path), "{address} of {name}");
                feeds += 1;
            }
        }
        assert!(links > 200 && feeds > 40, "{links} links of pages, {feeds} of feeds");
    }
}

/// What an export must bring back, one text for each row.
const ROWS: [(&str, &str); 10] = [
    (
        "articles",
        "select a.slug || ' ' || a.title || ' ' || a.revision || ' ' || n.number || ' ' || coalesce(p.number, 0)
                || ' ' || coalesce(a.published_at, 0) || ' ' || coalesce(nullif(a.updated_at, a.published_at), 0)
           from article a
           join revision n on n.id = a.revision_id
           left join revision p on p.id = a.published_revision_id
          order by a.slug",
    ),
    (
        "revisions",
        "select a.slug || ' ' || r.number || ' ' || r.title || ' ' || r.body || ' ' || r.words || ' ' || r.is_autosave
                || ' ' || r.changed || ' ' || r.saved_at || ' ' || p.name || ' ' || r.template || ' ' || r.is_featured
                || ' ' || coalesce(r.dated_at, 0)
           from revision r
           join article a on a.id = r.article_id
           join account p on p.id = r.author_id
          order by a.slug, r.number",
    ),
    (
        "authors",
        "select a.slug || ' ' || r.number || ' ' || v.position || ' ' || p.name
           from revision_author v
           join revision r on r.id = v.revision_id
           join article a on a.id = r.article_id
           join account p on p.id = v.account_id
          order by 1",
    ),
    ("tags", "select key || ' ' || name from tag order by 1"),
    (
        "tags of texts",
        "select a.slug || ' ' || r.number || ' ' || v.key
           from revision_tag v
           join revision r on r.id = v.revision_id
           join article a on a.id = r.article_id
          order by 1",
    ),
    ("redirects", "select s.slug || ' ' || a.slug from slug_redirect s join article a on a.id = s.article_id order by 1"),
    ("media", "select hash || ' ' || name || ' ' || format || ' ' || bytes || ' ' || alt from media order by 1"),
    (
        "plans",
        "select a.slug || ' ' || t.kind || ' ' || t.due_at || ' ' || coalesce(t.local_time, '')
                || coalesce(t.time_zone, '') || ' ' || coalesce(v.number, 0)
           from task t
           join article a on a.id = t.target_id
           left join revision v on v.id = t.revision_id
          where t.state = 'scheduled'
          order by 1",
    ),
    ("slots", "select time_zone || ' ' || days || ' ' || holidays from slot_plan"),
    (
        "releases",
        "select r.name || ' ' || i.place || ' ' || a.slug || ' ' || i.action || ' ' || coalesce(v.number, 0)
                || ' ' || coalesce(t.due_at, 0)
           from article_release r
           join article_release_item i on i.release_id = r.id
           join article a on a.id = i.article_id
           left join revision v on v.id = i.revision_id
           left join task t on t.target_id = r.id and t.state = 'scheduled'
          order by 1",
    ),
];

async fn rows(server: &TestServer, sql: &'static str) -> Vec<String> {
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.expect("a connection");
    match lease.conn() {
        Conn::Sqlite(c) => sqlx::query_scalar(sql).fetch_all(c).await.expect("rows"),
        Conn::Postgres(c) => sqlx::query_scalar(sql).fetch_all(c).await.expect("rows"),
    }
}

pub(super) async fn edit(server: &TestServer, id: &str, change: &Value) {
    server.as_admin().patch(&format!("/api/v1/articles/{id}"), change).await.expect(200);
}

/// Fills a desk with texts that are newer than the public, the scheduled and the released ones.
async fn fill_with_newer_texts(server: &TestServer) {
    let admin = server.as_admin();
    let public = article(server, &json!({"title": "Public", "body": "first"})).await;
    let tags = json!({"body": "second", "seen_revision": 1, "details": {"tags": ["b c", "Third"]}});
    edit(server, &public, &tags).await;
    task(server, "article.publish", &public, 1_000).await;
    let pinned = article(server, &json!({"title": "Pinned", "body": "pinned"})).await;
    task(server, "article.publish", &pinned, 7_200_000).await;
    let released = article(server, &json!({"title": "Released", "body": "released"})).await;
    let item = json!({"article_id": released, "action": "publish"});
    let release = json!({"name": "Together", "items": [item]});
    let release = admin.post("/api/v1/releases", &release).await.expect(201);
    let path = format!("/api/v1/releases/{}/schedule", release["id"].as_str().expect("an id"));
    let scheduled = admin.post(&path, &json!({"due_at": server.time_after(9_000_000)})).await;
    assert!(scheduled.status < 300, "{}", scheduled.text);
    server.advance(2_000).await;
    let not_yet = json!({"title": "Not yet", "body": "secret", "seen_revision": 2});
    edit(server, &public, &not_yet).await;
    for id in [&pinned, &released] {
        edit(server, id, &json!({"body": "secret", "seen_revision": 1})).await;
    }
    let days: Vec<Value> = (0..7).map(|_| json!({"times": ["10:00"]})).collect();
    let slots = json!({"seen_version": 0, "zone": "Asia/Shanghai", "days": days, "holidays": ["2027-05-01"]});
    admin.put("/api/v1/slots", &slots).await.expect(200);
}

async fn every_row_of_an_export_is_restored(server: TestServer) {
    fill(&server).await;
    fill_with_newer_texts(&server).await;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export");
    let written = export::run(&server.app, &at).await.expect("it is written");
    assert_eq!((written.articles, written.revisions), (7, 4));
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(at.clone(), Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!(
        (report.created, &report.refused, &report.warnings, report.left_out.len()),
        (7, &Vec::new(), &Vec::new(), 0),
        "{report:?}"
    );
    for (what, sql) in ROWS {
        let before = rows(&server, sql).await;
        assert!(!before.is_empty(), "{what}");
        assert_eq!(rows(&other, sql).await, before, "{what}");
    }
    let shown = other.as_anonymous().get("/site/public").await.expect_page();
    assert!(shown.contains("second") && !shown.contains("secret"), "{shown}");
    // What was not public where it comes from is not published by another import.
    let again = Import { publish_past: true, ..import };
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &again, &NoProgress).await.expect("it runs");
    assert_eq!((report.unchanged, report.published, report.scheduled), (7, 0, 0), "{report:?}");
}

#[tokio::test]
async fn a_newer_text_of_an_export_that_was_imported_as_drafts_stays_a_draft() {
    let server = TestServer::start(Backend::Embedded).await;
    fill_with_newer_texts(&server).await;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export");
    export::run(&server.app, &at).await.expect("it is written");
    let lines = fs::read_to_string(at.join("revisions/public.jsonl")).expect("a file");
    fs::write(at.join("revisions/public.jsonl"), format!("{lines}no revision\n")).expect("it is written");
    let other = TestServer::start(Backend::Embedded).await;
    other.advance(60_000).await;
    let drafts = Import { is_drafts: true, ..Import::new(at.clone(), Zone::UTC) };
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &drafts, &NoProgress).await.expect("it runs");
    assert_eq!((report.created, report.published, report.scheduled), (3, 0, 0), "{report:?}");
    let left_out = report.warnings.iter().find(|(path, _)| path == "articles/public.md").expect("a warning");
    assert!(left_out.1.why.contains("its other revisions are left out: line 3"), "{report:?}");
    let again = Import::new(at, Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &again, &NoProgress).await.expect("it runs");
    assert_eq!((report.published, report.scheduled), (1, 0), "only the one without a newer text: {report:?}");
    let newer =
        report.warnings.iter().filter(|(_, problem)| problem.why.contains("newer than the one of the file"));
    assert_eq!(
        newer.map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
        ["articles/pinned.md"],
        "{report:?}"
    );
    let list = other.as_admin().get("/api/v1/articles?q=secret").await.expect(200);
    let public = list["items"].as_array().expect("items").iter().filter(|row| !row["published_at"].is_null());
    assert_eq!(public.count(), 0, "{list}");
}
