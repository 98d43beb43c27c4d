//! Who may read a file: everyone once a public text uses it, before that only people of the desk.

use super::{draft_with, fixture, path_of, schedule};
use crate::{
    http_client::HttpClient,
    on_both,
    test_server::{Account, TestServer},
};
use serde_json::{Value, json};

on_both!(
    a_file_is_public_with_its_article,
    a_file_of_a_newer_revision_stays_hidden,
    a_session_that_must_add_a_second_factor_sees_public_files_only,
    pages_and_feeds_show_the_picture,
    an_address_with_any_host_shows_the_own_file,
);

async fn status(caller: &HttpClient, media: &Value) -> u16 {
    caller.read_file(&path_of(media)).await.status
}

/// Statuses for: a stranger, the uploader, another creator, an admin, and a session of another creator.
async fn statuses(server: &TestServer, media: &Value) -> [u16; 5] {
    [
        status(&server.as_anonymous(), media).await,
        status(&server.as_creator(), media).await,
        status(&server.as_colleague(), media).await,
        status(&server.as_admin(), media).await,
        with_session(server, &server.colleague, media).await,
    ]
}

async fn with_session(server: &TestServer, account: &Account, media: &Value) -> u16 {
    let cookie = server.session_cookie(account).await;
    let request = server.as_anonymous().request(reqwest::Method::GET, &path_of(media));
    request.header("cookie", cookie).send().await.unwrap().status().as_u16()
}

async fn a_file_is_public_with_its_article(server: TestServer) {
    let media = server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    assert_eq!(statuses(&server, &media).await, [404, 200, 404, 200, 404]);
    // An address that never existed has the same response.
    let hidden = server.as_anonymous().read_file(&path_of(&media)).await;
    let none = server.as_anonymous().read_file(&format!("/media/{}/40x30.png", "00".repeat(32))).await;
    assert_eq!((hidden.status, hidden.bytes), (none.status, none.bytes));
    let article = draft_with(&server, "Tea", &media).await;
    assert_eq!(statuses(&server, &media).await, [404, 200, 200, 200, 200]);
    schedule(&server, "article.publish", &article, 60_000).await;
    server.advance(59_999).await;
    assert_eq!(statuses(&server, &media).await, [404, 200, 200, 200, 200]);
    server.advance(1).await;
    assert_eq!(statuses(&server, &media).await, [200; 5]);
    let public = server.as_anonymous().read_file(&path_of(&media)).await;
    assert_eq!(public.header("cache-control"), "public, no-cache");
    assert_eq!(public.header("cross-origin-resource-policy"), "cross-origin");
    schedule(&server, "article.unpublish", &article, 1_000).await;
    server.advance(1_000).await;
    assert_eq!(statuses(&server, &media).await, [404, 200, 200, 200, 200]);
}

async fn a_file_of_a_newer_revision_stays_hidden(server: TestServer) {
    let creator = server.as_creator();
    let (article, _) = server.schedule_new_article("Tea", 1_000).await;
    server.advance(1_000).await;
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let edit = json!({"body": media["markdown"], "seen_revision": 1});
    let edited = creator.patch(&path, &edit).await.expect(200);
    assert_eq!(status(&server.as_anonymous(), &media).await, 404);
    // A draft may lose its picture; the public text has none.
    let id = media["id"].as_str().unwrap();
    let detail = creator.get(&format!("/api/v1/media/{id}")).await.expect(200);
    let used = &detail["uses"][0];
    assert_eq!((&used["is_public"], &used["is_current"]), (&json!(false), &json!(true)), "{detail}");
    schedule(&server, "article.publish", &edited, 1_000).await;
    server.advance(1_000).await;
    assert_eq!(status(&server.as_anonymous(), &media).await, 200);
}

async fn a_session_that_must_add_a_second_factor_sees_public_files_only(server: TestServer) {
    let media = server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    draft_with(&server, "Tea", &media).await;
    let rule = json!({"required_for": "admins"});
    server.as_admin().patch("/api/v1/settings/second-factor", &rule).await.expect(200);
    assert_eq!(with_session(&server, &server.admin, &media).await, 200, "not enforced yet");
    server.advance(7 * 24 * 3_600_000).await;
    assert_eq!(with_session(&server, &server.admin, &media).await, 404);
    assert_eq!(with_session(&server, &server.colleague, &media).await, 200, "no admin");
    assert_eq!(status(&server.as_admin(), &media).await, 200, "tokens are not affected");
}

async fn pages_and_feeds_show_the_picture(server: TestServer) {
    let creator = server.as_creator();
    let sent = fixture::encoded(&fixture::picture(1_000, 500, 1), image::ImageFormat::Jpeg);
    let media = creator.upload("a.jpg", &sent).await.expect(201);
    let id = media["id"].as_str().unwrap();
    let media = creator.patch(&format!("/api/v1/media/{id}"), &json!({"alt": "A cup"})).await.expect(200);
    let article = draft_with(&server, "Tea", &media).await;
    schedule(&server, "article.publish", &article, 1_000).await;
    server.advance(1_000).await;
    let page = server.as_anonymous().get("/site/tea").await.expect_page();
    let path = path_of(&media);
    let folder = path.rsplit_once('/').unwrap().0;
    let shown = format!(
        "<img src=\"{path}\" alt=\"A cup\" srcset=\"{folder}/480.webp 480w, {folder}/960.webp 960w, {path} 1000w\""
    );
    assert!(page.contains(&shown), "{page}");
    assert!(page.contains("width=\"1000\" height=\"500\" loading=\"lazy\""), "{page}");
    for (name, value) in [
        ("og:image", format!("{}{path}", server.url)),
        ("og:image:width", "1000".to_owned()),
        ("og:image:height", "500".to_owned()),
        ("og:image:alt", "A cup".to_owned()),
    ] {
        let property = format!("<meta property=\"{name}\" content=\"{value}\">");
        assert!(page.contains(&property), "{property} in {page}");
    }
    assert!(page.contains("<meta name=\"twitter:card\" content=\"summary_large_image\">"), "{page}");
    let feed = server.as_anonymous().get("/site/feed.json").await.expect(200);
    let html = feed["items"][0]["content_html"].as_str().unwrap();
    assert!(html.contains(&format!("src=\"{}{path}\"", server.url)), "{html}");
    assert!(html.contains(&format!("{}{folder}/480.webp 480w", server.url)), "{html}");
}

async fn an_address_with_any_host_shows_the_own_file(server: TestServer) {
    let creator = server.as_creator();
    let sent = fixture::encoded(&fixture::picture(1_000, 500, 1), image::ImageFormat::Jpeg);
    let media = creator.upload("a.jpg", &sent).await.expect(201);
    let path = path_of(&media);
    let folder = path.rsplit_once('/').unwrap().0;
    let other = format!("https://other.example/media/{}/10x10.png", "0b".repeat(32));
    let body = format!(
        "![a](https://old.example{path}) ![b](//older.example{folder}/480.webp) ![c]({other})\n\n[d](http://old.example{path})"
    );
    let details = json!({"cover": format!("https://old.example:8443{path}"), "cover_alt": "A cup"});
    let new = json!({"title": "Tea", "body": body, "details": details});
    let article = creator.post("/api/v1/articles", &new).await.expect(201);
    assert_eq!(article["details"]["cover"], path, "{article}");
    assert_eq!(article["body"], body, "the text stays as it was written");
    schedule(&server, "article.publish", &article, 1_000).await;
    server.advance(1_000).await;
    assert_eq!(status(&server.as_anonymous(), &media).await, 200);
    let page = server.as_anonymous().get("/site/tea").await.expect_page();
    for alt in ["A cup", "a", "b"] {
        let shown = format!("<img src=\"{path}\" alt=\"{alt}\" srcset=\"{folder}/480.webp 480w, ");
        assert!(page.contains(&shown), "{shown} in {page}");
    }
    assert_eq!(page.matches("width=\"1000\" height=\"500\" loading=\"lazy\"").count(), 3, "{page}");
    assert!(page.contains(&format!("<a href=\"{path}\"")), "{page}");
    assert!(page.contains(&format!("<img src=\"{other}\" alt=\"c\">")), "{page}");
}
