//! The checklist before scheduling.

use super::{HOUR, path};
use crate::{on_both, test_server::TestServer};
use axum::routing::get;
use serde_json::{Value, json};

on_both!(
    s1_a_required_item_must_be_there_before_a_text_is_scheduled,
    s1_the_checklist_names_the_places,
    s1_the_checklist_is_set_item_by_item,
    s1_links_must_have_answered_lately,
    s1_a_replaced_text_needs_what_the_desk_requires,
    s1_a_hit_is_replaced_by_a_form,
    s1_own_links_and_pictures_are_checked_and_reviewers_see_it,
);

async fn s1_own_links_and_pictures_are_checked_and_reviewers_see_it(server: TestServer) {
    let modes = json!({"own_links": "warn", "alt_texts": "warn"});
    let stored = server.set_workflow("one_reviewer", json!({"checklist": modes})).await;
    assert_eq!(stored["checklist"]["own_links"], "warn");
    let other = server.write("Spring tide", "Text.").await;
    let slug = other["slug"].as_str().unwrap();
    let body = format!("[a](/site/{slug}#top)\n\n[b](/site/no-such-article)\n\n![](/media/00/none.png)");
    let article = server.write("Links of the desk", &body).await;
    let creator = server.as_creator();
    let findings = async || {
        let check = creator.get(&path(&article, "/checklist")).await.expect(200);
        let item = check["items"].as_array().unwrap().iter().find(|one| one["item"] == "own_links");
        let lines = item.unwrap()["findings"].as_array().unwrap().iter().map(|one| one["line"].clone());
        lines.collect::<Vec<Value>>()
    };
    assert_eq!(findings().await, [json!(3), json!(5)]);
    // A former slug leads on; an article in the trash does not.
    let renamed = server.app.services.articles.rename(
        &server.creator.actor,
        id(&other).parse().unwrap(),
        "tides".to_owned(),
    );
    renamed.await.unwrap();
    assert_eq!(findings().await, [json!(3), json!(5)]);
    assert_eq!(creator.delete(&path(&other, "")).await.status, 204);
    assert_eq!(findings().await, [json!(1), json!(3), json!(5)]);
    server.submit(&article).await;
    let page = format!("/review/{}", id(&article));
    let shown = server.log_in_browser(&server.reviewer).await.get(&page).await.expect_page();
    assert!(shown.contains("Every link to an article or a file of this desk leads to one"), "{shown}");
    assert!(shown.contains("Every picture has a description"), "{shown}");
    // If it is required, the text is not scheduled.
    server.set_workflow("none", json!({"checklist": {"own_links": "require"}})).await;
    let new =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(HOUR)});
    assert_eq!(creator.post("/api/v1/tasks", &new).await.refused(422), "checklist");
}

async fn s1_a_hit_is_replaced_by_a_form(server: TestServer) {
    server.create_list("replace", json!([{"term": "darn", "replacement": "very"}])).await;
    let article = server.write("Darn harbour", "A **da**rn day, a darn night.").await;
    let check = server.as_creator().get(&path(&article, "/checklist")).await.expect(200);
    let replacements: Vec<&Value> =
        check["hits"].as_array().unwrap().iter().map(|hit| &hit["replacement"]).collect();
    assert_eq!(replacements, ["very", "very**", "very"]);
    let (id, start) = (id(&article), check["hits"][1]["start"].to_string());
    assert_eq!(start, "4");
    let page = format!("/articles/{id}");
    let from = page.as_str();
    let browser = server.log_in_browser(&server.creator).await;
    assert!(browser.get(from).await.expect_page().contains("Replace with “very**”"));
    let fields = |seen: &'static str| {
        [("id", id), ("seen", seen), ("field", "text"), ("start", "4"), ("by", "very**"), ("from", from)]
    };
    let done = browser.form("/fn/replace_term", &fields("1")).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert!(browser.get(done.header("location")).await.expect_page().contains("The word is replaced"));
    let shown = server.article(&article).await;
    assert_eq!((&shown["body"], &shown["revision"]), (&json!("A **very** day, a darn night."), &json!(2)));
    // A hit that is not there, or was seen in another revision, changes nothing.
    assert_eq!(browser.form("/fn/replace_term", &fields("2")).await.status, 409);
    let title =
        [("id", id), ("seen", "1"), ("field", "title"), ("start", "0"), ("by", "very"), ("from", from)];
    assert_eq!(browser.form("/fn/replace_term", &title).await.status, 409);
    assert_eq!(server.article(&article).await["revision"], 2);
}

async fn s1_a_required_item_must_be_there_before_a_text_is_scheduled(server: TestServer) {
    server.set_workflow("none", json!({"checklist": {"summary": "require", "marks": "require"}})).await;
    let article = server.write("Unfinished", "The sum is TK.").await;
    let due_at = server.time_after(HOUR);
    let new = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
    let creator = server.as_creator();
    let refused = creator.post("/api/v1/tasks", &new).await;
    assert_eq!(refused.refused(422), "checklist");
    // All of several, or none.
    let other = server.write("Finished", "Text.").await;
    let summary = json!({"details": {"summary": "What it says."}, "seen_revision": 1});
    creator.patch(&path(&other, ""), &summary).await.expect(200);
    let finished = json!({"kind": "article.publish", "target_id": other["id"], "due_at": due_at});
    let bulk = json!({"items": [finished, new]});
    let reply = creator.post("/api/v1/tasks/bulk", &bulk).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert!(reply.text.contains("checklist"), "{}", reply.text);
    creator.post("/api/v1/tasks", &finished).await.expect(201);
    let edit = json!({"body": "The sum is 12.", "details": {"summary": "The sum."}, "seen_revision": 1});
    creator.patch(&path(&article, ""), &edit).await.expect(200);
    creator.post("/api/v1/tasks", &new).await.expect(201);
    // Unpublishing needs no checklist.
    let unpublish =
        json!({"kind": "article.unpublish", "target_id": other["id"], "due_at": server.time_after(2 * HOUR)});
    creator.post("/api/v1/tasks", &unpublish).await.expect(201);
}

async fn s1_the_checklist_names_the_places(server: TestServer) {
    let modes = json!({"alt_texts": "warn", "headings": "warn", "title": "require"});
    server.set_workflow("none", json!({"checklist": modes})).await;
    server.create_list("flag", json!(["casino"])).await;
    let body = "## One\n\n![](/media/1)\n\n#### Deep\n\nA casino.";
    let article = server.write("Places", body).await;
    let check = server.as_creator().get(&path(&article, "/checklist")).await.expect(200);
    let items: Vec<(&str, bool, Value)> = check["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let lines = one["findings"].as_array().unwrap().iter().map(|place| place["line"].clone());
            (one["item"].as_str().unwrap(), one["is_done"].as_bool().unwrap(), lines.collect())
        })
        .collect();
    assert_eq!(
        items,
        [("title", true, json!([])), ("alt_texts", false, json!([3])), ("headings", false, json!([5]))]
    );
    let hit = &check["hits"][0];
    assert_eq!((&hit["term"], &hit["field"]), (&json!("casino"), &json!("text")));
    let picked: String = body.chars().skip(hit["start"].as_u64().unwrap() as usize).take(6).collect();
    assert_eq!(picked, "casino");
    // A warning refuses nothing.
    server.schedule_in(&article, HOUR).await;
    let page = server
        .log_in_browser(&server.creator)
        .await
        .get(&format!("/articles/{}?view=schedule", id(&article)))
        .await;
    let page = page.expect_page();
    assert!(page.contains("Every picture has a description") && page.contains("data-select"), "{page}");
}

async fn s1_the_checklist_is_set_item_by_item(server: TestServer) {
    let stored = server.set_workflow("none", json!({"checklist": {"marks": "warn"}})).await;
    assert_eq!(stored["checklist"]["marks"], "warn");
    let stored = server.set_workflow("none", json!({"checklist": {"title": "require"}})).await;
    assert_eq!(
        (&stored["checklist"]["marks"], &stored["checklist"]["title"]),
        (&json!("warn"), &json!("require"))
    );
    let admin = server.as_admin();
    let wrong = json!({"checklist": {"title": "sometimes"}});
    assert_eq!(admin.patch("/api/v1/settings/review", &wrong).await.refused(422), "invalid");
    let article = server.write("One", "Text.").await;
    let missing =
        server.as_creator().get(&format!("/api/v1/articles/{}/checklist", uuid::Uuid::now_v7())).await;
    assert_eq!(missing.status, 404);
    let check = server.as_creator().get(&path(&article, "/checklist")).await.expect(200);
    assert_eq!(check["hits"], json!([]));
}

async fn s1_links_must_have_answered_lately(server: TestServer) {
    server.set_workflow("none", json!({"checklist": {"links": "require"}})).await;
    let web = web_server().await;
    let article = server.write("Links", &format!("[a]({web}/page)\n\n[b]({web}/page#part)")).await;
    let creator = server.as_creator();
    let new = || json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(60 * 24 * HOUR)});
    // It was never opened.
    assert_eq!(creator.post("/api/v1/tasks", &new()).await.refused(422), "checklist");
    let check = creator.get(&path(&article, "/checklist")).await.expect(200);
    let item = &check["items"][0];
    assert_eq!((&item["item"], &item["is_done"]), (&json!("links"), &json!(false)));
    assert_eq!(item["findings"][0]["quote"], format!("{web}/page"));
    creator.post(&path(&article, "/check-links"), &Value::Null).await.expect(200);
    let task = creator.post("/api/v1/tasks", &new()).await.expect(201);
    // An answer counts for a week.
    let seen = json!({"seen_version": task["version"]});
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    creator.post(&cancel, &seen).await.expect(200);
    server.advance(7 * 24 * HOUR + 1).await;
    assert_eq!(creator.post("/api/v1/tasks", &new()).await.refused(422), "checklist");
    // A link that stopped answering.
    creator.post(&path(&article, "/check-links"), &Value::Null).await.expect(200);
    let edit = json!({"body": format!("[a]({web}/page) [c]({web}/missing)"), "seen_revision": 1});
    creator.patch(&path(&article, ""), &edit).await.expect(200);
    creator.post(&path(&article, "/check-links"), &Value::Null).await.expect(200);
    let check = creator.get(&path(&article, "/checklist")).await.expect(200);
    let findings = check["items"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{check}");
    assert_eq!(findings[0]["quote"], format!("{web}/missing"));
    assert_eq!(creator.post("/api/v1/tasks", &new()).await.refused(422), "checklist");
}

async fn s1_a_replaced_text_needs_what_the_desk_requires(server: TestServer) {
    let article = server.write("Later", "Text.").await;
    let task = server.schedule_in(&article, HOUR).await;
    server.set_workflow("none", json!({"checklist": {"marks": "require"}})).await;
    let creator = server.as_creator();
    let edit = json!({"body": "The sum is TK.", "seen_revision": 1});
    creator.patch(&path(&article, ""), &edit).await.expect(200);
    let replace = format!("/api/v1/tasks/{}/replace-revision", task["id"].as_str().unwrap());
    let seen = json!({"seen_version": task["version"]});
    assert_eq!(creator.post(&replace, &seen).await.refused(422), "checklist");
    let edit = json!({"body": "The sum is 12.", "seen_revision": 2});
    creator.patch(&path(&article, ""), &edit).await.expect(200);
    creator.post(&replace, &seen).await.expect(200);
}

fn id(article: &Value) -> &str {
    article["id"].as_str().unwrap()
}

/// A web server with a page, a redirect to it, a redirect to itself, and nothing else.
async fn web_server() -> String {
    let page = || async { "A page." };
    let to = |path: &'static str| move || async move { axum::response::Redirect::temporary(path) };
    let routes = axum::Router::new()
        .route("/page", get(page))
        .route("/moved", get(to("/page")))
        .route("/circle", get(to("/circle")))
        .route("/private", get(|| async { axum::http::StatusCode::FORBIDDEN }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut servers = tokio::task::JoinSet::new();
    servers.spawn(async move { axum::serve(listener, routes).await });
    servers.detach_all();
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_are_opened_within_the_egress_rules() {
    let server = TestServer::start_with(|config| {
        config.webhook_allow_private = true;
        config.webhook_allow_http = true;
    })
    .await;
    let web = web_server().await;
    // A port where nothing listens any more.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let closed = format!("http://{port}");
    let body = format!(
        "[a]({web}/page) [b]({web}/moved)\n\n[c]({web}/missing) [d]({web}/circle) [e]({web}/private) [f]({closed}/)"
    );
    let article = server.write("Links", &body).await;
    let found = server.as_creator().post(&path(&article, "/check-links"), &Value::Null).await.expect(200);
    let links: Vec<(&str, u64, &str)> = found["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            let url = link["url"].as_str().unwrap().rsplit('/').next().unwrap();
            (url, link["line"].as_u64().unwrap(), link["problem"].as_str().unwrap_or("none"))
        })
        .collect();
    let expected = [
        ("page", 1, "none"),
        ("moved", 1, "none"),
        ("missing", 3, "status"),
        ("circle", 3, "redirects"),
        ("private", 3, "none"),
        ("", 3, "no_connection"),
    ];
    assert_eq!(links, expected);
    assert_eq!(found["links"][2]["status"], 404);
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/articles/{}/links", id(&article))).await.expect_page();
    assert!(page.contains("3 links do not answer."), "{page}");
    // Without the permission, a private address is not even connected to.
    let strict = TestServer::start_with(|config| config.webhook_allow_private = false).await;
    let article = strict.write("Private", &format!("[a]({web}/page)")).await;
    let found = strict.as_creator().post(&path(&article, "/check-links"), &Value::Null).await.expect(200);
    assert_eq!(found["links"][0]["problem"], "forbidden");
}
