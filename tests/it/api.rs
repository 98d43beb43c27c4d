//! The machine interface: shapes of what goes in, comes out and is refused.

use crate::{house::Story, on_both};
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    Who,
    event::{self, NewEvent},
    takeover,
};
use uuid::Uuid;

on_both!(
    an_article_is_written_read_and_changed,
    a_stale_text_is_a_conflict_that_holds_the_other_text,
    a_task_goes_its_whole_way,
    a_stale_version_is_answered_with_the_task,
    a_wall_clock_time_that_is_twice_or_never_names_its_choices,
    a_bulk_is_all_or_nothing_and_names_the_wrong_ones,
    the_same_key_makes_one_article,
    the_log_is_read_page_by_page,
    what_a_server_lacks_is_for_admins,
);

async fn article(story: &Story, title: &str) -> Value {
    let body = json!({"title": title, "body": "# One\n\ntext"});
    story.as_creator().post("/api/v1/articles", &body).await.expect(201)
}

async fn task(story: &Story, title: &str, after: i64) -> Value {
    let article = article(story, title).await;
    let body = json!({"kind": "article.publish", "target_id": article["id"], "due_at": story.later(after)});
    story.as_creator().post("/api/v1/tasks", &body).await.expect(201)
}

async fn an_article_is_written_read_and_changed(story: Story) {
    let made = article(&story, "A word").await;
    assert_eq!(
        (&made["slug"], &made["revision"], &made["state"]),
        (&json!("a-word"), &json!(1), &json!("draft"))
    );
    let twin = article(&story, "A word").await;
    assert_ne!(twin["slug"], made["slug"]);
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    let edit = json!({"title": "Another word", "seen_revision": 1});
    assert_eq!(story.as_creator().patch(&path, &edit).await.expect(200)["revision"], 2);
    let read = story.as_reviewer().get(&path).await.expect(200);
    assert_eq!((&read["title"], &read["body"]), (&json!("Another word"), &json!("# One\n\ntext")));
    let list = story.as_creator().get("/api/v1/articles?limit=1&q=word").await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    let cursor = list["next_cursor"].as_str().unwrap();
    let rest = story
        .as_creator()
        .get(&format!("/api/v1/articles?limit=900&q=word&cursor={cursor}"))
        .await
        .expect(200);
    assert_eq!((rest["items"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &Value::Null));
}

async fn a_stale_text_is_a_conflict_that_holds_the_other_text(story: Story) {
    let made = article(&story, "Two tabs").await;
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    story.as_creator().patch(&path, &json!({"body": "theirs", "seen_revision": 1})).await.expect(200);
    let refused =
        story.as_creator().patch(&path, &json!({"body": "mine", "seen_revision": 1})).await.expect(409);
    assert_eq!(refused["error"]["code"], "text_conflict");
    assert_eq!((&refused["current"]["revision"], &refused["current"]["body"]), (&json!(2), &json!("theirs")));
}

async fn a_task_goes_its_whole_way(story: Story) {
    let made = task(&story, "Goes out", 60_000).await;
    for field in ["id", "kind", "target_id", "state", "version", "due_at", "lane"] {
        assert!(!made[field].is_null(), "{field} of {made}");
    }
    assert_eq!(made["due_at"], story.later(60_000));
    story.advance(60_000).await;
    let path = format!("/api/v1/tasks/{}", made["id"].as_str().unwrap());
    let done = story.as_creator().get(&path).await.expect(200);
    assert_eq!((&done["state"], &done["executed_at"]), (&json!("executed"), &done["stages"]["executed_at"]));
    assert!(done["stages"]["started_at"].is_string());
    let verbs: Vec<&Value> =
        done["timeline"].as_array().unwrap().iter().map(|event| &event["verb"]).collect();
    assert_eq!(verbs, ["schedule", "execute"]);
    let found =
        story.as_creator().get("/api/v1/tasks?state=executed&kind=article.publish&q=goes").await.expect(200);
    assert_eq!(found["items"][0]["id"], made["id"]);
}

async fn a_stale_version_is_answered_with_the_task(story: Story) {
    let made = task(&story, "Twice moved", 60_000).await;
    let path = format!("/api/v1/tasks/{}", made["id"].as_str().unwrap());
    let cancel = json!({"seen_version": 7});
    let refused = story.as_creator().post(&format!("{path}/cancel"), &cancel).await.expect(409);
    assert_eq!(
        (&refused["error"]["code"], &refused["task"]["version"]),
        (&json!("task_conflict"), &json!(1))
    );
    let again =
        json!({"kind": "article.publish", "target_id": made["target_id"], "due_at": story.later(90_000)});
    let refused = story.as_creator().post("/api/v1/tasks", &again).await.expect(409);
    assert_eq!(
        (&refused["error"]["code"], &refused["task"]["id"]),
        (&json!("already_scheduled"), &made["id"])
    );
    let moved = json!({"seen_version": 1, "local": "2027-06-09T09:00", "zone": "Europe/Berlin"});
    let moved = story.as_creator().post(&format!("{path}/reschedule"), &moved).await.expect(200);
    assert_eq!((&moved["due_at"], &moved["version"]), (&json!("2027-06-09T07:00:00.000Z"), &json!(2)));
}

async fn a_wall_clock_time_that_is_twice_or_never_names_its_choices(story: Story) {
    let article = article(&story, "Clock change").await;
    let at = |local: &str, which: Option<&str>| json!({"kind": "article.publish", "target_id": article["id"], "local": local, "zone": "Europe/Berlin", "disambiguation": which});
    let never = story.as_creator().post("/api/v1/tasks", &at("2027-03-28T02:30", None)).await.expect(422);
    assert_eq!(never["error"]["code"], "skipped_time");
    assert_eq!(never["choices"], json!([{"local": "2027-03-28T01:59"}, {"local": "2027-03-28T03:00"}]));
    let twice = story.as_creator().post("/api/v1/tasks", &at("2027-10-31T02:30", None)).await.expect(422);
    assert_eq!(
        twice["choices"][0],
        json!({"disambiguation": "earlier", "due_at": "2027-10-31T00:30:00.000Z"})
    );
    let later =
        story.as_creator().post("/api/v1/tasks", &at("2027-10-31T02:30", Some("later"))).await.expect(201);
    assert_eq!(later["due_at"], "2027-10-31T01:30:00.000Z");
}

async fn a_bulk_is_all_or_nothing_and_names_the_wrong_ones(story: Story) {
    let (one, two) = (article(&story, "One").await, article(&story, "Two").await);
    let item = |article: &Value, at: String| json!({"kind": "article.publish", "target_id": article["id"], "due_at": at});
    let wrong =
        json!({"items": [item(&one, story.later(9_000)), item(&two, "tomorrow".to_owned()), {"kind": "x"}]});
    let refused = story.as_creator().post("/api/v1/tasks/bulk", &wrong).await.expect(422);
    let places: Vec<&Value> =
        refused["errors"].as_array().unwrap().iter().map(|error| &error["index"]).collect();
    assert_eq!(places, [1, 2]);
    assert_eq!(refused["errors"][0]["field"], "due_at");
    let none = story.as_creator().get("/api/v1/tasks").await.expect(200);
    assert_eq!(none["items"], json!([]));
    let good = json!({"items": [item(&one, story.later(9_000)), item(&two, story.later(9_000))]});
    let made = story.as_creator().post("/api/v1/tasks/bulk", &good).await.expect(201);
    assert_eq!(made["items"].as_array().unwrap().len(), 2);
    let many = json!({"items": vec![json!({}); 10_001]});
    assert_eq!(story.as_creator().post("/api/v1/tasks/bulk", &many).await.refused(422), "invalid");
}

async fn the_same_key_makes_one_article(story: Story) {
    let send = async |title: &str| {
        let request =
            story.as_creator().request(Method::POST, "/api/v1/articles").header("idempotency-key", "k-1");
        crate::caller::Reply::of(request.json(&json!({"title": title, "body": ""}))).await
    };
    let first = send("Once").await.expect(201);
    assert_eq!(send("Once").await.expect(201)["id"], first["id"]);
    assert_eq!(send("Other").await.refused(422), "key_reused");
}

async fn the_log_is_read_page_by_page(story: Story) {
    task(&story, "Logged", 60_000).await;
    let all = story.as_creator().get("/api/v1/events?after=0&limit=5000").await.expect(200);
    let all = all["items"].as_array().unwrap();
    let first = all[0]["seq"].as_i64().unwrap();
    let rest = story.as_creator().get(&format!("/api/v1/events?after={first}")).await.expect(200);
    assert_eq!(rest["items"].as_array().unwrap().len(), all.len() - 1);
    let last = all.last().unwrap();
    assert_eq!(
        (&last["entity"], &last["verb"], &last["to_state"]),
        (&json!("task"), &json!("schedule"), &json!("scheduled"))
    );
}

/// It names what people did to accounts, too.
async fn what_a_server_lacks_is_for_admins(story: Story) {
    let told = NewEvent::plain(story.now(), None, "engine", Uuid::nil(), takeover::VERB);
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    event::append(tx.conn(), &[told]).await.unwrap();
    tx.commit().await.unwrap();
    for (caller, is_told) in [(story.as_admin(), true), (story.as_creator(), false)] {
        let events = caller.get("/api/v1/events?limit=1000").await.expect(200);
        let mut events = events["items"].as_array().unwrap().iter();
        assert_eq!(events.any(|event| event["verb"] == takeover::VERB), is_told);
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_in_the_same_shape() {
    let story = Story::begin(crate::house::Flavour::Embedded).await;
    let send = async |method: Method, path: &str, kind: &str, body: Vec<u8>| {
        let request = story.as_creator().request(method, path).header("content-type", kind).body(body);
        crate::caller::Reply::of(request).await
    };
    let (json, articles) = ("application/json", "/api/v1/articles");
    assert_eq!(send(Method::POST, articles, json, b"{".to_vec()).await.refused(400), "unreadable");
    let latin = b"{\"title\":\"\xe9t\xe9\",\"body\":\"\"}".to_vec();
    let refused = send(Method::POST, articles, json, latin).await.expect(400);
    assert!(refused["error"]["message"].as_str().unwrap().contains("not UTF-8"), "{refused}");
    assert_eq!(send(Method::POST, articles, "text/plain", b"{}".to_vec()).await.refused(415), "not_json");
    assert_eq!(send(Method::DELETE, articles, json, Vec::new()).await.refused(405), "no_such_method");
    assert_eq!(send(Method::GET, "/api/v1/nothing", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(send(Method::GET, "/api/v2", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(send(Method::GET, "/api/v1/tasks/unreadable", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(
        send(Method::GET, "/api/v1/tasks?limit=many", json, Vec::new()).await.refused(400),
        "unreadable"
    );
    assert_eq!(send(Method::GET, "/api/v1/tasks?state=odd", json, Vec::new()).await.refused(422), "invalid");
    let large = vec![b' '; 2 * 1024 * 1024 + 1];
    assert_eq!(send(Method::POST, articles, json, large).await.refused(413), "too_large");
    let owned = br#"{"title":"Mine","body":"","owner_id":"x","state":"approved"}"#.to_vec();
    let refused = send(Method::POST, articles, json, owned).await.expect(422);
    assert_eq!(refused["error"]["field"], "owner_id");
}

#[tokio::test]
async fn limits_of_texts_and_times_are_named() {
    let story = Story::begin(crate::house::Flavour::Embedded).await;
    for (title, body) in [(String::new(), 1), ("x".repeat(100_000), 1), ("Fine".to_owned(), 500_001)] {
        let new = json!({"title": title, "body": "y".repeat(body)});
        let refused = story.as_creator().post("/api/v1/articles", &new).await.expect(422);
        assert!(refused["error"]["field"].is_string(), "{refused}");
    }
    let article = article(&story, "When").await;
    for due_at in ["1900-01-01T00:00:00Z", "12000-01-01T00:00:00Z", "+12000-01-01T00:00:00Z"] {
        let new = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
        let refused = story.as_creator().post("/api/v1/tasks", &new).await.expect(422);
        assert!(refused["error"]["message"].as_str().unwrap().contains("between the years"), "{refused}");
    }
    let new = json!({"kind": "article.publish", "target_id": article["id"], "local": "2027-06-09T09:00", "zone": "Mars/Base"});
    let refused = story.as_creator().post("/api/v1/tasks", &new).await.expect(422);
    assert_eq!(refused["error"]["field"], "zone");
}

#[tokio::test]
async fn the_document_describes_every_route() {
    let story = Story::begin(crate::house::Flavour::Embedded).await;
    let document = story.as_nobody().get("/api/v1/openapi.json").await.expect(200);
    let served = &presstime::web::api::document();
    assert_eq!(document, serde_json::to_value(served).unwrap());
    let paths = document["paths"].as_object().unwrap();
    let operations: usize = paths.values().map(|item| item.as_object().unwrap().len()).sum();
    assert_eq!((paths.len(), operations), (32, 39));
    for (path, item) in paths {
        for operation in item.as_object().unwrap().values() {
            let is_described = operation["description"].is_string() || operation["summary"].is_string();
            assert!(is_described && operation["responses"].is_object(), "{path}");
        }
    }
    let references: Vec<&str> = references(&document);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn the_numbers_say_whether_the_engine_lives() {
    let story = Story::begin(crate::house::Flavour::Embedded).await;
    story.tick().await;
    let stats = story.as_admin().get("/api/v1/stats").await.expect(200);
    assert!(stats["counts"]["scheduled"].is_u64() && stats["lag"]["p99"].is_i64(), "{stats}");
    assert_eq!(story.as_creator().get("/api/v1/stats").await.expect(200)["counts"], Value::Null);
    assert_eq!(story.as_nobody().get("/healthz").await.text, "ok");
    assert_eq!(story.as_nobody().get("/readyz").await.expect(200)["ready"], true);
    let numbers = story.as_nobody().get("/metrics").await;
    assert!(numbers.status == 200 && numbers.text.contains("presstime_engine_healthy"), "{}", numbers.text);
    let far = story.as_nobody().request(Method::GET, "/metrics").header("x-forwarded-for", "203.0.113.9");
    assert_eq!(crate::caller::Reply::of(far).await.status, 401);
    let clock = story.now();
    story.wait_without_loops(60_000);
    let dead = story.as_nobody().get("/readyz").await.expect(503);
    assert_eq!((&dead["ready"], &dead["reason"]), (&json!(false), &json!("silent")), "since {clock}");
}
