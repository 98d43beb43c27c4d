//! The REST API: requests, responses and errors.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    PoolRole,
    event::{self, NewEvent},
    failover,
};
use uuid::Uuid;

on_both!(
    an_article_is_created_read_and_updated,
    a_stale_edit_is_a_conflict_with_the_current_text,
    a_task_is_scheduled_and_executed,
    a_stale_version_is_a_conflict_with_the_current_task,
    an_ambiguous_or_skipped_local_time_lists_its_choices,
    a_bulk_request_is_atomic_and_names_the_invalid_items,
    one_idempotency_key_creates_one_article,
    one_idempotency_key_creates_one_channel_rule_and_word_list,
    one_idempotency_key_sends_signals_once,
    the_event_log_is_paged,
    lost_write_events_are_visible_to_admins_only,
);

async fn article(server: &TestServer, title: &str) -> Value {
    let body = json!({"title": title, "body": "# One\n\ntext"});
    server.as_creator().post("/api/v1/articles", &body).await.expect(201)
}

async fn task(server: &TestServer, title: &str, after: i64) -> Value {
    let article = article(server, title).await;
    let body =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(after)});
    server.as_creator().post("/api/v1/tasks", &body).await.expect(201)
}

async fn an_article_is_created_read_and_updated(server: TestServer) {
    let made = article(&server, "A word").await;
    assert_eq!(
        (&made["slug"], &made["revision"], &made["state"]),
        (&json!("a-word"), &json!(1), &json!("draft"))
    );
    let duplicate = article(&server, "A word").await;
    assert_ne!(duplicate["slug"], made["slug"]);
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    let edit = json!({"title": "Another word", "seen_revision": 1});
    assert_eq!(server.as_creator().patch(&path, &edit).await.expect(200)["revision"], 2);
    let read = server.as_reviewer().get(&path).await.expect(200);
    assert_eq!((&read["title"], &read["body"]), (&json!("Another word"), &json!("# One\n\ntext")));
    let list = server.as_creator().get("/api/v1/articles?limit=1&q=word").await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    let cursor = list["next_cursor"].as_str().unwrap();
    let rest = server
        .as_creator()
        .get(&format!("/api/v1/articles?limit=900&q=word&cursor={cursor}"))
        .await
        .expect(200);
    assert_eq!((rest["items"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &Value::Null));
}

async fn a_stale_edit_is_a_conflict_with_the_current_text(server: TestServer) {
    let made = article(&server, "Two tabs").await;
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    server.as_creator().patch(&path, &json!({"body": "theirs", "seen_revision": 1})).await.expect(200);
    let refused =
        server.as_creator().patch(&path, &json!({"body": "mine", "seen_revision": 1})).await.expect(409);
    assert_eq!(refused["error"]["code"], "text_conflict");
    assert_eq!((&refused["current"]["revision"], &refused["current"]["body"]), (&json!(2), &json!("theirs")));
}

async fn a_task_is_scheduled_and_executed(server: TestServer) {
    let made = task(&server, "Goes out", 60_000).await;
    for field in ["id", "kind", "target_id", "state", "version", "due_at", "priority"] {
        assert!(!made[field].is_null(), "{field} of {made}");
    }
    assert_eq!(made["due_at"], server.time_after(60_000));
    server.advance(60_000).await;
    let path = format!("/api/v1/tasks/{}", made["id"].as_str().unwrap());
    let done = server.as_creator().get(&path).await.expect(200);
    assert_eq!((&done["state"], &done["executed_at"]), (&json!("executed"), &done["stages"]["executed_at"]));
    assert!(done["stages"]["started_at"].is_string());
    let verbs: Vec<&Value> =
        done["timeline"].as_array().unwrap().iter().map(|event| &event["verb"]).collect();
    assert_eq!(verbs, ["schedule", "execute"]);
    let found =
        server.as_creator().get("/api/v1/tasks?state=executed&kind=article.publish&q=goes").await.expect(200);
    assert_eq!(found["items"][0]["id"], made["id"]);
}

async fn a_stale_version_is_a_conflict_with_the_current_task(server: TestServer) {
    let made = task(&server, "Twice moved", 60_000).await;
    let path = format!("/api/v1/tasks/{}", made["id"].as_str().unwrap());
    let cancel = json!({"seen_version": 7});
    let refused = server.as_creator().post(&format!("{path}/cancel"), &cancel).await.expect(409);
    assert_eq!(
        (&refused["error"]["code"], &refused["task"]["version"]),
        (&json!("task_conflict"), &json!(1))
    );
    let again = json!({"kind": "article.publish", "target_id": made["target_id"], "due_at": server.time_after(90_000)});
    let refused = server.as_creator().post("/api/v1/tasks", &again).await.expect(409);
    assert_eq!(
        (&refused["error"]["code"], &refused["task"]["id"]),
        (&json!("already_scheduled"), &made["id"])
    );
    let moved = json!({"seen_version": 1, "local": "2027-06-09T09:00", "zone": "Europe/Berlin"});
    let moved = server.as_creator().post(&format!("{path}/reschedule"), &moved).await.expect(200);
    assert_eq!((&moved["due_at"], &moved["version"]), (&json!("2027-06-09T07:00:00.000Z"), &json!(2)));
}

async fn an_ambiguous_or_skipped_local_time_lists_its_choices(server: TestServer) {
    let article = article(&server, "Clock change").await;
    let at = |local: &str, which: Option<&str>| {
        json!({
            "kind": "article.publish", "target_id": article["id"],
            "local": local, "zone": "Europe/Berlin", "disambiguation": which,
        })
    };
    let skipped = server.as_creator().post("/api/v1/tasks", &at("2027-03-28T02:30", None)).await.expect(422);
    assert_eq!(skipped["error"]["code"], "skipped_time");
    assert_eq!(skipped["choices"], json!([{"local": "2027-03-28T01:59"}, {"local": "2027-03-28T03:00"}]));
    let repeated = server.as_creator().post("/api/v1/tasks", &at("2027-10-31T02:30", None)).await.expect(422);
    assert_eq!(
        repeated["choices"][0],
        json!({"disambiguation": "earlier", "due_at": "2027-10-31T00:30:00.000Z"})
    );
    let later =
        server.as_creator().post("/api/v1/tasks", &at("2027-10-31T02:30", Some("later"))).await.expect(201);
    assert_eq!(later["due_at"], "2027-10-31T01:30:00.000Z");
}

async fn a_bulk_request_is_atomic_and_names_the_invalid_items(server: TestServer) {
    let (one, two) = (article(&server, "One").await, article(&server, "Two").await);
    let item = |article: &Value, at: String| json!({"kind": "article.publish", "target_id": article["id"], "due_at": at});
    let wrong = json!({"items": [item(&one, server.time_after(9_000)), item(&two, "tomorrow".to_owned()), {"kind": "x", "target_id": two["id"]}]});
    let refused = server.as_creator().post("/api/v1/tasks/bulk", &wrong).await.expect(422);
    let indexes: Vec<&Value> =
        refused["errors"].as_array().unwrap().iter().map(|error| &error["index"]).collect();
    assert_eq!(indexes, [1, 2]);
    assert_eq!(refused["errors"][0]["field"], "due_at");
    let kinds = refused["errors"][1]["message"].as_str().unwrap();
    assert!(kinds.contains("article.publish") && !kinds.contains("meeting."), "{kinds}");
    let none = server.as_creator().get("/api/v1/tasks").await.expect(200);
    assert_eq!(none["items"], json!([]));
    let good = json!({"items": [item(&one, server.time_after(9_000)), item(&two, server.time_after(9_000))]});
    let made = server.as_creator().post("/api/v1/tasks/bulk", &good).await.expect(201);
    assert_eq!(made["items"].as_array().unwrap().len(), 2);
    let many = json!({"items": vec![json!({}); 10_001]});
    assert_eq!(server.as_creator().post("/api/v1/tasks/bulk", &many).await.refused(422), "invalid");
}

async fn one_idempotency_key_creates_one_article(server: TestServer) {
    let send = async |title: &str| {
        let request =
            server.as_creator().request(Method::POST, "/api/v1/articles").header("idempotency-key", "k-1");
        crate::http_client::Reply::of(request.json(&json!({"title": title, "body": ""}))).await
    };
    let first = send("Once").await.expect(201);
    assert_eq!(send("Once").await.expect(201)["id"], first["id"]);
    assert_eq!(send("Other").await.refused(422), "key_reused");
}

/// Sends the request as an admin. The key is the path.
async fn with_key(server: &TestServer, path: &str, body: &Value) -> Reply {
    let request = server.as_admin().request(Method::POST, &format!("/api/v1{path}"));
    Reply::of(request.header("idempotency-key", path).json(body)).await
}

/// A rule that opens another wait at each signal `a.b`.
fn another() -> Value {
    let action = json!({"type": "signal", "name": "c.d"});
    json!({"name": "Rule", "after": "a.b", "wait": "PT30M", "repeat": "another", "action": action})
}

async fn one_idempotency_key_creates_one_channel_rule_and_word_list(server: TestServer) {
    let channel = json!({"name": "Hook", "url": "https://example.org/"});
    let list = json!({"name": "Words", "action": "flag", "terms": ["one"]});
    for (path, new) in [("/channels", channel), ("/rules", another()), ("/word-lists", list)] {
        let first = with_key(&server, path, &new).await.expect(201);
        let again = with_key(&server, path, &new).await.expect(201);
        assert_eq!((&again["id"], &again["secret"]), (&first["id"], &first["secret"]), "{path}");
        assert_eq!(first["secret"].is_string(), path == "/channels", "{first}");
        let mut other = new;
        other["name"] = json!("Another");
        assert_eq!(with_key(&server, path, &other).await.refused(422), "key_reused", "{path}");
        let all = server.as_admin().get(&format!("/api/v1{path}")).await.expect(200);
        assert_eq!(all["items"].as_array().unwrap().len(), 1, "{path}");
    }
}

async fn one_idempotency_key_sends_signals_once(server: TestServer) {
    let rule = server.as_admin().post("/api/v1/rules", &another()).await.expect(201);
    let signal = json!({"name": "a.b", "subject": "u1"});
    let first = with_key(&server, "/signals", &signal).await.expect(202);
    assert_eq!((&first["duplicate"], &first["opened"]), (&json!(false), &json!(1)));
    let again = with_key(&server, "/signals", &signal).await.expect(202);
    assert_eq!((&again["id"], &again["duplicate"]), (&first["id"], &json!(true)));
    let named = json!({"name": "a.b", "subject": "u3", "id": "mine"});
    let all = json!({"items": [signal, {"name": "a.b", "subject": "u2"}, named]});
    let first = with_key(&server, "/signals/bulk", &all).await.expect(202);
    let again = with_key(&server, "/signals/bulk", &all).await.expect(202);
    for (one, same) in first["items"].as_array().unwrap().iter().zip(again["items"].as_array().unwrap()) {
        assert_eq!((&same["id"], &same["duplicate"]), (&one["id"], &json!(true)));
    }
    assert_eq!(again["items"][2]["id"], "mine");
    let other = json!({"items": [{"name": "a.b", "subject": "u2"}]});
    assert_eq!(with_key(&server, "/signals/bulk", &other).await.refused(422), "key_reused");
    let path = format!("/api/v1/rules/{}/waits", rule["id"].as_str().unwrap());
    let waits = server.as_admin().get(&path).await.expect(200);
    assert_eq!(waits["items"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn an_operation_that_takes_no_idempotency_key_refuses_it() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let channel = json!({"name": "Hook", "url": "https://example.org/"});
    let channel = server.as_admin().post("/api/v1/channels", &channel).await.expect(201);
    let test = format!("/channels/{}/test", channel["id"].as_str().unwrap());
    for path in ["/feeds", &test] {
        let refused = with_key(&server, path, &json!({})).await.expect(422);
        assert_eq!(refused["error"]["code"], "no_idempotency_key", "{path}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("this operation takes no Idempotency-Key"), "{message}");
    }
}

#[tokio::test]
async fn a_missing_and_an_invalid_token_get_different_sentences() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let wrong = HttpClient { token: Some("wrong".to_owned()), ..server.as_anonymous() };
    for (client, begin) in
        [(server.as_anonymous(), "send the header Authorization"), (wrong, "this token is not valid")]
    {
        let new = json!({"title": "A word", "body": ""});
        let answers = [client.get("/api/v1/articles").await, client.post("/api/v1/articles", &new).await];
        for answer in answers {
            let refused = answer.expect(401);
            assert_eq!(refused["error"]["code"], "log_in");
            assert!(refused["error"]["message"].as_str().unwrap().starts_with(begin), "{refused}");
        }
    }
}

async fn the_event_log_is_paged(server: TestServer) {
    task(&server, "Logged", 60_000).await;
    let all = server.as_creator().get("/api/v1/events?after=0&limit=5000").await.expect(200);
    let all = all["items"].as_array().unwrap();
    let first = all[0]["seq"].as_i64().unwrap();
    let rest = server.as_creator().get(&format!("/api/v1/events?after={first}")).await.expect(200);
    assert_eq!(rest["items"].as_array().unwrap().len(), all.len() - 1);
    let last = all.last().unwrap();
    assert_eq!(
        (&last["entity"], &last["verb"], &last["to_state"]),
        (&json!("task"), &json!("schedule"), &json!("scheduled"))
    );
}

/// The event log also names changes to accounts, so only admins see all of it.
async fn lost_write_events_are_visible_to_admins_only(server: TestServer) {
    let new_event = NewEvent::simple(server.now(), None, "engine", Uuid::nil(), failover::VERB);
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    event::append(tx.conn(), &[new_event]).await.unwrap();
    tx.commit().await.unwrap();
    for (caller, is_visible) in [(server.as_admin(), true), (server.as_creator(), false)] {
        let events = caller.get("/api/v1/events?limit=1000").await.expect(200);
        let mut events = events["items"].as_array().unwrap().iter();
        assert_eq!(events.any(|event| event["verb"] == failover::VERB), is_visible);
    }
}

#[tokio::test]
async fn requests_that_the_openapi_document_allows_are_accepted() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let task = task(&server, "Numbers", 60_000).await;
    let path = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    server.as_creator().post(&path, &json!({"seen_version": 1.5})).await.expect(422);
    server.as_creator().post(&path, &json!({"seen_version": 1.0})).await.expect(200);
    let cursor = "0-00000000000000000000000000000000";
    for query in
        ["limit=9223372036854775808", &format!("q=x&cursor={cursor}"), &format!("cursor=s1-{cursor}")]
    {
        server.as_creator().get(&format!("/api/v1/articles?{query}")).await.expect(200);
    }
    let blank = |spaces: usize| json!({"title": "Blank", "body": "", "slug": " ".repeat(spaces)});
    server.as_creator().post("/api/v1/articles", &blank(100)).await.expect(201);
    server.as_creator().post("/api/v1/articles", &blank(101)).await.expect(422);
}

#[tokio::test]
async fn a_missing_article_and_another_transport_are_refused_as_documented() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    // A missing article is reported before a past due time.
    let new =
        json!({"kind": "article.publish", "target_id": Uuid::nil(), "due_at": server.time_after(-60_000)});
    server.as_creator().post("/api/v1/tasks", &new).await.expect(404);
    let refused = server.as_creator().post("/api/v1/tasks/bulk", &json!({"items": [new]})).await.expect(404);
    assert_eq!(refused["errors"][0]["code"], "no_such");
    let channel = json!({"name": "Hook", "url": "https://example.org/"});
    let channel = server.as_admin().post("/api/v1/channels", &channel).await.expect(201);
    let path = format!("/api/v1/channels/{}", channel["id"].as_str().unwrap());
    for other in [json!({"transport": "mail"}), json!({"mail": {"from": "a@example.org"}})] {
        assert_eq!(server.as_admin().patch(&path, &other).await.refused(409), "wrong_transport");
    }
}

#[tokio::test]
async fn the_openapi_document_describes_every_route() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let document = server.as_anonymous().get("/api/v1/openapi.json").await.expect(200);
    assert_eq!(&document, presstime::server::api::document());
    let paths = document["paths"].as_object().unwrap();
    let operations: usize = paths.values().map(|item| item.as_object().unwrap().len()).sum();
    assert_eq!((paths.len(), operations), (157, 211));
    for (path, item) in paths {
        for operation in item.as_object().unwrap().values() {
            let is_described = operation["description"].is_string() || operation["summary"].is_string();
            assert!(is_described && operation["responses"].is_object(), "{path}");
        }
    }
    let references: Vec<&str> = references(&document);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference} does not resolve");
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
async fn stats_and_health_endpoints_report_the_engine() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    server.tick().await;
    let stats = server.as_admin().get("/api/v1/stats").await.expect(200);
    assert!(stats["counts"]["scheduled"].is_u64() && stats["lag"]["p99"].is_i64(), "{stats}");
    assert_eq!(server.as_creator().get("/api/v1/stats").await.expect(200)["counts"], Value::Null);
    assert_eq!(server.as_anonymous().get("/healthz").await.text, "ok");
    assert_eq!(server.as_anonymous().get("/readyz").await.expect(200)["ready"], true);
    let numbers = server.as_anonymous().get("/metrics").await;
    assert!(numbers.status == 200 && numbers.text.contains("presstime_engine_healthy"), "{}", numbers.text);
    let far = server.as_anonymous().request(Method::GET, "/metrics").header("x-forwarded-for", "203.0.113.9");
    assert_eq!(crate::http_client::Reply::of(far).await.status, 401);
    let clock = server.now();
    server.advance_without_loops(60_000);
    let dead = server.as_anonymous().get("/readyz").await.expect(503);
    assert_eq!(
        (&dead["ready"], &dead["reason"]),
        (&json!(false), &json!("engine_not_running")),
        "since {clock}"
    );
}
