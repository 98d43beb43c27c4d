//! Authors that an article names: shown in their order, without rights.

use crate::{articles::media::fixture, on_both, test_server::TestServer};
use serde_json::{Value, json};
use store::{PoolRole, site};

on_both!(
    authors_are_shown_in_their_order,
    an_author_who_is_named_may_not_edit,
    an_unknown_author_is_refused,
    the_page_of_an_author_shows_picture_and_text,
    the_articles_of_an_author_are_paged,
);

async fn create(server: &TestServer, title: &str, authors: Value) -> Value {
    let new = json!({"title": title, "body": "text", "details": {"authors": authors}});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

async fn authors_are_shown_in_their_order(server: TestServer) {
    let ids = [&server.colleague, &server.creator].map(|account| account.actor.account.0.to_string());
    let article = create(&server, "Tea", json!(["Colleague", ids[1], "colleague"])).await;
    assert_eq!(article["details"]["authors"], json!(ids), "{article}");
    super::schedule(&server, &article, 1_000).await;
    server.advance(1_000).await;
    let anonymous = server.as_anonymous();
    let page = anonymous.get("/site/tea").await.expect_page();
    let links = ["colleague", "creator"]
        .map(|name| format!("<a href=\"/site/author/{name}\" rel=\"author\"><bdi>{name}</bdi></a>"));
    assert!(page.contains(&links.join(", ")), "{page}");
    let data = page.split("<script type=\"application/ld+json\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    let names = |authors: &Value| [authors[0]["name"].clone(), authors[1]["name"].clone()];
    assert_eq!(names(&data["author"]), [json!("colleague"), json!("creator")]);
    let feed = anonymous.get("/site/feed.json").await.expect(200);
    assert_eq!(names(&feed["items"][0]["authors"]), [json!("colleague"), json!("creator")]);
    for name in ["colleague", "creator"] {
        let list = anonymous.get(&format!("/site/author/{name}")).await.expect_page();
        assert!(list.contains("Tea") && list.contains(&format!("/site/author/{name}/feed.xml")), "{list}");
        let feed = anonymous.get(&format!("/site/author/{name}/feed.xml")).await;
        assert!(feed.text.contains("Tea") && feed.text.contains("<name>creator</name>"));
    }
    // Without the owner among its authors, it is on the page of the others only.
    let seen = json!({"details": {"authors": ["colleague"]}, "seen_revision": 1});
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let edited = server.as_creator().patch(&path, &seen).await.expect(200);
    super::schedule(&server, &edited, 1_000).await;
    server.advance(1_000).await;
    assert_eq!(anonymous.get("/site/author/creator").await.status, 404);
    assert_eq!(anonymous.get("/site/author/creator/feed.xml").await.status, 404);
    assert!(anonymous.get("/site/author/colleague").await.text.contains("Tea"));
}

async fn an_author_who_is_named_may_not_edit(server: TestServer) {
    let article = create(&server, "Tea", json!(["colleague"])).await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let edit = json!({"body": "new", "seen_revision": 1});
    server.as_colleague().patch(&path, &edit).await.expect(403);
    // The editor shows names, and a save without a change of them is none.
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/articles/{}", article["id"].as_str().unwrap())).await.text;
    assert!(page.contains("name=\"details[authors]\"") && page.contains("value=\"colleague\""), "{page}");
}

async fn an_unknown_author_is_refused(server: TestServer) {
    let unknown = "0190a000-0000-7000-8000-000000000000";
    for (authors, status) in [(json!(["Missing"]), 422), (json!([unknown]), 422), (json!(vec!["a"; 11]), 422)]
    {
        let new = json!({"title": "Tea", "body": "text", "details": {"authors": authors}});
        let refused = server.as_creator().post("/api/v1/articles", &new).await.expect(status);
        assert!(refused.to_string().contains("authors"), "{refused}");
    }
}

async fn the_page_of_an_author_shows_picture_and_text(server: TestServer) {
    let media = server.as_creator().upload("me.png", &fixture::png(1)).await.expect(201);
    let url = media["url"].as_str().unwrap();
    let path = &url[url.find("/media/").unwrap()..];
    let article = create(&server, "Tea", json!([])).await;
    super::schedule(&server, &article, 1_000).await;
    server.advance(1_000).await;
    let browser = server.log_in_browser(&server.creator).await;
    let save = async |about: &str, picture: &str| {
        browser.form("/fn/change_author_page", &[("about", about), ("picture", picture)]).await.status
    };
    assert_eq!(server.as_anonymous().read_file(path).await.status, 404);
    let missing = format!("/media/{}/40x30.png", "0c".repeat(32));
    assert_ne!(save("Writes", &missing).await, 303, "the library does not have it");
    assert_eq!(save("Writes\n about <tea>", url).await, 303);
    let page = server.as_anonymous().get("/site/author/creator").await.expect_page();
    for part in [format!("<img src=\"{path}\""), "Writes about &lt;tea&gt;".to_owned()] {
        assert!(page.contains(&part), "{part} in {page}");
    }
    assert_eq!(server.as_anonymous().read_file(path).await.status, 200);
    let file = format!("/api/v1/media/{}", media["id"].as_str().unwrap());
    assert_eq!(server.as_creator().delete(&file).await.status, 204);
    let page = server.as_anonymous().get("/site/author/creator").await.expect_page();
    assert!(page.contains("Writes about") && !page.contains("<img"), "{page}");
}

async fn the_articles_of_an_author_are_paged(server: TestServer) {
    for (title, details) in [
        ("Owned", json!({})),
        ("Named", json!({"authors": ["creator", "colleague"]})),
        ("About us", json!({"template": "page"})),
        ("Not named", json!({"authors": ["colleague"]})),
        ("Newest", json!({})),
    ] {
        let new = json!({"title": title, "body": "text", "details": details});
        let article = server.as_creator().post("/api/v1/articles", &new).await.expect(201);
        super::schedule(&server, &article, 1_000).await;
        server.advance(1_000).await;
    }
    let (mut after, mut titles) = (None, Vec::new());
    loop {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        let page = site::by_author(lease.conn(), "creator", after, 1).await.unwrap();
        let Some(article) = page.first() else { break };
        after = Some((article.published_at, article.id));
        titles.push(article.title.clone());
    }
    assert_eq!(titles, ["Newest", "Named", "Owned"]);
}
