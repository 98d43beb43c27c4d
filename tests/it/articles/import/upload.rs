//! Exports that are uploaded: checked, imported in the background, undone.

use super::{articles, ghost, wordpress};
use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{ImportId, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use store::{PoolRole, import_job};

on_both!(
    an_export_is_checked_imported_and_undone_without_javascript,
    an_export_is_imported_twice_and_changes_nothing_the_second_time,
    what_was_changed_since_is_kept,
    public_articles_are_unpublished_on_request_if_unchanged,
    one_import_runs_at_a_time_and_an_interrupted_one_goes_on,
);

const PAGE: &str = "/settings/import";

/// Sends the form of the page as a browser without JavaScript does.
pub(super) async fn send(
    browser: &HttpClient,
    fields: &[(&str, &str)],
    name: &str,
    file: impl AsRef<[u8]>,
) -> Reply {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--edge\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    body += &format!(
        "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         content-type: text/xml\r\n\r\n"
    );
    let body = [body.as_bytes(), file.as_ref(), b"\r\n--edge--\r\n"].concat();
    let request = browser
        .request(Method::POST, "/fn/upload_import")
        .header("content-type", "multipart/form-data; boundary=edge")
        .header("accept", "text/html")
        .header("origin", &browser.url)
        .header("sec-fetch-site", "same-origin");
    Reply::of(request.body(body)).await
}

/// Uploads raw bytes and returns the checked import.
pub(super) async fn upload(server: &TestServer, query: &str, file: impl Into<reqwest::Body>) -> Value {
    let admin = server.as_admin();
    let request = admin.request(Method::POST, &format!("/api/v1/imports?{query}"));
    let import = Reply::of(request.header("x-filename", "export").body(file)).await.expect(201);
    server.app.imports.idle().await;
    find(server, &import).await
}

pub(super) async fn find(server: &TestServer, import: &Value) -> Value {
    server.as_admin().get(&path(import, "")).await.expect(200)
}

pub(super) fn path(import: &Value, action: &str) -> String {
    format!("/api/v1/imports/{}{action}", import["id"].as_str().unwrap())
}

pub(super) async fn run(server: &TestServer, import: &Value) -> Value {
    server.as_admin().post(&path(import, "/run"), &json!({})).await.expect(202);
    server.app.imports.idle().await;
    find(server, import).await
}

pub(super) fn files(server: &TestServer) -> usize {
    std::fs::read_dir(server.config.data.join("imports")).map_or(0, Iterator::count)
}

async fn an_export_is_checked_imported_and_undone_without_javascript(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("Check first") && page.contains("multipart/form-data"), "{page}");
    let fields = [("system", "wordpress"), ("site", ""), ("pictures", "true"), ("from", PAGE)];
    let sent = send(&browser, &fields, "old <b>.xml", &wordpress::example()).await;
    assert_eq!((sent.status, sent.header("location")), (303, PAGE), "{}", sent.text);
    server.app.imports.idle().await;
    let page = browser.get(PAGE).await.expect_page();
    for part in [
        "old &lt;b&gt;.xml",
        "Nothing was changed yet.",
        "gallery2",
        "Import now",
        "A draft",
        "nav_menu_item",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!((articles(&server).await.len(), files(&server)), (0, 1));
    let list = server.as_admin().get("/api/v1/imports").await.expect(200);
    let import = list["items"][0].clone();
    assert_eq!(import["report"]["created"], 6, "{import}");
    let id = import["id"].as_str().unwrap();
    let started = browser.form("/fn/run_import", &[("id", id), ("seen", "99"), ("from", PAGE)]).await;
    assert_eq!(started.status, 409, "{}", started.text);
    let seen = import["version"].to_string();
    let started = browser.form("/fn/run_import", &[("id", id), ("seen", &seen), ("from", PAGE)]).await;
    assert_eq!((started.status, started.header("location")), (303, PAGE), "{}", started.text);
    server.app.imports.idle().await;
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("The import has ended:") && page.contains("Yes, undo the import"), "{page}");
    assert_eq!((articles(&server).await.len(), files(&server)), (6, 0));
    let undone = browser.form("/fn/undo_import", &[("id", id), ("from", PAGE)]).await;
    assert_eq!(undone.status, 303, "{}", undone.text);
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("Moved to the trash: 4. Cancelled tasks: 1."), "{page}");
    assert!(page.contains("public, so it stays"), "{page}");
    let left: Vec<_> = articles(&server).await.into_iter().map(|(slug, ..)| slug).collect();
    assert_eq!(left, ["about", "hello-world"]);
    let discard = browser.form("/fn/discard_import", &[("id", id), ("from", PAGE)]).await;
    assert_eq!(discard.result_location(), format!("{PAGE}?done=discard"));
    assert_eq!(articles(&server).await.len(), 2);
}

async fn an_export_is_imported_twice_and_changes_nothing_the_second_time(server: TestServer) {
    let query = "system=ghost&site=https://old.example/&drafts=true&pictures=false";
    let first = upload(&server, query, ghost::export("5.80.1").to_string()).await;
    assert_eq!((&first["state"], &first["report"]["created"]), (&json!("ready"), &json!(6)), "{first}");
    let first = run(&server, &first).await;
    assert_eq!((&first["state"], &first["done"], &first["total"]), (&json!("done"), &json!(6), &json!(6)));
    assert!(articles(&server).await.iter().all(|(.., state)| *state == "draft"), "all are drafts");
    let second = upload(&server, query, ghost::export("5.80.1").to_string()).await;
    let second = run(&server, &second).await;
    let report = &second["report"];
    assert_eq!(
        (&report["created"], &report["updated"], &report["unchanged"]),
        (&json!(0), &json!(0), &json!(6))
    );
    // The second one created nothing, so there is nothing to undo.
    let undone = server.as_admin().post(&path(&second, "/undo"), &json!({})).await.expect(200);
    assert_eq!((&undone["undo"]["moved"], articles(&server).await.len()), (&json!(0), 6));
    let undone = server.as_admin().post(&path(&first, "/undo"), &json!({})).await.expect(200);
    assert_eq!((&undone["undo"]["moved"], articles(&server).await.len()), (&json!(6), 0));
    // With other options, the same posts are imported again under the same addresses.
    let query = "system=ghost&site=https://old.example/&pictures=false";
    let third = upload(&server, query, ghost::export("5.80.1").to_string()).await;
    let third = run(&server, &third).await;
    assert_eq!(third["report"]["created"], 6, "{third}");
    assert!(articles(&server).await.iter().any(|(slug, _, state)| slug == "public" && *state == "published"));
}

async fn what_was_changed_since_is_kept(server: TestServer) {
    let items = [
        wordpress::item((1, "Changed", "draft", "0000-00-00 00:00:00"), "", "One"),
        wordpress::item((2, "Scheduled", "draft", "0000-00-00 00:00:00"), "", "Two"),
        wordpress::item((3, "Same", "future", "2027-06-01 09:00:00"), "", "Three"),
    ];
    let import = upload(&server, "system=wordpress", wordpress::file(&items)).await;
    let import = run(&server, &import).await;
    let admin = server.as_admin();
    let list = admin.get("/api/v1/articles").await.expect(200);
    let by = |slug: &str| {
        let found = list["items"].as_array().unwrap().iter().find(|article| article["slug"] == slug);
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let edit = json!({"body": "Other", "seen_revision": 1});
    admin.patch(&format!("/api/v1/articles/{}", by("changed")), &edit).await.expect(200);
    let due_at = server.time_after(3_600_000);
    let task = json!({"kind": "article.publish", "target_id": by("scheduled"), "due_at": due_at});
    admin.post("/api/v1/tasks", &task).await.expect(201);
    let undone = admin.post(&path(&import, "/undo"), &json!({})).await.expect(200);
    let undo = &undone["undo"];
    assert_eq!(
        (&undo["moved"], &undo["cancelled"], &undo["kept"]),
        (&json!(1), &json!(1), &json!(2)),
        "{undo}"
    );
    let mut reasons: Vec<_> =
        undo["kept_articles"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect();
    reasons.sort_by_key(ToString::to_string);
    assert_eq!(reasons, ["schedule", "text"]);
    let tasks = admin.get("/api/v1/tasks?state=scheduled").await.expect(200);
    assert_eq!(tasks["items"].as_array().unwrap().len(), 1, "that of the kept article");
}

async fn public_articles_are_unpublished_on_request_if_unchanged(server: TestServer) {
    let items = [
        wordpress::item((1, "Untouched", "publish", "2020-01-01 09:00:00"), "", "One"),
        wordpress::item((2, "Edited", "publish", "2020-01-02 09:00:00"), "", "Two"),
        wordpress::item((3, "Planned", "publish", "2020-01-03 09:00:00"), "", "Three"),
        wordpress::item((4, "Draft", "draft", "0000-00-00 00:00:00"), "", "Four"),
    ];
    let import = upload(&server, "system=wordpress", wordpress::file(&items)).await;
    assert_eq!(import["public_unchanged"], 0);
    let import = run(&server, &import).await;
    assert_eq!((&import["report"]["published"], &import["public_unchanged"]), (&json!(3), &json!(3)));
    let admin = server.as_admin();
    let list = admin.get("/api/v1/articles").await.expect(200);
    let by = |slug: &str| {
        let found = list["items"].as_array().unwrap().iter().find(|article| article["slug"] == slug);
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let edit = json!({"body": "Other", "seen_revision": 1});
    admin.patch(&format!("/api/v1/articles/{}", by("edited")), &edit).await.expect(200);
    let task = json!({"kind": "article.unpublish", "target_id": by("planned"),
                      "due_at": server.time_after(3_600_000)});
    admin.post("/api/v1/tasks", &task).await.expect(201);
    assert_eq!(find(&server, &import).await["public_unchanged"], 1);
    let site = server.as_anonymous();
    assert_eq!(site.get("/site/untouched").await.status, 200);
    // Without the request, all that is public stays.
    let undone = admin.post(&path(&import, "/undo"), &json!({})).await.expect(200);
    assert_eq!((&undone["undo"]["moved"], &undone["undo"]["kept"]), (&json!(1), &json!(3)), "{undone}");
    assert_eq!(undone["public_unchanged"], 1);
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("move them to the trash: 1") && page.contains("name=\"unpublish\""), "{page}");
    let id = import["id"].as_str().unwrap();
    let fields = [("id", id), ("unpublish", "true"), ("from", PAGE)];
    let again = browser.form("/fn/undo_import", &fields).await;
    assert_eq!(again.status, 303, "{}", again.text);
    let undo = find(&server, &import).await["undo"].clone();
    assert_eq!(
        (&undo["moved"], &undo["unpublished"], &undo["kept"]),
        (&json!(2), &json!(1), &json!(2)),
        "{undo}"
    );
    let mut kept: Vec<_> = undo["kept_articles"].as_array().unwrap().iter().collect();
    kept.sort_by_key(|article| article["title"].to_string());
    let kept = kept.iter().map(|article| (article["title"].clone(), article["reason"].clone()));
    let expected = [("Edited", "text"), ("Planned", "schedule")];
    assert!(kept.eq(expected.map(|(title, why)| (json!(title), json!(why)))), "{undo}");
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("Of these, unpublished: 1.") && !page.contains("name=\"unpublish\""), "{page}");
    assert_eq!(site.get("/site/untouched").await.status, 404);
    assert_eq!(site.get("/site/edited").await.status, 200);
    let executed = admin.get("/api/v1/tasks?state=executed&kind=article.unpublish").await.expect(200);
    assert_eq!(executed["items"][0]["target_id"], by("untouched"), "{executed}");
    server.assert_execution_records_match().await;
}

async fn one_import_runs_at_a_time_and_an_interrupted_one_goes_on(server: TestServer) {
    let first = upload(&server, "system=wordpress", wordpress::example()).await;
    let second = upload(&server, "system=ghost", ghost::export("5.80.1").to_string()).await;
    // A process that ended right after it started the first.
    let id: ImportId = first["id"].as_str().unwrap().parse().unwrap();
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert!(import_job::start(tx.conn(), id, 2, server.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(find(&server, &first).await["state"], "running");
    let admin = server.as_admin();
    assert_eq!(admin.post(&path(&second, "/run"), &json!({})).await.refused(409), "import_running");
    assert_eq!(admin.post(&path(&first, "/run"), &json!({})).await.refused(409), "import_running");
    assert_eq!(admin.delete(&path(&first, "")).await.refused(409), "wrong_state");
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get(PAGE).await.expect_page();
    assert!(page.contains("http-equiv=\"refresh\"") && page.contains("the import goes on"), "{page}");
    server.advance(31_000).await;
    let page = browser.get(PAGE).await.expect_page();
    assert!(
        page.contains("what is already imported is not repeated") && page.contains("Run it again"),
        "{page}"
    );
    assert!(!page.contains("http-equiv=\"refresh\""), "{page}");
    assert_eq!(run(&server, &second).await["state"], "done");
    assert_eq!(run(&server, &first).await["state"], "done");
    assert_eq!(articles(&server).await.len(), 12);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_are_no_export_are_refused_with_a_sentence() {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    let ghost = ghost::export("5.80.1").to_string();
    let bomb =
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><rss>&b;</rss>";
    for (system, file, why) in [
        ("wordpress", ghost.as_str(), "not an export of WordPress"),
        ("wordpress", "PK\u{3}\u{4}aaaa", "not an export of WordPress"),
        ("wordpress", "<rss><channel><item>", "ends before it is complete"),
        ("wordpress", "<html><body></body></html>", "cannot be imported"),
        ("wordpress", bomb, "DOCTYPE"),
        ("ghost", &wordpress::example(), "not an export of Ghost"),
        ("ghost", &ghost::export("3.42.5").to_string(), "Ghost 3.42.5"),
        ("ghost", "", "Choose a file first"),
        ("markdown", &ghost, "not a zip archive"),
        ("drupal", &ghost, "wordpress, ghost, markdown"),
    ] {
        let fields =
            [("system", system), ("site", "https://a.example/x"), ("drafts", "true"), ("from", PAGE)];
        let refused = send(&browser, &fields, "export", file).await;
        assert_eq!(refused.status, 422, "{why}: {}", refused.text);
        assert!(refused.text.contains(why), "{why}: {}", refused.text);
        assert!(refused.text.contains("https://a.example/x"), "what was typed is back");
    }
    let fields = [("system", "ghost"), ("site", "old blog"), ("from", PAGE)];
    let refused = send(&browser, &fields, "export", &ghost).await;
    assert!(refused.status == 422 && refused.text.contains("no web address"), "{}", refused.text);
    let fields = [("system", "wordpress"), ("zone", "Atlantis"), ("from", PAGE)];
    let refused = send(&browser, &fields, "export", &wordpress::example()).await;
    assert!(refused.status == 422 && refused.text.contains("value=\"Atlantis\""), "{}", refused.text);
    let creator = server.log_in_browser(&server.creator).await;
    let refused = send(&creator, &[("system", "ghost"), ("from", PAGE)], "export", &ghost).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert_eq!((files(&server), articles(&server).await.len()), (0, 0));
    let list = server.as_admin().get("/api/v1/imports").await.expect(200);
    assert_eq!(list["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_too_large_is_refused_and_removed() {
    let server = TestServer::start(Backend::Embedded).await;
    let admin = server.as_admin();
    let large = vec![b'{'; 100_000_001];
    let request = admin.request(Method::POST, "/api/v1/imports?system=ghost").body(large);
    assert_eq!(Reply::of(request).await.refused(413), "too_large");
    assert_eq!(files(&server), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_uploads_are_limited_discarded_and_swept() {
    let server = TestServer::start(Backend::Embedded).await;
    let admin = server.as_admin();
    let mut imports = Vec::new();
    for _ in 0..5 {
        imports.push(upload(&server, "system=wordpress", wordpress::example()).await);
    }
    let request =
        || admin.request(Method::POST, "/api/v1/imports?system=wordpress").body(wordpress::example());
    assert_eq!(Reply::of(request()).await.refused(409), "too_many_imports");
    assert_eq!(files(&server), 5);
    assert_eq!(admin.delete(&path(&imports[0], "")).await.status, 204);
    assert_eq!(admin.get(&path(&imports[0], "")).await.status, 404);
    assert_eq!(files(&server), 4);
    let file = server.config.data.join("imports").join(imports[1]["id"].as_str().unwrap());
    let mode = |path: &std::path::Path| {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let written = file.metadata().unwrap().modified().unwrap();
    let written = written.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap().as_millis();
    let written = Timestamp::from_millis(i64::try_from(written).unwrap());
    let sweep = async |at: Timestamp| presstime::imports::sweep::once(&server.app.parts, at).await.unwrap();
    assert_eq!(sweep(written).await, 0);
    assert_eq!(sweep(written.plus(25 * 3_600_000)).await, 4);
    assert_eq!(admin.post(&path(&imports[1], "/run"), &json!({})).await.refused(409), "file_gone");
}
