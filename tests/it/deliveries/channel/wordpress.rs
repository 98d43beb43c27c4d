//! Articles on a real WordPress: nothing is public there before its moment, and once after it, whatever answer is lost.

mod away;
mod checks;
mod theirs;

use super::many_waiting::id_of;
use crate::{
    deliveries::text,
    engine_page::assert_contains,
    http_client::client,
    test_server::{Backend, TestServer},
};
use domain::ArticleId;
use serde_json::{Value, json};
use store::{Conn, PoolRole, post};
use test_support::{Proxy, WordPress, free_port};

/// These tests share one site, which takes seconds to start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn articles_are_published_once_on_a_real_wordpress() {
    let site = WordPress::start().await;
    for backend in [Backend::Embedded, Backend::Servers] {
        an_article_is_published_changed_and_withdrawn_with_its_tasks(&site, backend).await;
        theirs::a_text_that_was_changed_there_is_shown_and_taken(&site, backend).await;
    }
    a_lost_answer_publishes_once(&site).await;
    an_edit_on_the_site_is_not_overwritten(&site).await;
    a_lost_result_is_no_edit_on_the_site(&site).await;
    of_two_copies_one_stays(&site).await;
    a_test_says_what_the_user_may_do(&site).await;
    a_channel_that_publishes_sends_no_messages(&site).await;
    an_admin_connects_a_site_and_chooses_an_article_without_script(&site).await;
    checks::a_scheduled_article_is_tried_before_its_moment_and_seen_after_it(&site).await;
    checks::a_missing_right_is_known_before_the_moment(&site).await;
    checks::a_change_on_the_site_waits_for_a_user(&site).await;
}

impl TestServer {
    /// A channel to the site behind this port, with the application password of the author.
    async fn create_wordpress(&self, site: &WordPress, port: u16, user: &str) -> Value {
        let wordpress = json!({
            "url": format!("http://127.0.0.1:{port}"), "username": user, "password": site.password(user),
        });
        let new = json!({"transport": "wordpress", "name": "Blog", "retry_schedule": "10s, 1m", "wordpress": wordpress});
        self.create_channel(new, json!({})).await
    }

    /// Chooses an article for a channel. Returns the path of the post.
    pub(super) async fn choose_site(&self, article: &Value, channel: &Value) -> String {
        let path = format!("/api/v1/articles/{}/posts/{}", text(&article["id"]), text(&channel["id"]));
        self.as_admin().put(&path, &Value::Null).await.expect(200);
        path
    }

    pub(super) async fn post_state(&self, path: &str) -> String {
        text(&self.as_admin().get(path).await.expect(200)["state"]).to_owned()
    }

    /// A channel to a site at whose address nothing listens.
    async fn create_site_away(&self) -> Value {
        self.create_site_away_with("1h").await
    }

    async fn create_site_away_with(&self, retry_schedule: &str) -> Value {
        let url = format!("http://127.0.0.1:{}", free_port());
        let wordpress = json!({"url": url, "username": "desk", "password": "secret"});
        let new = json!({
            "transport": "wordpress", "name": "Away", "retry_schedule": retry_schedule, "wordpress": wordpress,
        });
        self.create_channel(new, json!({})).await
    }

    /// Events and states of the deliveries of a channel, newest first.
    async fn delivery_log(&self, channel: &Value) -> Vec<(String, String)> {
        let path = format!("/api/v1/deliveries?channel={}", text(&channel["id"]));
        let log = self.as_admin().get(&path).await.expect(200);
        let one = |one: &Value| (text(&one["event"]).to_owned(), text(&one["state"]).to_owned());
        log["items"].as_array().unwrap().iter().map(one).collect()
    }

    /// Changes the database. `$1` is the id of the channel.
    pub(super) async fn change_database(&self, channel: &Value, sql: &'static str) {
        let (id, mut tx) = (id_of(channel), self.app.parts.store.begin(PoolRole::Web).await.unwrap());
        let changed = match tx.conn() {
            Conn::Sqlite(c) => sqlx::query(sql).bind(id.0).execute(c).await.unwrap().rows_affected(),
            Conn::Postgres(c) => sqlx::query(sql).bind(id.0).execute(c).await.unwrap().rows_affected(),
        };
        assert_eq!(changed, 1, "{sql}");
        tx.commit().await.unwrap();
    }

    pub(super) async fn run_task(&self, kind: &str, article: &Value) {
        let new = json!({"kind": kind, "target_id": article["id"], "due_at": self.time_after(1_000)});
        self.as_admin().post("/api/v1/tasks", &new).await.expect(201);
        self.advance(1_000).await;
    }
}

/// Returns the posts with this title that a stranger sees.
async fn public_posts(site: &WordPress, title: &str) -> Vec<Value> {
    let url = format!("http://127.0.0.1:{}/?rest_route=/wp/v2/posts&per_page=100", site.port());
    let all: Value = client(false).get(url).send().await.unwrap().json().await.unwrap();
    let all = all.as_array().unwrap().iter();
    all.filter(|post| text(&post["title"]["rendered"]) == title).cloned().collect()
}

/// Makes a request as the author.
async fn as_author(site: &WordPress, path: &str, fields: Value) {
    let url = format!("http://127.0.0.1:{}/?rest_route={path}", site.port());
    let request = client(false).post(url).json(&fields);
    let request = request.basic_auth(WordPress::AUTHOR, Some(site.password(WordPress::AUTHOR)));
    assert!(request.send().await.unwrap().status().is_success());
}

async fn an_article_is_published_changed_and_withdrawn_with_its_tasks(site: &WordPress, backend: Backend) {
    let title = format!("On time {backend:?}");
    let server = TestServer::start(backend).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    assert_eq!(channel["events"], json!([]));
    let (article, _) = server.schedule_new_article(&title, 60_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(59_000).await;
    assert_eq!(
        (server.post_state(&path).await.as_str(), public_posts(site, &title).await.len()),
        ("planned", 0)
    );
    server.advance(1_000).await;
    let post = server.as_admin().get(&path).await.expect(200);
    let public = public_posts(site, &title).await;
    assert_eq!((text(&post["state"]), public.len()), ("published", 1), "{post}");
    assert_eq!((&post["url"], post["problem"].is_null()), (&public[0]["link"], true));
    let edit = json!({"body": "# Changed\n\nwith `code`", "seen_revision": 1});
    let own = format!("/api/v1/articles/{}", text(&article["id"]));
    server.as_creator().patch(&own, &edit).await.expect(200);
    server.run_task("article.publish", &article).await;
    let public = public_posts(site, &title).await;
    assert!(text(&public[0]["content"]["rendered"]).contains("<code>code</code>"), "{public:?}");
    server.run_task("article.unpublish", &article).await;
    assert_eq!(
        (server.post_state(&path).await.as_str(), public_posts(site, &title).await.len()),
        ("withdrawn", 0)
    );
    server.run_task("article.publish", &article).await;
    assert_eq!(public_posts(site, &title).await.len(), 1, "the same post is public again");
    server.as_admin().delete(&path).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(public_posts(site, &title).await.len(), 0, "no longer chosen");
    server.stop().await;
}

/// The answer to the draft is lost, then the one to the request that makes it public.
async fn a_lost_answer_publishes_once(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let proxy = Proxy::to(site.port()).await;
    let channel = server.create_wordpress(site, proxy.port(), WordPress::AUTHOR).await;
    for (lost, title, attempts) in
        [(r#""status":"draft""#, "Lost draft", 2), (r#""status":"publish""#, "Lost publication", 1)]
    {
        let (article, _) = server.schedule_new_article(title, 1_000).await;
        let path = server.choose_site(&article, &channel).await;
        proxy.drop_response_to(lost);
        server.advance(1_000).await;
        assert!(!proxy.is_drop_pending(), "{title}");
        server.advance(12_000).await;
        let delivery = server.latest_publication(&channel).await;
        let state = server.post_state(&path).await;
        assert!(state == "published" || state == "live", "{title}: {state}");
        assert_eq!(delivery["attempts"], attempts, "{title}");
        assert_eq!(public_posts(site, title).await.len(), 1, "{title}");
        let resent = server.resolve_delivery(&delivery, "resend").await;
        server.advance(1_000).await;
        assert_eq!(public_posts(site, title).await.len(), 1, "sent again: {resent}");
    }
}

async fn an_edit_on_the_site_is_not_overwritten(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, _) = server.schedule_new_article("Edited there", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let public = public_posts(site, "Edited there").await;
    as_author(site, &format!("/wp/v2/posts/{}", public[0]["id"]), json!({"content": "by hand"})).await;
    let edit = json!({"body": "from here", "seen_revision": 1});
    server.as_creator().patch(&format!("/api/v1/articles/{}", text(&article["id"])), &edit).await.expect(200);
    server.run_task("article.publish", &article).await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert!(text(&post["problem"]).contains("not overwritten"), "{post}");
    assert_eq!((&post["state"], &post["changed_there"]), (&json!("changed_there"), &json!("edited")));
    let public = public_posts(site, "Edited there").await;
    assert!(text(&public[0]["content"]["rendered"]).contains("by hand"), "{public:?}");
    server.act_on_post(&post, "overwrite").await.expect(200);
    server.advance(1_000).await;
    let public = public_posts(site, "Edited there").await;
    assert!(text(&public[0]["content"]["rendered"]).contains("from here"), "{public:?}");
}

/// The result of a change was not recorded, and the site stores another text than it was sent.
async fn a_lost_result_is_no_edit_on_the_site(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, _) = server.schedule_new_article("Lost result", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let edit = json!({"body": "- [ ] a box\n\nand [gallery] as text", "seen_revision": 1});
    server.as_creator().patch(&format!("/api/v1/articles/{}", text(&article["id"])), &edit).await.expect(200);
    server.run_task("article.publish", &article).await;
    let sql = "update post set content_hash = 'of the text before' where channel_id = $1";
    server.change_database(&channel, sql).await;
    let delivery = server.latest_delivery(&channel).await;
    server.resolve_delivery(&delivery, "resend").await;
    server.advance(1_000).await;
    assert_eq!(server.post_state(&path).await, "published");
    let public = public_posts(site, "Lost result").await;
    let content = text(&public[0]["content"]["rendered"]);
    assert!(public.len() == 1 && !content.contains("<input"), "{public:?}");
    assert!(content.contains("gallery]") && !content.contains("class=\"gallery"), "{content}");
}

/// Two nodes have each made a copy.
async fn of_two_copies_one_stays(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, _) = server.schedule_new_article("Two copies", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let id: ArticleId = text(&article["id"]).parse().unwrap();
    let found = post::of_article(lease.conn(), id, None).await.unwrap();
    drop(lease);
    let marker = format!("presstime-{}", found[0].id.unwrap().simple());
    let copy = format!(
        "<!-- wp:paragraph {{\"metadata\":{{\"name\":\"{marker}\"}}}} -->\n<p>A</p>\n<!-- /wp:paragraph -->"
    );
    for _ in 0..2 {
        let fields = json!({"title": "Two copies", "content": copy, "status": "publish"});
        as_author(site, "/wp/v2/posts", fields).await;
    }
    assert_eq!(public_posts(site, "Two copies").await.len(), 2);
    server.advance(1_000).await;
    let post = server.as_admin().get(&path).await.expect(200);
    let public = public_posts(site, "Two copies").await;
    assert_eq!((text(&post["state"]), public.len(), &post["url"]), ("published", 1, &public[0]["link"]));
}

async fn a_test_says_what_the_user_may_do(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    for (user, state, right) in [
        (WordPress::AUTHOR, "delivered", "may publish posts"),
        (WordPress::CONTRIBUTOR, "failed", "may not publish posts"),
    ] {
        let channel = server.create_wordpress(site, site.port(), user).await;
        server.post_channel_action(&channel, "test").await;
        server.tick().await;
        let delivery = server.latest_delivery(&channel).await;
        let said = text(&delivery["attempt_log"][0]["response_body"]);
        assert!(delivery["state"] == state && said.lines().any(|line| line == right), "{delivery}");
    }
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let wrong = json!({"wordpress": {"password": "not this one"}});
    server.as_admin().patch(&path, &wrong).await.expect(200);
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    let delivery = server.latest_delivery(&channel).await;
    let said = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(said.contains("application password"), "{delivery}");
    let moved = json!({"wordpress": {"url": format!("http://127.0.0.1:{}/blog", site.port())}});
    let refused = server.as_admin().patch(&path, &moved).await.expect(422);
    assert_eq!(refused["error"]["field"], "wordpress.password");
}

async fn a_channel_that_publishes_sends_no_messages(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let message = json!({"channel_id": channel["id"], "body": "Text", "delay": "PT1M"});
    let refused = server.as_admin().post("/api/v1/messages", &message).await.expect(422);
    assert_eq!(refused["error"]["field"], "channel_id", "{refused}");
    let reminder = json!({"text": "Tea", "due_at": server.time_after(60_000), "channel_id": channel["id"]});
    let refused = server.as_admin().post("/api/v1/reminders", &reminder).await.expect(422);
    assert_eq!(refused["error"]["field"], "channel_id", "{refused}");
}

async fn an_admin_connects_a_site_and_chooses_an_article_without_script(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    let article = server.create_draft("By hand").await;
    let page = format!("/articles/{}", text(&article["id"]));
    assert!(!server.page(&server.admin, &page).await.contains("Also on"), "there is no site");
    let form = server.page(&server.admin, "/settings/channels?add=wordpress").await;
    assert_contains(&form, &["Address of the site", "Application password"]);
    assert!(!form.contains("channel[events]"), "it follows no events");
    let url = format!("http://127.0.0.1:{}", site.port());
    let fields = [
        ("channel[transport]", "wordpress"),
        ("channel[name]", "Blog"),
        ("channel[url]", &*url),
        ("channel[username]", WordPress::AUTHOR),
        ("channel[password]", site.password(WordPress::AUTHOR)),
        ("channel[retry_schedule]", "10s"),
        ("channel[on_unknown_outcome]", "retry"),
        ("channel[concurrency]", "1"),
        ("channel[rate]", ""),
        ("from", "/settings/channels"),
    ];
    let added = browser.form("/fn/add_channel", &fields).await;
    assert!((300..400).contains(&added.status), "{}", added.text);
    let channels = server.as_admin().get("/api/v1/channels").await.expect(200);
    let channel = text(&channels["items"][0]["id"]).to_owned();
    assert_contains(
        &server.page(&server.admin, &page).await,
        &["Also on", "Not published there.", "Publish there too", "Pictures keep their address at this desk"],
    );
    assert!(!server.page(&server.creator, &page).await.contains("Also on"), "only for admins");
    let choice = format!("{channel}:on");
    let fields = [("article", text(&article["id"])), ("choice", &*choice), ("from", &*page)];
    let chosen = browser.form("/fn/choose_post", &fields).await;
    assert!((300..400).contains(&chosen.status), "{}", chosen.text);
    assert_contains(&server.page(&server.admin, &page).await, &["Published there with the article."]);
}
