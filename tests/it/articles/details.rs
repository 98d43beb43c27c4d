//! Details of articles: summary, tags, cover and others, pinned with each revision.

use crate::{
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use domain::article::ArticleEdit;
use serde_json::{Value, json};
use store::{Conn, PoolRole};

on_both!(
    a_change_of_details_is_a_revision_that_says_so,
    a_scheduled_revision_publishes_its_own_details,
    tags_that_differ_in_case_or_width_are_one,
    summary_and_tags_are_searched_and_tags_filter_the_list,
    invalid_details_are_refused_with_their_field,
    an_earlier_date_becomes_the_publication_time,
    a_form_without_javascript_saves_details_and_keeps_what_was_typed,
    the_review_checks_and_approves_the_details,
    a_tag_is_renamed_in_all_texts_and_merged_on_request,
    an_approval_stays_valid_when_a_tag_is_renamed,
    the_page_of_tags_works_without_javascript,
);

async fn create(server: &TestServer, title: &str, details: Value) -> Value {
    let new = json!({"title": title, "body": "Words of the text.", "details": details});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

fn path_of(article: &Value) -> String {
    format!("/api/v1/articles/{}", article["id"].as_str().expect("an id"))
}

async fn edit(server: &TestServer, article: &Value, seen: i32, details: Value) -> Reply {
    let edit = json!({"details": details, "seen_revision": seen});
    server.as_creator().patch(&path_of(article), &edit).await
}

async fn publish(server: &TestServer, article: &Value) {
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
}

async fn titles(server: &TestServer, query: &str) -> Vec<String> {
    let page = server.as_creator().get(&format!("/api/v1/articles?{query}")).await.expect(200);
    let items = page["items"].as_array().expect("items").iter();
    items.map(|item| item["title"].as_str().expect("a title").to_owned()).collect()
}

async fn a_change_of_details_is_a_revision_that_says_so(server: TestServer) {
    let article = create(&server, "Ships", json!({"summary": "About  ships", "tags": ["Sea"]})).await;
    assert_eq!(article["details"]["summary"], "About ships");
    assert_eq!(article["details"]["template"], "article");
    let saved = edit(&server, &article, 1, json!({"is_featured": true})).await.expect(200);
    assert_eq!((&saved["revision"], &saved["details"]["tags"]), (&json!(2), &json!(["Sea"])));
    let same = edit(&server, &article, 2, json!({"is_featured": true})).await.expect(200);
    assert_eq!(same["revision"], 2, "nothing changed");
    edit(&server, &article, 1, json!({"summary": "Other"})).await.refused(409);
    let text = json!({"body": "New", "details": {"tags": []}, "seen_revision": 2});
    server.as_creator().patch(&path_of(&article), &text).await.expect(200);
    let (articles, actor) = (&server.app.services.articles, &server.creator.actor);
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let rows = articles.revisions(actor, id).await.unwrap();
    let changed: Vec<_> = rows.iter().map(|row| row.changed.as_str()).collect();
    assert_eq!(changed, ["both", "details", "text"]);
    assert_eq!(articles.revision(actor, id, 2).await.unwrap().details.tags, ["Sea"]);
    let restored = articles.restore(actor, id, 1, 3).await.unwrap();
    assert_eq!(
        (restored.details.tags.as_slice(), restored.details.is_featured),
        (&["Sea".to_owned()][..], false)
    );
}

async fn a_scheduled_revision_publishes_its_own_details(server: TestServer) {
    let article = create(&server, "Ships", json!({"summary": "The pinned summary"})).await;
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(60_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    let saved = edit(&server, &article, 1, json!({"summary": "A later summary"})).await.expect(200);
    assert_eq!(saved["revision"], 2);
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let drift = server.app.services.articles.find(&server.creator.actor, id).await.unwrap().drift;
    assert_eq!(drift.map(|drift| drift.changes), Some(1), "the page says that a change is not scheduled");
    server.advance(60_000).await;
    let page = server.as_anonymous().get("/site").await.text;
    assert!(page.contains("The pinned summary") && !page.contains("A later summary"), "{page}");
}

async fn tags_that_differ_in_case_or_width_are_one(server: TestServer) {
    let first = create(&server, "One", json!({"tags": ["Rust", "ｒｕｓｔ", "News"]})).await;
    assert_eq!(first["details"]["tags"], json!(["Rust", "News"]));
    let second = create(&server, "Two", json!({"tags": ["ＮＥＷＳ", " rust "]})).await;
    assert_eq!(second["details"]["tags"], json!(["News", "Rust"]), "a tag keeps its first name");
    assert_eq!(titles(&server, "tag=RUST").await, ["Two", "One"]);
    assert_eq!(titles(&server, "tag=other").await, [""; 0]);
    edit(&server, &second, 1, json!({"tags": ["news"]})).await.expect(200);
    assert_eq!(titles(&server, "tag=rust").await, ["One"], "only the current revision counts");
}

async fn summary_and_tags_are_searched_and_tags_filter_the_list(server: TestServer) {
    let article =
        create(&server, "One", json!({"summary": "About lighthouses", "tags": ["Küste", "港口"]})).await;
    create(&server, "Two", json!({"summary": "About lighthouses"})).await;
    assert_eq!(titles(&server, "q=lighthouses").await.len(), 2);
    assert_eq!(titles(&server, "q=kuste").await, ["One"]);
    assert_eq!(titles(&server, "q=%E6%B8%AF%E5%8F%A3").await, ["One"]);
    assert_eq!(titles(&server, "q=lighthouses&tag=k%C3%9Cste").await, ["One"]);
    edit(&server, &article, 1, json!({"summary": "About harbours"})).await.expect(200);
    assert_eq!(titles(&server, "q=lighthouses").await, ["Two"]);
    assert_eq!(titles(&server, "q=harbours").await, ["One"]);
}

async fn invalid_details_are_refused_with_their_field(server: TestServer) {
    let many: Vec<String> = (0..21).map(|number| format!("tag {number}")).collect();
    for (field, details) in [
        ("summary", json!({"summary": "x".repeat(501)})),
        ("tags", json!({"tags": many})),
        ("tags", json!({"tags": ["x".repeat(61)]})),
        ("tags", json!({"tags": ["a, b"]})),
        ("cover", json!({"cover": "http://a.example/x.png"})),
        ("cover", json!({"cover": "/media/../secret"})),
        ("cover_alt", json!({"cover_alt": "x".repeat(301)})),
        ("language", json!({"language": "not a language"})),
        ("canonical", json!({"canonical": "javascript:alert(1)"})),
        ("dated", json!({"dated": "2999-01-01"})),
        ("template", json!({"template": "poster"})),
    ] {
        let new = json!({"title": "T", "body": "", "details": details});
        let reply = server.as_creator().post("/api/v1/articles", &new).await;
        assert_eq!(reply.status, 422, "{details} {}", reply.text);
        assert!(reply.text.contains(field), "{details} {}", reply.text);
    }
    let unknown = json!({"title": "T", "body": "", "details": {"colour": "red"}});
    let reply = server.as_creator().post("/api/v1/articles", &unknown).await;
    assert!(matches!(reply.status, 400 | 422), "{}", reply.text);
    let most = json!({"summary": "中".repeat(500), "tags": &many[..20]});
    assert_eq!(create(&server, "T", most).await["details"]["tags"].as_array().unwrap().len(), 20);
}

async fn an_earlier_date_becomes_the_publication_time(server: TestServer) {
    let article = create(&server, "Old", json!({"dated": "2019-05-03T10:00:00Z"})).await;
    publish(&server, &article).await;
    let found = server.as_creator().get(&path_of(&article)).await.expect(200);
    assert_eq!(found["published_at"], "2019-05-03T10:00:00.000Z");
    let page = server.as_anonymous().get("/site/old").await.text;
    assert!(page.contains("3 May 2019") && !page.contains("Updated"), "{page}");
    edit(&server, &article, 1, json!({"dated": ""})).await.expect(200);
    publish(&server, &article).await;
    let found = server.as_creator().get(&path_of(&article)).await.expect(200);
    assert_eq!(found["published_at"], "2019-05-03T10:00:00.000Z", "it keeps its date");
}

async fn a_form_without_javascript_saves_details_and_keeps_what_was_typed(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let created = browser
        .form("/fn/create_article", &[("title", "Form"), ("body", "Text"), ("details[tags]", "a, b")])
        .await;
    let path =
        created.header("location").split('?').next().unwrap().trim_start_matches(&server.url).to_owned();
    let page = browser.get(&path).await.text;
    assert!(page.contains("name=\"details[tags]\"") && page.contains("value=\"a, b\""), "{page}");
    let id = path.rsplit('/').next().unwrap();
    let typed = |cover: &'static str| {
        [
            ("id", id),
            ("from", path.as_str()),
            ("title", "Form"),
            ("body", "Text"),
            ("seen_revision", "1"),
            ("details[summary]", "A typed summary"),
            ("details[cover]", cover),
            ("details[featured]", "on"),
        ]
    };
    let refused = browser.form("/fn/save_article", &typed("http://a.example/x.png")).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    for kept in ["A typed summary", "http://a.example/x.png", "must begin with https://"] {
        assert!(refused.text.contains(kept), "{kept}: {}", refused.text);
    }
    let saved = browser.form("/fn/save_article", &typed("https://a.example/x.png")).await;
    assert!((300..400).contains(&saved.status), "{}", saved.text);
    let found = server.as_creator().get(&format!("/api/v1/articles/{id}")).await.expect(200);
    assert_eq!(found["details"]["summary"], "A typed summary");
    assert_eq!((&found["details"]["is_featured"], &found["details"]["tags"]), (&json!(true), &json!([])));
}

async fn the_review_checks_and_approves_the_details(server: TestServer) {
    let list = json!({"name": "Words", "language": "any", "action": "needs_approval", "terms": ["kraken"]});
    server.as_admin().post("/api/v1/word-lists", &list).await.expect(201);
    let workflow = json!({"workflow": "automatic"});
    server.as_admin().patch("/api/v1/settings/review", &workflow).await.expect(200);
    let submit = async |article: &Value| {
        let seen = json!({"seen_revision": article["revision"]});
        server.as_creator().post(&format!("{}/submit", path_of(article)), &seen).await.expect(200)
    };
    let article = create(&server, "Ships", json!({"summary": "About ships"})).await;
    assert_eq!(submit(&article).await["review"]["verdict"], "clean");
    for details in [json!({"summary": "The Kraken wakes"}), json!({"summary": "", "tags": ["kraken"]})] {
        let found = server.as_creator().get(&path_of(&article)).await.expect(200);
        let seen = i32::try_from(found["revision"].as_i64().unwrap()).unwrap();
        let saved = edit(&server, &article, seen, details).await.expect(200);
        assert_eq!(submit(&saved).await["review"]["verdict"], "needs_approval", "{saved}");
    }
}

async fn a_tag_is_renamed_in_all_texts_and_merged_on_request(server: TestServer) {
    let public = create(&server, "Public", json!({"tags": ["Sea", "Ports"]})).await;
    publish(&server, &public).await;
    let scheduled = create(&server, "Scheduled", json!({"tags": ["sea"]})).await;
    let task =
        json!({"kind": "article.publish", "target_id": scheduled["id"], "due_at": server.time_after(60_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    create(&server, "Other", json!({"tags": ["Ocean"]})).await;
    let rename = async |from: &str, to: &str, merge: bool| {
        let edit = json!({"from": from, "to": to, "merge": merge});
        server.as_admin().post("/api/v1/tags/rename", &edit).await
    };
    let tags = server.as_creator().get("/api/v1/tags").await.expect(200);
    let names = |tags: &Value| {
        let tags = tags["items"].as_array().expect("items").iter();
        tags.map(|tag| format!("{} {}", tag["name"].as_str().expect("a name"), tag["articles"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&tags), ["Ocean 1", "Ports 1", "Sea 2"]);
    assert_eq!(rename("Sea", "SEA", false).await.expect(200)["name"], "SEA", "another case is the same tag");
    assert_eq!(rename("ｓｅａ", "Oceans", false).await.expect(200)["articles"], 2);
    assert!(titles(&server, "tag=sea").await.is_empty());
    assert_eq!(titles(&server, "tag=oceans").await.len(), 2);
    assert_eq!(titles(&server, "q=oceans").await.len(), 2, "the search knows the new name");
    assert_eq!(rename("Oceans", "ocean", false).await.refused(409), "taken");
    let merged = rename("Oceans", "ocean", true).await.expect(200);
    assert_eq!((&merged["name"], &merged["articles"]), (&json!("Ocean"), &json!(3)));
    assert_eq!(rename("Oceans", "x", false).await.refused(404), "no_such");
    assert_eq!(rename("Ocean", "a/b", false).await.refused(422), "invalid");
    assert_eq!(rename("Ocean", " ", false).await.refused(422), "invalid");
    server.advance(60_000).await;
    let page = server.as_anonymous().get("/site/tag/ocean").await.text;
    assert!(page.contains("Public") && page.contains("Scheduled"), "{page}");
    assert!(server.as_anonymous().get("/site/public").await.text.contains(">Ocean</a>"));
    assert_eq!(server.as_anonymous().get("/site/tag/sea").await.status, 404);
}

async fn the_page_of_tags_works_without_javascript(server: TestServer) {
    create(&server, "One", json!({"tags": ["Sea"]})).await;
    create(&server, "Two", json!({"tags": ["Ports"]})).await;
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get("/settings/tags").await.text;
    assert!(page.contains("Sea") && page.contains("1 article"), "{page}");
    let fields = [("from", "/settings/tags"), ("id", "sea"), ("to", "Ports")];
    let refused = browser.form("/fn/rename_tag", &fields).await;
    assert!(refused.status == 409 && refused.text.contains("value=\"Ports\""), "{}", refused.text);
    let fields = [("from", "/settings/tags"), ("id", "sea"), ("to", "Ports"), ("merge", "true")];
    assert_eq!(browser.form("/fn/rename_tag", &fields).await.status, 303);
    assert_eq!(titles(&server, "tag=ports").await.len(), 2);
}

async fn an_approval_stays_valid_when_a_tag_is_renamed(server: TestServer) {
    server
        .as_admin()
        .patch("/api/v1/settings/review", &json!({"workflow": "one_reviewer"}))
        .await
        .expect(200);
    let article = create(&server, "Reviewed", json!({"tags": ["Sea"]})).await;
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(60_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    let review = server.as_creator().get(&path_of(&article)).await.expect(200)["review"].clone();
    let seen = json!({"seen_revision": review["revision"], "revision_hash": review["hash"]});
    server.as_reviewer().post(&format!("{}/approve", path_of(&article)), &seen).await.expect(200);
    let edit = json!({"from": "Sea", "to": "Ocean"});
    server.as_admin().post("/api/v1/tags/rename", &edit).await.expect(200);
    let renamed = server.as_creator().get(&path_of(&article)).await.expect(200);
    assert_ne!(renamed["review"]["hash"], review["hash"], "the hash covers the tags");
    server.advance(60_000).await;
    let page = server.as_anonymous().get("/site/tag/ocean").await.text;
    assert!(page.contains("Reviewed"), "{page}");
}

#[tokio::test]
async fn an_autosave_of_the_text_leaves_tags_and_authors_alone() {
    let server = TestServer::start(Backend::Embedded).await;
    let article = create(&server, "Ships", json!({"tags": ["Sea"]})).await;
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let save = async |body: &str, seen_revision| {
        let body = Some(body.to_owned());
        let edit = ArticleEdit { body, seen_revision, is_autosave: true, ..ArticleEdit::default() };
        server.app.services.articles.save(&server.creator.actor, id, edit).await.unwrap()
    };
    save("One", 1).await;
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("not SQLite") };
    let trigger =
        "create trigger tag_is_kept before delete on revision_tag begin select raise(abort, 'kept'); end";
    sqlx::query(trigger).execute(c).await.unwrap();
    tx.commit().await.unwrap();
    save("Two", 2).await;
    let saved = server.as_creator().get(&path_of(&article)).await.expect(200);
    assert_eq!((&saved["body"], &saved["details"]["tags"]), (&json!("Two"), &json!(["Sea"])));
}
