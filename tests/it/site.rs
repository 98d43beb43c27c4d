//! The public site: what readers see, and what nobody sees before its moment.

use crate::{caller::Reply, house::Story, on_both};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    nothing_of_a_scheduled_article_is_seen_before_its_moment,
    a_former_name_leads_to_the_article,
    a_reader_who_has_the_page_is_told_so_until_it_changes,
    the_feeds_carry_what_is_public,
    the_index_is_read_page_by_page,
);

const CANARY: &str = "kingfisher-7f3a";

async fn write(story: &Story, title: &str, body: &str) -> Value {
    story.as_creator().post("/api/v1/articles", &json!({"title": title, "body": body})).await.expect(201)
}

async fn schedule(story: &Story, article: &Value, after: i64) -> Value {
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": story.later(after)});
    story.as_creator().post("/api/v1/tasks", &task).await.expect(201)
}

/// Writes and publishes.
async fn publish(story: &Story, title: &str, body: &str) -> Value {
    let article = write(story, title, body).await;
    schedule(story, &article, 1_000).await;
    story.advance(1_000).await;
    article
}

fn page_of(article: &Value) -> String {
    format!("/site/{}", article["slug"].as_str().unwrap())
}

async fn nothing_of_a_scheduled_article_is_seen_before_its_moment(story: Story) {
    let article = write(&story, &format!("Secret {CANARY}"), &format!("body {CANARY}")).await;
    schedule(&story, &article, 60_000).await;
    let nobody = story.as_nobody();
    let places = [
        "/site",
        "/site/feed.xml",
        "/site/feed.json",
        "/site?after=9999999999999-00000000-0000-7000-8000-000000000000",
    ];
    for place in places {
        assert!(!nobody.get(place).await.text.contains(CANARY), "{place}");
    }
    let (scheduled, never) = (nobody.get(&page_of(&article)).await, nobody.get("/site/never-was").await);
    assert_eq!((scheduled.status, never.status), (404, 404));
    assert_eq!(scheduled.text, never.text);
    let plain = |reply: &Reply| {
        let mut headers = reply.headers.clone();
        headers.remove("date");
        headers
    };
    assert_eq!(plain(&scheduled), plain(&never));
    story.advance(60_000).await;
    for place in ["/site", "/site/feed.xml", "/site/feed.json", page_of(&article).as_str()] {
        assert!(nobody.get(place).await.text.contains(CANARY), "{place}");
    }
}

async fn a_former_name_leads_to_the_article(story: Story) {
    let article = publish(&story, "First name", "text").await;
    let id = article["id"].as_str().unwrap().parse().unwrap();
    story.house.desk.articles.rename(&story.creator.actor, id, "second-name".to_owned()).await.unwrap();
    let moved = story.as_nobody().get("/site/first-name").await;
    assert_eq!((moved.status, moved.header("location")), (301, "/site/second-name"));
    assert_eq!(story.as_nobody().get("/site/second-name").await.status, 200);
}

async fn a_reader_who_has_the_page_is_told_so_until_it_changes(story: Story) {
    let article = publish(&story, "Read twice", "*first*").await;
    let page = story.as_nobody().get(&page_of(&article)).await;
    assert!(page.text.contains("<em>first</em>"), "{}", page.text);
    assert_eq!(page.header("cache-control"), "no-cache");
    let again = async || {
        let request = story.as_nobody().request(Method::GET, &page_of(&article));
        Reply::of(request.header("if-none-match", page.header("etag"))).await
    };
    assert_eq!(again().await.status, 304);
    let edit = json!({"body": "second", "seen_revision": 1});
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    story.as_creator().patch(&path, &edit).await.expect(200);
    assert_eq!(again().await.status, 304, "a draft is nobody's business");
    schedule(&story, &article, 1_000).await;
    story.advance(1_000).await;
    let fresh = again().await;
    assert!(fresh.status == 200 && fresh.text.contains("second"), "{}", fresh.text);
}

async fn the_feeds_carry_what_is_public(story: Story) {
    publish(&story, "Fish & <chips>", "crisp <script>alert(1)</script>").await;
    let atom = story.as_nobody().get("/site/feed.xml").await;
    assert_eq!(atom.header("content-type"), "application/atom+xml; charset=utf-8");
    assert!(
        atom.text.contains("Fish &amp; &lt;chips&gt;") && atom.text.contains("urn:uuid:"),
        "{}",
        atom.text
    );
    assert!(atom.text.contains(&format!("{}/site/fish-chips", story.url)), "{}", atom.text);
    let feed = story.as_nobody().get("/site/feed.json").await.expect(200);
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["items"][0]["title"], "Fish & <chips>");
    assert!(!feed["items"][0]["content_html"].as_str().unwrap().contains("script"), "{feed}");
    let page = story.as_nobody().get("/site/fish-chips").await;
    assert!(
        page.text.contains("Fish &amp; &lt;chips&gt;") && !page.text.contains("<script"),
        "{}",
        page.text
    );
}

async fn the_index_is_read_page_by_page(story: Story) {
    for number in 0..21 {
        let article = write(&story, &format!("Piece number {number:02}"), "text").await;
        schedule(&story, &article, 1_000 + number).await;
    }
    story.advance(2_000).await;
    let first = story.as_nobody().get("/site").await;
    assert!(
        first.text.contains("Piece number 20") && !first.text.contains("Piece number 00"),
        "{}",
        first.text
    );
    let next =
        first.text.split("href=\"/site?after=").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let second = story.as_nobody().get(&format!("/site?after={next}")).await;
    assert!(
        second.text.contains("Piece number 00") && !second.text.contains("Piece number 01"),
        "{}",
        second.text
    );
}
