//! Translations: public pages and the sitemap name each other with their languages.

use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    public_translations_name_each_other_and_nothing_else,
    a_translation_is_pinned_with_its_revision,
    the_original_is_found_by_address_and_by_an_earlier_slug,
    what_is_no_other_article_is_refused,
    what_is_not_to_be_listed_is_not_named,
);

async fn create(server: &TestServer, title: &str, details: Value) -> Value {
    let new = json!({"title": title, "body": "Text.", "details": details});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

async fn run(server: &TestServer, article: &Value, kind: &str) {
    let task = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
}

async fn publish(server: &TestServer, title: &str, details: Value) -> Value {
    let article = create(server, title, details).await;
    run(server, &article, "article.publish").await;
    article
}

/// The languages and addresses on a page, each as `language slug`.
async fn named(server: &TestServer, slug: &str) -> Vec<String> {
    let page = server.as_anonymous().get(&format!("/site/{slug}")).await.expect_page();
    let begin = format!("{}/site/", server.url);
    let links = page.split("<link rel=\"alternate\" hreflang=\"").skip(1).map(|link| {
        let (language, rest) = link.split_once("\" href=\"").unwrap();
        let address = rest.split('"').next().unwrap();
        format!("{language} {}", address.strip_prefix(&begin).unwrap())
    });
    links.collect()
}

fn path(article: &Value) -> String {
    format!("/api/v1/articles/{}", article["id"].as_str().unwrap())
}

async fn public_translations_name_each_other_and_nothing_else(server: TestServer) {
    publish(&server, "High tide", json!({"language": "en"})).await;
    let german = publish(&server, "Flut", json!({"language": "de", "translation_of": "high-tide"})).await;
    create(&server, "Marée haute", json!({"language": "fr", "translation_of": "high-tide"})).await;
    publish(&server, "Alone", json!({"language": "en"})).await;
    let all = ["en high-tide", "de flut", "x-default high-tide"];
    assert_eq!(named(&server, "high-tide").await, all);
    assert_eq!(named(&server, "flut").await, all);
    assert!(named(&server, "alone").await.is_empty());
    let map = server.as_anonymous().get("/site/sitemap.xml").await.text;
    assert!(map.contains("xmlns:xhtml=\"http://www.w3.org/1999/xhtml\""), "{map}");
    let link = format!("<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{}/site/flut\"/>", server.url);
    assert_eq!(map.matches(&link).count(), 2, "{map}");
    assert!(!map.contains("hreflang=\"fr\""), "a draft is not named: {map}");
    // What leaves the site is not named any more.
    run(&server, &german, "article.unpublish").await;
    assert!(named(&server, "high-tide").await.is_empty());
    let map = server.as_anonymous().get("/site/sitemap.xml").await.text;
    assert!(!map.contains("hreflang"), "{map}");
}

async fn a_translation_is_pinned_with_its_revision(server: TestServer) {
    publish(&server, "High tide", json!({"language": "en"})).await;
    let german = publish(&server, "Flut", json!({"language": "de"})).await;
    let edit = json!({"details": {"translation_of": "high-tide"}, "seen_revision": 1});
    let saved = server.as_creator().patch(&path(&german), &edit).await.expect(200);
    assert_eq!(saved["details"]["translation_of"], "high-tide");
    assert!(named(&server, "high-tide").await.is_empty(), "the public revision names no original");
    run(&server, &german, "article.publish").await;
    assert_eq!(named(&server, "high-tide").await.len(), 3);
    let edit = json!({"details": {"translation_of": ""}, "seen_revision": 2});
    server.as_creator().patch(&path(&german), &edit).await.expect(200);
    assert_eq!(named(&server, "flut").await.len(), 3);
}

async fn the_original_is_found_by_address_and_by_an_earlier_slug(server: TestServer) {
    let original = publish(&server, "High tide", json!({"language": "en"})).await;
    let address = format!("{}/site/high-tide", server.url);
    let german = publish(&server, "Flut", json!({"language": "de", "translation_of": address})).await;
    assert_eq!(german["details"]["translation_of"], "high-tide");
    // A translation of a translation belongs to the same original.
    let french = json!({"language": "fr", "translation_of": "/site/flut"});
    let french = publish(&server, "Marée haute", french).await;
    assert_eq!(french["details"]["translation_of"], "high-tide");
    let id = original["id"].as_str().unwrap().parse().unwrap();
    server.app.services.articles.rename(&server.creator.actor, id, "spring-tide".to_owned()).await.unwrap();
    let all = ["en spring-tide", "de flut", "fr marée-haute", "x-default spring-tide"];
    let own = french["slug"].as_str().unwrap();
    let encoded = |slug: &str| slug.replace("é", "%C3%A9");
    let all = all.map(|one| encoded(&one.replace("marée-haute", own)));
    for slug in ["spring-tide", "flut", encoded(own).as_str()] {
        assert_eq!(named(&server, slug).await, all, "{slug}");
    }
    // Without a public original its translations still name each other.
    run(&server, &original, "article.unpublish").await;
    assert_eq!(named(&server, "flut").await, all[1..3]);
}

async fn what_is_no_other_article_is_refused(server: TestServer) {
    let article = create(&server, "High tide", json!({})).await;
    let german = create(&server, "Flut", json!({"translation_of": "high-tide"})).await;
    for (article, wrong) in
        [(&article, "nowhere"), (&article, "high-tide"), (&article, "flut"), (&german, "!!!")]
    {
        let edit = json!({"details": {"translation_of": wrong}, "seen_revision": 1});
        let refused = server.as_creator().patch(&path(article), &edit).await.expect(422);
        assert_eq!(refused["error"]["field"], "translation_of", "{wrong}: {refused}");
    }
    let new = json!({"title": "New", "body": "", "details": {"translation_of": "nowhere"}});
    assert_eq!(server.as_creator().post("/api/v1/articles", &new).await.refused(422), "invalid");
}

async fn what_is_not_to_be_listed_is_not_named(server: TestServer) {
    publish(&server, "High tide", json!({"language": "en"})).await;
    let quiet = json!({"language": "de", "translation_of": "high-tide", "is_noindex": true});
    publish(&server, "Flut", quiet).await;
    let elsewhere =
        json!({"language": "fr", "translation_of": "high-tide", "canonical": "https://a.example/x"});
    publish(&server, "Maree", elsewhere).await;
    for slug in ["high-tide", "flut", "maree"] {
        assert!(named(&server, slug).await.is_empty(), "{slug}");
    }
}
