//! Rendering limits: a text over a limit is refused when saved, and shown as a note if already
//! stored.

use crate::{http_client::Reply, on_both, program::Program, test_server::TestServer};
use domain::{ArticleId, RevisionId};
use presstime::{
    imports::importer::{self, Import, Progress},
    services::rendering,
    text::render::VERSION,
    zone::Zone,
};
use quick_xml::{Reader, events::Event};
use serde_json::{Value, json};
use std::{
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{io::AsyncWriteExt as _, process::Command};
use tokio_util::sync::CancellationToken;

on_both!(
    a_text_over_a_rendering_limit_is_refused_with_a_message,
    a_stored_text_over_a_rendering_limit_is_shown_as_a_note,
    a_text_is_rendered_before_it_is_public,
    a_feed_is_small_and_its_oldest_articles_are_excerpts,
    feeds_are_valid_xml_for_any_text,
    a_cached_page_does_not_depend_on_the_first_request,
    an_update_keeps_the_date_of_the_first_publication,
    an_article_is_shown_in_its_own_language,
);

fn table(columns: usize, rows: usize) -> String {
    format!("|{}\n|{}\n{}", "a|".repeat(columns), "-|".repeat(columns), "x\n".repeat(rows))
}

async fn write(server: &TestServer, title: &str, body: &str) -> Value {
    server.as_creator().post("/api/v1/articles", &json!({"title": title, "body": body})).await.expect(201)
}

async fn publish(server: &TestServer, article: &Value) {
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
}

fn page_of(article: &Value) -> String {
    format!("/site/{}", article["slug"].as_str().unwrap())
}

async fn a_text_over_a_rendering_limit_is_refused_with_a_message(server: TestServer) {
    let article = write(&server, "Good", "text").await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    for (body, sentence) in [
        (table(2_000, 2_000), "has a table with more than 250 columns; split it"),
        (table(200, 2_000), "has tables with more than 100000 cells; split the text"),
        (">".repeat(80_000), "has quotes or lists deeper than 64 levels; make them flatter"),
        ("<div>".repeat(40_000), "has HTML elements deeper than 200 levels; close them"),
        ("<b><i>".repeat(50_000), "has HTML elements deeper than 200 levels; close them"),
        ("[^a]".repeat(100_000), "has more than 5000 footnote references; split the text"),
    ] {
        let new = json!({"title": "Bad", "body": body});
        let refused = server.as_creator().post("/api/v1/articles", &new).await;
        assert!(refused.text.contains(sentence), "{}", refused.text);
        assert_eq!(refused.refused(422), "invalid");
        let edit = json!({"body": body, "seen_revision": 1});
        assert_eq!(server.as_creator().patch(&path, &edit).await.refused(422), "invalid");
        let preview = server.app.services.articles.preview(&server.creator.actor, &body).await.unwrap();
        assert!(preview.html.contains(sentence), "{}", preview.html);
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.md"), format!("---\ntitle: Bad\n---\n{}", table(2_000, 2)))
        .unwrap();
    std::fs::write(folder.path().join("deep.md"), "<div>".repeat(300)).unwrap();
    std::fs::write(folder.path().join("good.md"), "# Fine\n\ntext").unwrap();
    let import = Import::new(folder.path().to_path_buf(), Zone::UTC);
    let report =
        importer::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.unwrap();
    assert_eq!((report.created, report.refused.len()), (1, 2), "{report:?}");
    let report_text = format!("{report:?}");
    assert!(report_text.contains("the text has a table with more than 250 columns"), "{report_text}");
    assert!(report_text.contains("the text has HTML elements deeper than 200 levels"), "{report_text}");
}

struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

/// Stores a public article directly, as an earlier release did.
async fn store_public(server: &TestServer, slug: &str, body: &str) {
    let text = store::import::ImportedText {
        id: ArticleId::generate(),
        revision_id: RevisionId::generate(),
        number: 1,
        slug: slug.to_owned(),
        former_slugs: Vec::new(),
        dated_at: None,
        title: slug.to_owned(),
        body: body.to_owned(),
        details: domain::articles::details::ArticleDetails::default(),
        words: 0,
        path: format!("{slug}.md"),
        hash: String::new(),
        rendering: None,
        published_at: Some(server.now()),
        updated_at: None,
    };
    let by = store::import::ImportAuthor { account: server.creator.actor.account, now: server.now() };
    let mut tx = server.app.parts.store.begin(store::PoolRole::Web).await.unwrap();
    store::import::create(tx.conn(), &[text], by).await.unwrap();
    tx.commit().await.unwrap();
}

async fn missing(server: &TestServer) -> usize {
    let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    let until = server.now().millis() + 3_600_000;
    store::rendered::missing(lease.conn(), VERSION, until, 100).await.unwrap().len()
}

async fn a_stored_text_over_a_rendering_limit_is_shown_as_a_note(server: TestServer) {
    store_public(&server, "bad", &table(2_000, 2_000)).await;
    store_public(&server, "good", "*text*").await;
    store_public(&server, "later", "**more**").await;
    let anonymous = server.as_anonymous();
    let begun = Instant::now();
    let page = anonymous.get("/site/bad").await;
    assert!(page.status == 200 && page.text.contains("too complex to display"), "{}", page.text);
    assert!(anonymous.get("/site/good").await.text.contains("<em>text</em>"));
    // Each page has rendered its own text. The text without a reader is rendered here, or at the
    // start of a server.
    assert!(missing(&server).await <= 1);
    rendering::fill_once(&server.app.parts, &CancellationToken::new()).await.unwrap();
    assert_eq!(missing(&server).await, 0);
    for path in ["/site", "/site/feed.xml", "/site/feed.json"] {
        let page = anonymous.get(path).await;
        assert!(page.status == 200 && page.text.contains("good"), "{path}: {}", page.text);
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
}

async fn a_text_is_rendered_before_it_is_public(server: TestServer) {
    let article = write(&server, "Rendered early", "*first*").await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let edit = json!({"title": "Rendered again", "body": "# Rendered again\n\n*second*", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    assert_eq!(missing(&server).await, 0);
    server.advance(1_000).await;
    assert_eq!(missing(&server).await, 0);
    let page = server.as_anonymous().get(&page_of(&article)).await.expect_page();
    assert!(page.contains("<em>second</em>") && page.matches(">Rendered again<").count() == 1, "{page}");
}

async fn a_feed_is_small_and_its_oldest_articles_are_excerpts(server: TestServer) {
    let long = "A sentence of \"many\" <b>words</b> & more. ".repeat(8_000);
    for number in 0..5 {
        let article = write(&server, &format!("Long {number}"), &long).await;
        publish(&server, &article).await;
    }
    let atom = server.as_anonymous().get("/site/feed.xml").await;
    assert!(atom.text.len() <= 1024 * 1024, "{} bytes", atom.text.len());
    assert!(atom.text.contains("<content") && atom.text.contains("<summary"));
    let feed = server.as_anonymous().get("/site/feed.json").await;
    assert!(feed.text.len() <= 1024 * 1024, "{} bytes", feed.text.len());
    let items = feed.expect(200)["items"].as_array().unwrap().clone();
    assert_eq!(items.len(), 5);
    assert!(items[0]["content_html"].is_string() && items[4]["content_text"].is_string());
}

async fn feeds_are_valid_xml_for_any_text(server: TestServer) {
    let hostile: String =
        (1..0x300).chain(0x2000..0x2070).chain(0xfe00..0x1_0010).filter_map(char::from_u32).collect();
    // Characters that the API refuses are stored directly.
    store_public(&server, "hostile", &hostile).await;
    for bad in ["a\u{fffe}b", "a\u{ffff}b", "a\u{1b}b", "a\u{1ffff}b"] {
        for new in [json!({"title": bad, "body": ""}), json!({"title": "t", "body": bad})] {
            let refused = server.as_creator().post("/api/v1/articles", &new).await;
            assert_eq!(refused.refused(422), "invalid", "{bad:?}");
        }
    }
    for lone in [r#"{"title":"a\ud800b","body":""}"#, r#"{"title":"t","body":"\udfff"}"#] {
        let request = server.as_creator().request(reqwest::Method::POST, "/api/v1/articles");
        let request = request.header("content-type", "application/json").body(lone);
        let status = Reply::of(request).await.status;
        assert!(matches!(status, 400 | 422), "{lone}: {status}");
    }
    let body = "![](pic.png) [up](/site) [note][^1] <a id=\"x\"></a>[x](#x)\n\n## 安装 ]]> &\n\n[^1]: N";
    let article = write(&server, "A \u{202e}b\u{2066} ]]> <c> & \"d\"", body).await;
    assert_eq!(article["title"], "A b ]]> <c> & \"d\"");
    publish(&server, &article).await;
    let atom = server.as_anonymous().get("/site/feed.xml").await.text;
    let (rust, python) = (read_by_rust(&atom), read_by_python(&atom).await);
    let page = format!("{}{}", server.url, page_of(&article));
    let feed = server.as_anonymous().get("/site/feed.json").await.expect(200);
    let html = feed["items"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|item| item["content_html"].as_str().filter(|html| html.contains("pic.png")));
    for text in [&*rust, &*python, html.unwrap()] {
        for part in [
            format!("src=\"{}/site/pic.png\"", server.url),
            format!("href=\"{}/site\"", server.url),
            format!("href=\"{page}#fn-1\""),
            format!("href=\"{page}#fnref-1\""),
            format!("href=\"{page}#x\""),
        ] {
            assert!(text.contains(&part), "{part} is not in {text}");
        }
    }
}

/// Reads all texts of a feed with a Rust parser.
fn read_by_rust(atom: &str) -> String {
    let mut reader = Reader::from_str(atom);
    let mut texts = String::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return texts,
            Event::Text(text) => texts.push_str(&text.decode().unwrap()),
            Event::GeneralRef(name) => texts.push(match &*name.decode().unwrap() {
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => '&',
            }),
            _ => {}
        }
    }
}

/// Reads them with Python's parser (expat).
async fn read_by_python(atom: &str) -> String {
    let read = "import sys, xml.etree.ElementTree as tree
sys.stdout.write(' '.join(tree.fromstring(sys.stdin.buffer.read()).itertext()))";
    let mut python = Command::new("python3")
        .args(["-c", read])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .env("PYTHONIOENCODING", "utf-8")
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(atom.as_bytes()).await.unwrap();
    let answer = python.wait_with_output().await.unwrap();
    assert!(answer.status.success());
    String::from_utf8(answer.stdout).unwrap()
}

async fn a_cached_page_does_not_depend_on_the_first_request(server: TestServer) {
    let article = write(&server, "One", "text").await;
    publish(&server, &article).await;
    let anonymous = server.as_anonymous();
    let later = anonymous.get("/site?after=9999999999999-00000000-0000-7000-8000-000000000000").await;
    assert!(later.text.contains("rel=\"first\""), "{}", later.text);
    let strange = anonymous.get("/site?after=zzz").await;
    let first = anonymous.get("/site").await;
    assert!(!first.text.contains("rel=\"first\""), "{}", first.text);
    assert_eq!(strange.text, first.text);
    assert_ne!(later.header("etag"), first.header("etag"));
}

/// Returns what readers see: dates of the page, entry of the feed.
async fn dates(server: &TestServer, article: &Value) -> (Vec<String>, Value) {
    let page = server.as_anonymous().get(&page_of(article)).await;
    let dates = page.text.split("datetime=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let feed = server.as_anonymous().get("/site/feed.json").await.expect(200);
    let item = feed["items"].as_array().unwrap().iter().find(|item| item["title"] == article["title"]);
    (dates.map(str::to_owned).collect(), item.cloned().unwrap_or_default())
}

async fn an_update_keeps_the_date_of_the_first_publication(server: TestServer) {
    let old = write(&server, "Old", "first").await;
    publish(&server, &old).await;
    let new = write(&server, "New", "text").await;
    publish(&server, &new).await;
    let (first, _) = dates(&server, &old).await;
    let path = format!("/api/v1/articles/{}", old["id"].as_str().unwrap());
    let edit = json!({"body": "second", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    publish(&server, &old).await;
    let (second, item) = dates(&server, &old).await;
    assert_eq!((second.len(), &second[0]), (2, &first[0]));
    assert_eq!((&item["date_published"], &item["date_modified"]), (&json!(second[0]), &json!(second[1])));
    let order = |page: Reply| (page.text.find("New<"), page.text.find("Old<"));
    let (newer, older) = order(server.as_anonymous().get("/site").await);
    assert!(newer.unwrap() < older.unwrap(), "an update does not change the order");
    // Unpublished and published again, it counts as new: page, feed and API agree.
    let task =
        json!({"kind": "article.unpublish", "target_id": old["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
    publish(&server, &old).await;
    let (third, item) = dates(&server, &old).await;
    assert!(third.len() == 1 && third[0] > second[1], "{third:?}");
    assert_eq!((&item["date_published"], &item["date_modified"]), (&json!(third[0]), &json!(third[0])));
    let (newer, older) = order(server.as_anonymous().get("/site").await);
    assert!(older.unwrap() < newer.unwrap());
}

async fn an_article_is_shown_in_its_own_language(server: TestServer) {
    let chinese = write(&server, "今天发布", "你好，\n世界。`code`\n\n## main\n\n- [ ] 任务").await;
    let english = write(&server, "Plain words", "text in Latin letters").await;
    publish(&server, &chinese).await;
    publish(&server, &english).await;
    let page = server.as_anonymous().get(&page_of(&chinese)).await.text;
    for part in [
        "<html lang=\"zh\">",
        "你好，世界。",
        "年",
        "<h3 id=\"main\">",
        "aria-label=\"任务\"",
        "href=\"#page.main\"",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(server.as_anonymous().get(&page_of(&english)).await.text.contains("<html lang=\"en\">"));
    assert!(server.as_anonymous().get("/site").await.text.contains("<article class=\"entry\" lang=\"zh\">"));
}

#[tokio::test]
async fn a_server_stops_while_it_renders() {
    let program = Program::new();
    let token = program.admin(&[]).await;
    let serving = program.serve(&[]).await;
    let url = format!("{}/api/v1/articles", serving.url);
    let body = json!({"title": "Heavy", "body": "*a **b ".repeat(40_000)});
    let client = crate::http_client::client(false);
    let mut requests = Vec::new();
    let sent = tokio_util::task::TaskTracker::new();
    for _ in 0..6 {
        let request = client.post(&url).bearer_auth(&token).json(&body);
        requests.push(sent.spawn(request.send()));
    }
    tokio::time::timeout(Duration::from_millis(500), wait_for_first(&mut requests)).await.ok();
    let begun = Instant::now();
    assert_eq!(serving.end().await, 0);
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
}

/// Waits for the first of the requests.
async fn wait_for_first<T>(requests: &mut [tokio::task::JoinHandle<T>]) {
    if let Some(first) = requests.first_mut() {
        let _ = first.await;
    }
}
