//! The text that a site has of an article: it is shown beside the one from here, and becomes a new revision.

use super::{as_author, public_posts};
use crate::{
    deliveries::text,
    engine_page::assert_contains,
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use axum::http::StatusCode;
use serde_json::{Value, json};
use test_support::WordPress;
use tokio::{net::TcpListener, task::JoinSet};

on_both!(what_a_site_answers_is_bounded_and_becomes_a_sentence);

impl TestServer {
    /// Takes the text of a post as it was read.
    async fn take_theirs(&self, post: &Value, there: &Value) -> Reply {
        let path = format!("/api/v1/posts/{}/take-theirs", text(&post["id"]));
        let seen = json!({"seen_version": post["version"], "seen_hash": there["hash"]});
        self.as_admin().post(&path, &seen).await
    }
}

pub(super) async fn a_text_that_was_changed_there_is_shown_and_taken(site: &WordPress, backend: Backend) {
    let title = format!("Taken {backend:?}");
    let server = TestServer::start(backend).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, _) = server.schedule_new_article(&title, 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let (text_path, own) = (format!("{path}/text"), format!("/api/v1/articles/{}", text(&article["id"])));
    let there = server.as_admin().get(&text_path).await.expect(200);
    assert_eq!((text(&there["title"]), &there["can_take"]), (&*title, &json!(false)), "{there}");
    let post = server.as_admin().get(&path).await.expect(200);
    assert_eq!(server.take_theirs(&post, &there).await.refused(409), "wrong_state");

    let remote = format!("/wp/v2/posts/{}", public_posts(site, &title).await[0]["id"]);
    let by_hand = "<!-- wp:paragraph -->\n<p>by <strong>hand</strong></p>\n<!-- /wp:paragraph -->\n\n\
        <!-- wp:members/private -->\n<p>hushed</p>\n<!-- /wp:members/private -->";
    let new_title = format!("New {title}");
    as_author(site, &remote, json!({"content": by_hand, "title": new_title})).await;
    let edit = json!({"body": "from here", "seen_revision": 1});
    server.as_creator().patch(&own, &edit).await.expect(200);
    server.run_task("article.publish", &article).await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert_eq!(post["changed_there"], "edited", "{post}");
    let page = path.trim_start_matches("/api/v1").to_owned();
    let shown = server.page(&server.admin, &page).await;
    assert_contains(
        &shown,
        &["Show both texts", "hand", "Take the text from there", "the block members/private"],
    );
    assert!(!shown.contains("hushed"), "{shown}");
    assert_contains(
        &server.page(&server.admin, &format!("/articles/{}", text(&article["id"]))).await,
        &["Show both texts"],
    );

    let before = server.as_admin().get(&text_path).await.expect(200);
    as_author(site, &remote, json!({"content": by_hand.replace("by ", "again by ")})).await;
    assert_eq!(server.take_theirs(&post, &before).await.refused(409), "changed", "it was changed again");
    let there = server.as_admin().get(&text_path).await.expect(200);
    assert_eq!(
        (text(&there["body"]).trim(), &there["can_take"]),
        ("again by **hand**", &json!(true)),
        "{there}"
    );
    let older = json!({"id": post["id"], "version": 1});
    assert_eq!(server.take_theirs(&older, &there).await.refused(409), "changed");
    let taken = server.take_theirs(&post, &there).await.expect(200);
    assert_eq!((text(&taken["title"]), text(&taken["body"]).trim()), (&*new_title, "again by **hand**"));
    assert_eq!(taken["revision"], 3, "{taken}");
    let after = server.as_admin().get(&path).await.expect(200);
    assert!(after["changed_there"].is_null() && after["state"] != "changed_there", "{after}");
    let attention = server.as_admin().get("/api/v1/attention").await.expect(200);
    assert_eq!(attention["items"], json!([]), "a user has decided");
    let again = server.take_theirs(&after, &there).await;
    assert_eq!(again.refused(409), "wrong_state", "it is taken once");
    server.run_task("article.publish", &article).await;
    let public = public_posts(site, &new_title).await;
    assert!(text(&public[0]["content"]["rendered"]).contains("again by <strong>hand</strong>"), "{public:?}");
    server.stop().await;
}

/// A site that answers each request with this status and text.
async fn fake_site(status: u16, body: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let status = StatusCode::from_u16(status).unwrap();
    let routes = axum::Router::new().fallback(move || async move { (status, body) });
    let mut servers = JoinSet::new();
    servers.spawn(async move { axum::serve(listener, routes).await });
    servers.detach_all();
    port
}

fn remote_post(content: &str, title: &str) -> String {
    let post = json!({
        "id": 1, "status": "publish", "link": "https://blog.example/1", "content": {"raw": content},
        "title": {"raw": title}, "password": "",
    });
    post.to_string()
}

async fn what_a_site_answers_is_bounded_and_becomes_a_sentence(server: TestServer) {
    let hostile = "<p>a\0 b</p><script>alert(1)</script>";
    let large = format!("<p>{}</p>", "a".repeat(3_000_000));
    let guarded = remote_post("<p>a</p>", "T").replace(r#""password":"""#, r#""password":"p""#);
    let refused = r#"{"code":"incorrect_password","message":"The password is wrong"}"#.to_owned();
    for (status, body, said) in [
        (200, remote_post(hostile, "T\0"), ""),
        (200, guarded, ""),
        (200, remote_post("<p>a</p>", ""), "the title"),
        (200, remote_post(&large, "T"), "larger than 2 MB"),
        (200, remote_post(&large.repeat(4), "T"), "site_text"),
        (200, "<html>Maintenance</html>".to_owned(), "Maintenance"),
        (401, refused, "does not accept the user"),
        (404, r#"{"code":"rest_post_invalid_id","message":"Invalid"}"#.to_owned(), "it is not on the site"),
    ] {
        let port = fake_site(status, body).await;
        let wordpress =
            json!({"url": format!("http://127.0.0.1:{port}"), "username": "desk", "password": "p"});
        let new = json!({"transport": "wordpress", "name": format!("Fake {port}"), "retry_schedule": "1h", "wordpress": wordpress});
        let channel = server.create_channel(new, json!({})).await;
        let article = server.create_draft("Read there").await;
        let path = server.choose_site(&article, &channel).await;
        let text_path = format!("{path}/text");
        assert_eq!(server.as_admin().get(&text_path).await.refused(409), "site_text", "nothing was sent");
        let known = "update post set remote_id = '1', content_hash = 'a', changed_there = 'edited' where channel_id = $1";
        server.change_database(&channel, known).await;
        let answer = server.as_admin().get(&text_path).await;
        if !said.is_empty() {
            assert!(answer.status == 409 && answer.text.contains(said), "{}", answer.text);
            continue;
        }
        let there = answer.expect(200);
        assert!(!there.to_string().contains("alert"), "{there}");
        let post = server.as_admin().get(&path).await.expect(200);
        if there["can_take"] == false {
            assert_eq!(
                server.take_theirs(&post, &there).await.refused(409),
                "site_text",
                "it has a password"
            );
            continue;
        }
        assert_eq!(there["left_out"], json!(["<script>"]), "{there}");
        let own = format!("/api/v1/articles/{}", text(&article["id"]));
        server.as_admin().delete(&own).await;
        assert_eq!(server.take_theirs(&post, &there).await.refused(409), "in_trash");
    }
}
