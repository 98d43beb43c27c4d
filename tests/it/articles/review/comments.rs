//! Comments on paragraphs of a revision.

use super::path;
use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_a_comment_belongs_to_a_paragraph_of_a_revision,
    s1_a_comment_is_resolved_once_and_opened_again,
    s1_comments_are_shown_and_written_without_javascript,
    s1_invalid_comments_are_refused_with_their_field,
);

async fn comment(client: &HttpClient, article: &Value, paragraph: u32, text: &str) -> Value {
    let body = json!({"revision": article["revision"], "paragraph": paragraph, "text": text});
    client.post(&path(article, "/comments"), &body).await.expect(201)
}

async fn notified(client: &HttpClient) -> Vec<String> {
    let list = client.get("/api/v1/notifications").await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

async fn s1_a_comment_belongs_to_a_paragraph_of_a_revision(server: TestServer) {
    let article =
        server.write("Commented", "One paragraph.\n\n```\ncode\n\nmore\n```\n\nThe last one.").await;
    let reviewer = server.as_reviewer();
    let last = comment(&reviewer, &article, 3, "Which one?").await;
    assert_eq!((&last["quote"], &last["resolved_at"]), (&json!("The last one."), &Value::Null));
    comment(&server.as_creator(), &article, 1, "I know").await;
    let changed = server.rewrite(&article, "Another text.").await;
    comment(&reviewer, &changed, 1, "Better").await;
    let list = server.as_colleague().get(&path(&article, "/comments")).await.expect(200);
    let items: Vec<_> = list["items"].as_array().unwrap().iter().collect();
    let places: Vec<_> =
        items.iter().map(|one| (one["revision"].as_i64(), one["paragraph"].as_i64())).collect();
    assert_eq!(places, [(Some(1), Some(1)), (Some(1), Some(3)), (Some(2), Some(1))]);
    let said = "There is a new comment on “Commented”.";
    assert_eq!(notified(&server.as_creator()).await, [said, said]);
    assert_eq!(notified(&reviewer).await, [said], "who commented before");
    let other = json!({"revision": 1, "paragraph": 1, "text": "Mine"});
    server.as_colleague().post(&path(&article, "/comments"), &other).await.refused(403);
}

async fn s1_a_comment_is_resolved_once_and_opened_again(server: TestServer) {
    let article = server.write("Settled", "A text.").await;
    let made = comment(&server.as_reviewer(), &article, 1, "Why?").await;
    let act = |act: &str| format!("/api/v1/comments/{}/{act}", made["id"].as_str().unwrap());
    server.as_colleague().post(&act("resolve"), &json!({})).await.refused(403);
    let resolved = server.as_creator().post(&act("resolve"), &json!({})).await.expect(200);
    assert!(resolved["resolved_at"].is_string() && resolved["resolved_by"].is_string(), "{resolved}");
    server.as_reviewer().post(&act("resolve"), &json!({})).await.refused(409);
    let open = server.as_reviewer().post(&act("reopen"), &json!({})).await.expect(200);
    assert_eq!((&open["resolved_at"], &open["resolved_by"]), (&Value::Null, &Value::Null));
    server.as_reviewer().post(&act("reopen"), &json!({})).await.refused(409);
}

async fn s1_comments_are_shown_and_written_without_javascript(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("By form", "One.\n\nTwo.").await;
    server.submit(&article).await;
    let id = article["id"].as_str().unwrap();
    let page = format!("/review/{id}");
    let browser = server.log_in_browser(&server.reviewer).await;
    let fields = |text: &'static str| {
        [("article", id), ("revision", "1"), ("paragraph", "2"), ("text", text), ("from", page.as_str())]
    };
    let refused = browser.form("/fn/add_comment", &fields(" ")).await;
    assert!(refused.status == 422 && refused.text.contains("selected"), "{}", refused.text);
    let stored = browser.form("/fn/add_comment", &fields("Two is <b>too</b> much")).await;
    assert!((300..400).contains(&stored.status), "{}", stored.text);
    let shown = browser.get(&page).await.text;
    assert!(shown.contains("Two is &lt;b&gt;too&lt;/b&gt; much") && shown.contains("paragraph 2"), "{shown}");
    // The author sees it beside the text.
    let author = server.log_in_browser(&server.creator).await;
    let editor = format!("/articles/{id}?view=schedule");
    let panel = author.get(&editor).await.text;
    let link = format!("href=\"/review/{id}#comments\"");
    assert!(panel.contains("1 open comment") && panel.contains(&link), "{panel}");
    let list = server.as_creator().get(&path(&article, "/comments")).await.expect(200);
    let comment = list["items"][0]["id"].as_str().unwrap();
    let settle = [("id", comment), ("act", "resolve"), ("from", page.as_str())];
    let settled = browser.form("/fn/settle_comment", &settle).await;
    assert!((300..400).contains(&settled.status), "{}", settled.text);
    assert!(browser.get(&page).await.text.contains("Open again"));
    assert!(!author.get(&editor).await.text.contains("open comment"));
}

async fn s1_invalid_comments_are_refused_with_their_field(server: TestServer) {
    let article = server.write("Limits", "A text.").await;
    let reviewer = server.as_reviewer();
    let send = async |body: Value| reviewer.post(&path(&article, "/comments"), &body).await;
    let long = "x".repeat(2_001);
    for (body, status) in [
        (json!({"revision": 1, "paragraph": 1, "text": "  "}), 422),
        (json!({"revision": 1, "paragraph": 1, "text": long}), 422),
        (json!({"revision": 1, "paragraph": 0, "text": "x"}), 422),
        (json!({"revision": 1, "paragraph": 2, "text": "x"}), 422),
        (json!({"revision": 1, "paragraph": -1, "text": "x"}), 422),
        (json!({"revision": 7, "paragraph": 1, "text": "x"}), 404),
        (json!({"revision": 1, "paragraph": 1, "text": "x", "more": 1}), 422),
    ] {
        assert_eq!(send(body.clone()).await.status, status, "{body}");
    }
    let list = reviewer.get(&path(&article, "/comments")).await.expect(200);
    assert_eq!(list["items"], json!([]));
}
