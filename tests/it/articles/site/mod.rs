//! The public site: what readers see, and what stays hidden before the due time.

mod authors;
mod link_cards;
mod look;
mod pages;
mod translations;

use crate::{http_client::Reply, on_both, test_server::TestServer};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_scheduled_article_is_invisible_before_its_due_time,
    an_old_slug_redirects_to_the_article,
    a_slash_at_the_end_is_dropped_and_no_path_leads_to_the_login,
    common_addresses_lead_to_the_site_and_unknown_ones_nowhere,
    a_cached_page_gets_304_until_it_changes,
    the_feeds_list_public_articles,
    the_index_is_paged,
);

const MARKER: &str = "kingfisher-7f3a";

async fn write(server: &TestServer, title: &str, body: &str) -> Value {
    server.as_creator().post("/api/v1/articles", &json!({"title": title, "body": body})).await.expect(201)
}

async fn schedule(server: &TestServer, article: &Value, after: i64) -> Value {
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(after)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201)
}

/// Creates and publishes an article.
async fn publish(server: &TestServer, title: &str, body: &str) -> Value {
    let article = write(server, title, body).await;
    schedule(server, &article, 1_000).await;
    server.advance(1_000).await;
    article
}

fn page_of(article: &Value) -> String {
    format!("/site/{}", article["slug"].as_str().unwrap())
}

async fn a_scheduled_article_is_invisible_before_its_due_time(server: TestServer) {
    let article = write(&server, &format!("Secret {MARKER}"), &format!("body {MARKER}")).await;
    schedule(&server, &article, 60_000).await;
    let anonymous = server.as_anonymous();
    let paths = [
        "/site",
        "/site/feed.xml",
        "/site/feed.json",
        "/site?after=9999999999999-00000000-0000-7000-8000-000000000000",
    ];
    for path in paths {
        assert!(!anonymous.get(path).await.text.contains(MARKER), "{path}");
    }
    let (scheduled, never) =
        (anonymous.get(&page_of(&article)).await, anonymous.get("/site/never-was").await);
    assert_eq!((scheduled.status, never.status), (404, 404));
    assert_eq!(scheduled.text, never.text);
    let plain = |reply: &Reply| {
        let mut headers = reply.headers.clone();
        headers.remove("date");
        headers
    };
    assert_eq!(plain(&scheduled), plain(&never));
    server.advance(60_000).await;
    for path in ["/site", "/site/feed.xml", "/site/feed.json", page_of(&article).as_str()] {
        assert!(anonymous.get(path).await.text.contains(MARKER), "{path}");
    }
}

async fn an_old_slug_redirects_to_the_article(server: TestServer) {
    let article = publish(&server, "First name", "text").await;
    let id = article["id"].as_str().unwrap().parse().unwrap();
    server.app.services.articles.rename(&server.creator.actor, id, "second-name".to_owned()).await.unwrap();
    let moved = server.as_anonymous().get("/site/first-name").await;
    assert_eq!((moved.status, moved.header("location")), (301, "/site/second-name"));
    assert_eq!(server.as_anonymous().get("/site/second-name").await.status, 200);
}

async fn a_slash_at_the_end_is_dropped_and_no_path_leads_to_the_login(server: TestServer) {
    publish(&server, "Tea", "text").await;
    let anonymous = server.as_anonymous();
    for (path, bare) in [
        ("/site/", "/site"),
        ("/site/tea/", "/site/tea"),
        ("/site/feed.xml/", "/site/feed.xml"),
        ("/site/archive/2027-03/", "/site/archive/2027-03"),
        ("/site/author/Ann%20Admin/", "/site/author/Ann%20Admin"),
        ("/site/tag/tea/", "/site/tag/tea"),
    ] {
        let moved = anonymous.get(path).await;
        assert_eq!((moved.status, moved.header("location")), (301, bare), "{path}");
    }
    let missing = anonymous.get("/site/never-was").await;
    for path in ["/site/tag", "/site/no/such/page"] {
        let reply = anonymous.get(path).await;
        assert_eq!((reply.status, &reply.text), (404, &missing.text), "{path}");
    }
}

async fn common_addresses_lead_to_the_site_and_unknown_ones_nowhere(server: TestServer) {
    let anonymous = server.as_anonymous();
    for (path, to) in [
        ("/feed", "/site/feed.xml"),
        ("/feed/", "/site/feed.xml"),
        ("/feed.xml", "/site/feed.xml"),
        ("/rss.xml", "/site/feed.xml"),
        ("/sitemap.xml", "/site/sitemap.xml"),
    ] {
        let moved = anonymous.get(path).await;
        assert_eq!((moved.status, moved.header("location")), (301, to), "{path}");
    }
    let missing = anonymous.get("/site/never-was").await;
    for path in ["/favicon.ico", "/.well-known/security.txt", "/2019/05/never-was/"] {
        let reply = anonymous.get(path).await;
        assert_eq!((reply.status, &reply.text), (404, &missing.text), "{path}");
    }
    let desk = anonymous.get("/articles").await;
    assert_eq!((desk.status, desk.header("location")), (303, "/login?next=/articles"));
}

async fn a_cached_page_gets_304_until_it_changes(server: TestServer) {
    let article = publish(&server, "Read twice", "*first*").await;
    let page = server.as_anonymous().get(&page_of(&article)).await;
    assert!(page.text.contains("<em>first</em>"), "{}", page.text);
    assert_eq!(page.header("cache-control"), "no-cache");
    let again = async || {
        let request = server.as_anonymous().request(Method::GET, &page_of(&article));
        Reply::of(request.header("if-none-match", page.header("etag"))).await
    };
    assert_eq!(again().await.status, 304);
    let edit = json!({"body": "second", "seen_revision": 1});
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    server.as_creator().patch(&path, &edit).await.expect(200);
    assert_eq!(again().await.status, 304, "a draft is not public");
    schedule(&server, &article, 1_000).await;
    server.advance(1_000).await;
    let fresh = again().await;
    assert!(fresh.status == 200 && fresh.text.contains("second"), "{}", fresh.text);
}

async fn the_feeds_list_public_articles(server: TestServer) {
    publish(&server, "Fish & <chips>", "crisp <script>alert(1)</script>").await;
    let atom = server.as_anonymous().get("/site/feed.xml").await;
    assert_eq!(atom.header("content-type"), "application/atom+xml; charset=utf-8");
    assert!(
        atom.text.contains("Fish &amp; &lt;chips&gt;") && atom.text.contains("urn:uuid:"),
        "{}",
        atom.text
    );
    assert!(atom.text.contains(&format!("{}/site/fish-chips", server.url)), "{}", atom.text);
    let feed = server.as_anonymous().get("/site/feed.json").await.expect(200);
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["items"][0]["title"], "Fish & <chips>");
    assert!(!feed["items"][0]["content_html"].as_str().unwrap().contains("script"), "{feed}");
    let page = server.as_anonymous().get("/site/fish-chips").await;
    assert!(
        page.text.contains("Fish &amp; &lt;chips&gt;") && !page.text.contains("<script>"),
        "{}",
        page.text
    );
}

async fn the_index_is_paged(server: TestServer) {
    for number in 0..21 {
        let article = write(&server, &format!("Piece number {number:02}"), "text").await;
        schedule(&server, &article, 1_000 + number).await;
    }
    server.advance(2_000).await;
    let first = server.as_anonymous().get("/site").await;
    assert!(
        first.text.contains("Piece number 20") && !first.text.contains("Piece number 00"),
        "{}",
        first.text
    );
    let next =
        first.text.split("href=\"/site?after=").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let second = server.as_anonymous().get(&format!("/site?after={next}")).await;
    assert!(
        second.text.contains("Piece number 00") && !second.text.contains("Piece number 01"),
        "{}",
        second.text
    );
}
