//! Articles on a real Ghost: public once at their moment, whatever answer is lost. `cargo xtask test --only ghost` installs
//! Ghost and runs these tests; a normal run leaves them out.

use crate::{
    deliveries::text,
    http_client::client,
    test_server::{Backend, TestServer},
};
use domain::Timestamp;
use presstime::senders::ghost::key::AdminKey;
use serde_json::{Value, json};
use std::time::UNIX_EPOCH;
use test_support::{Ghost, Proxy, free_port};

/// These tests share one site, which takes half a minute to start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn articles_are_published_once_on_a_real_ghost() {
    let site = Ghost::start().await;
    for backend in [Backend::Embedded, Backend::Servers] {
        let server = TestServer::start(backend).await;
        an_article_is_published_changed_and_withdrawn_with_its_tasks(&site, &server).await;
        a_lost_answer_publishes_once(&site, &server).await;
        an_edit_on_the_site_is_not_overwritten(&site, &server).await;
        a_post_that_was_deleted_there_is_not_made_again(&site, &server).await;
        a_lost_result_is_found_again(&site, &server).await;
        a_scheduled_article_is_tried_before_its_moment_and_seen_after_it(&site, &server).await;
        a_test_says_what_is_wrong(&site, &server).await;
        server.stop().await;
    }
}

impl TestServer {
    /// A channel to the site behind this port.
    async fn create_ghost(&self, site: &Ghost, port: u16) -> Value {
        let ghost = json!({"url": format!("http://127.0.0.1:{port}"), "admin_key": site.key()});
        let new = json!({"transport": "ghost", "name": "Blog", "retry_schedule": "10s, 1m", "ghost": ghost});
        self.create_channel(new, json!({})).await
    }

    /// Whether a post is public as the site says, or as a reader saw it.
    async fn is_public_there(&self, path: &str) -> bool {
        matches!(self.post_state(path).await.as_str(), "published" | "live")
    }

    /// Changes the first text of an article and publishes it.
    async fn publish_text(&self, article: &Value, body: &str) {
        let own = format!("/api/v1/articles/{}", text(&article["id"]));
        let edit = json!({"body": body, "seen_revision": 1});
        self.as_creator().patch(&own, &edit).await.expect(200);
        self.run_task("article.publish", article).await;
    }
}

/// Makes a request to the Admin API, with the time of the site.
async fn admin(site: &Ghost, method: reqwest::Method, path: &str, body: Value) -> Value {
    let root = format!("http://127.0.0.1:{}/ghost/api/admin", site.port());
    let about = client(false).get(format!("{root}/site/")).send().await.unwrap();
    let date = httpdate::parse_http_date(about.headers()["date"].to_str().unwrap()).unwrap();
    let millis = date.duration_since(UNIX_EPOCH).unwrap().as_millis();
    let now = Timestamp::from_millis(i64::try_from(millis).unwrap());
    let token = AdminKey::parse(site.key()).unwrap().token(now);
    let request = client(false).request(method, format!("{root}{path}"));
    let request = request.header("authorization", format!("Ghost {token}"));
    let request = if body.is_null() { request } else { request.json(&body) };
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default()
}

/// Returns all posts with this title.
async fn posts(site: &Ghost, title: &str) -> Vec<Value> {
    let path = format!("/posts/?limit=50&formats=html&filter=title:'{title}'");
    let found = admin(site, reqwest::Method::GET, &path, Value::Null).await;
    found["posts"].as_array().unwrap().clone()
}

/// Returns how often a stranger finds the title in the feed of the site.
async fn public_count(site: &Ghost, title: &str) -> usize {
    let url = format!("http://127.0.0.1:{}/rss/", site.port());
    let feed = client(false).get(url).send().await.unwrap().text().await.unwrap();
    feed.matches(&format!("<title><![CDATA[{title}]]></title>")).count()
}

async fn an_article_is_published_changed_and_withdrawn_with_its_tasks(site: &Ghost, server: &TestServer) {
    let title = format!("On time {:?}", server.backend);
    let channel = server.create_ghost(site, site.port()).await;
    assert_eq!((&channel["events"], &channel["has_secret"]), (&json!([]), &json!(true)));
    let (article, _) = server.schedule_new_article(&title, 60_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(59_000).await;
    assert_eq!((server.post_state(&path).await.as_str(), public_count(site, &title).await), ("planned", 0));
    server.advance(1_000).await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert_eq!((text(&post["state"]), public_count(site, &title).await), ("published", 1), "{post}");
    let there = posts(site, &title).await;
    assert_eq!((there.len(), &there[0]["url"], &there[0]["status"]), (1, &post["url"], &json!("published")));
    assert!(there[0]["email"].is_null(), "no mail: {there:?}");
    server.publish_text(&article, "# Changed\n\n| a | b |\n|---|---|\n| 1 | `2` |\n").await;
    let there = posts(site, &title).await;
    let html = text(&there[0]["html"]);
    assert!(there.len() == 1 && html.contains("<code>2</code>") && html.contains("<table>"), "{html}");
    server.run_task("article.unpublish", &article).await;
    assert_eq!((server.post_state(&path).await.as_str(), public_count(site, &title).await), ("withdrawn", 0));
    server.run_task("article.publish", &article).await;
    assert_eq!((posts(site, &title).await.len(), public_count(site, &title).await), (1, 1), "the same post");
    server.as_admin().delete(&path).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(public_count(site, &title).await, 0, "no longer chosen");
}

/// The answer to each request is lost: to the questions, to the draft and to the request that makes it public.
async fn a_lost_answer_publishes_once(site: &Ghost, server: &TestServer) {
    let proxy = Proxy::to(site.port()).await;
    let channel = server.create_ghost(site, proxy.port()).await;
    for (lost, name) in [
        ("GET /ghost/api/admin/site/", "version"),
        ("GET /ghost/api/admin/posts/", "search"),
        (r#""status":"draft""#, "draft"),
        (r#""status":"published""#, "publication"),
    ] {
        let title = format!("Lost {name} {:?}", server.backend);
        let (article, _) = server.schedule_new_article(&title, 1_000).await;
        let path = server.choose_site(&article, &channel).await;
        proxy.drop_response_to(lost);
        server.advance(1_000).await;
        assert!(!proxy.is_drop_pending(), "{title}");
        server.advance(12_000).await;
        assert!(server.is_public_there(&path).await, "{title}");
        assert_eq!((posts(site, &title).await.len(), public_count(site, &title).await), (1, 1), "{title}");
        let before = posts(site, &title).await;
        let delivery = server.latest_publication(&channel).await;
        let resent = server.resolve_delivery(&delivery, "resend").await;
        server.advance(1_000).await;
        let after = posts(site, &title).await;
        assert_eq!(after.len(), 1, "sent again: {resent}");
        assert_eq!(before[0]["published_at"], after[0]["published_at"], "{title}");
    }
}

async fn an_edit_on_the_site_is_not_overwritten(site: &Ghost, server: &TestServer) {
    let title = format!("Edited there {:?}", server.backend);
    let channel = server.create_ghost(site, site.port()).await;
    let (article, _) = server.schedule_new_article(&title, 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let there = posts(site, &title).await;
    let edit = json!({"posts": [{"updated_at": there[0]["updated_at"], "html": "<p>by hand</p>"}]});
    let own = format!("/posts/{}/?source=html", text(&there[0]["id"]));
    admin(site, reqwest::Method::PUT, &own, edit).await;
    server.publish_text(&article, "from here").await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert!(text(&post["problem"]).contains("not overwritten"), "{post}");
    assert_eq!((&post["state"], &post["changed_there"]), (&json!("changed_there"), &json!("edited")));
    let there = posts(site, &title).await;
    assert!(there.len() == 1 && text(&there[0]["html"]).contains("by hand"), "{there:?}");
    server.act_on_post(&post, "overwrite").await.expect(200);
    server.advance(1_000).await;
    assert!(text(&posts(site, &title).await[0]["html"]).contains("from here"), "overwritten on demand");
}

/// Withdrawn here, it may be published there once more.
async fn a_post_that_was_deleted_there_is_not_made_again(site: &Ghost, server: &TestServer) {
    let title = format!("Deleted there {:?}", server.backend);
    let channel = server.create_ghost(site, site.port()).await;
    let (article, _) = server.schedule_new_article(&title, 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let there = posts(site, &title).await;
    let own = format!("/posts/{}/", text(&there[0]["id"]));
    admin(site, reqwest::Method::DELETE, &own, Value::Null).await;
    server.publish_text(&article, "from here").await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert!(text(&post["problem"]).contains("deleted on the site"), "{post}");
    assert_eq!((&post["state"], &post["changed_there"]), (&json!("changed_there"), &json!("deleted")));
    assert!(posts(site, &title).await.is_empty());
    server.as_admin().delete(&path).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(server.post_state(&path).await, "withdrawn");
    server.as_admin().put(&path, &Value::Null).await.expect(200);
    server.advance(1_000).await;
    assert_eq!((server.is_public_there(&path).await, public_count(site, &title).await), (true, 1));
}

/// Before its moment strangers find nothing of an article, after it a reader sees it.
async fn a_scheduled_article_is_tried_before_its_moment_and_seen_after_it(site: &Ghost, server: &TestServer) {
    let title = format!("Tried {:?}", server.backend);
    let channel = server.create_ghost(site, site.port()).await;
    let (article, _) = server.schedule_new_article(&title, 600_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(5_000).await;
    server.advance(5_000).await;
    let there = posts(site, &title).await;
    assert_eq!((server.post_state(&path).await.as_str(), there.len()), ("ready", 1));
    assert_eq!((&there[0]["status"], public_count(site, &title).await), (&json!("draft"), 0));
    server.advance(590_000).await;
    server.advance(10_000).await;
    server.advance(10_000).await;
    assert_eq!((server.post_state(&path).await.as_str(), public_count(site, &title).await), ("live", 1));
    assert_eq!(posts(site, &title).await[0]["id"], there[0]["id"], "the draft became public");
}

/// A node was killed after its request and before its result was recorded.
async fn a_lost_result_is_found_again(site: &Ghost, server: &TestServer) {
    let title = format!("Lost result {:?}", server.backend);
    let channel = server.create_ghost(site, site.port()).await;
    let (article, _) = server.schedule_new_article(&title, 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let before = posts(site, &title).await;
    let unrecorded =
        "update post set remote_id = null, published_at = null, content_hash = null where channel_id = $1";
    server.change_database(&channel, unrecorded).await;
    let delivery = server.latest_publication(&channel).await;
    server.resolve_delivery(&delivery, "resend").await;
    server.advance(1_000).await;
    let after = posts(site, &title).await;
    assert!(server.is_public_there(&path).await);
    assert_eq!((after.len(), &after[0]["updated_at"]), (1, &before[0]["updated_at"]), "nothing was written");
    let stale = "update post set content_hash = 'of the text before' where channel_id = $1";
    server.change_database(&channel, stale).await;
    let delivery = server.latest_publication(&channel).await;
    server.resolve_delivery(&delivery, "resend").await;
    server.advance(1_000).await;
    assert!(server.is_public_there(&path).await, "no edit on the site");
}

async fn a_test_says_what_is_wrong(site: &Ghost, server: &TestServer) {
    let (id, secret) = site.key().split_once(':').unwrap();
    let keys = [
        (site.key().to_owned(), "delivered", "it accepts the key"),
        (format!("{id}:{}", "0".repeat(64)), "failed", "does not accept the Admin API key"),
        (format!("{}:{secret}", "0".repeat(24)), "failed", "does not accept the Admin API key"),
    ];
    for (key, state, words) in keys {
        let channel = server.create_ghost(site, site.port()).await;
        let path = format!("/api/v1/channels/{}", text(&channel["id"]));
        server.as_admin().patch(&path, &json!({"ghost": {"admin_key": key}})).await.expect(200);
        server.post_channel_action(&channel, "test").await;
        server.tick().await;
        let delivery = server.latest_delivery(&channel).await;
        let said = text(&delivery["attempt_log"][0]["response_body"]);
        assert!(delivery["state"] == state && said.contains(words), "{delivery}");
        assert!(!said.contains(secret), "{said}");
    }
    let away = server.create_ghost(site, free_port()).await;
    server.post_channel_action(&away, "test").await;
    server.tick().await;
    let delivery = server.latest_delivery(&away).await;
    assert_eq!(text(&delivery["attempt_log"][0]["response_body"]), "no connection");
}
