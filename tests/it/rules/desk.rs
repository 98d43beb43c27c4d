//! Signals that the desk sends itself: what happens to articles and meetings.

use super::top_up;
use crate::{
    deliveries::text,
    meetings::{HOUR, act},
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    a_published_article_opens_a_wait_and_its_author_is_reminded,
    an_unpublished_article_closes_its_wait,
    a_meeting_sends_signals_when_it_changes_and_when_it_ends,
    without_a_rule_there_are_no_signals_and_only_admins_see_their_tasks,
);

const MINUTES: i64 = 60_000;

/// A rule after a signal of the desk that sends what its data says.
async fn rule(server: &TestServer, sink: &Sink, (after, unless): (&str, &[&str]), body: &str) -> Value {
    let channel = server.create_webhook(sink, json!({"concurrency": 20})).await;
    let action = json!({"type": "message", "channel_id": channel["id"], "body": body});
    let more = json!({"after": after, "unless": unless, "action": action});
    server.create_rule(&top_up(&channel, more)).await
}

/// The messages that a rule sent; the channel reports articles as well.
fn sent(sink: &Sink) -> Vec<Value> {
    let bodies = sink.received().into_iter().map(|one| serde_json::from_str::<Value>(&one.body).unwrap());
    bodies.filter(|body| body["type"].is_null()).collect()
}

async fn a_published_article_opens_a_wait_and_its_author_is_reminded(server: TestServer) {
    let sink = Sink::start().await;
    let body = r#"{"to": "{{data.author_email}}", "title": "{{data.title}}", "path": "{{data.path}}"}"#;
    let rule = rule(&server, &sink, ("article.published", &["article.unpublished"]), body).await;
    let (_, task) = server.schedule_new_article("Tides", MINUTES).await;
    server.advance(MINUTES).await;
    server.tick().await;
    let waits = server.waits(&rule, "").await;
    assert_eq!((waits.len(), &waits[0]["subject"]), (1, &task["target_id"]));
    server.advance(30 * MINUTES - 1_000).await;
    assert_eq!(sent(&sink), [] as [Value; 0]);
    server.advance(2_000).await;
    let sent = sent(&sink);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((&sent[0]["title"], &sent[0]["path"]), (&json!("Tides"), &json!("/site/tides")));
    assert!(text(&sent[0]["to"]).contains('@'), "{sent:?}");
    server.assert_execution_records_match().await;
}

async fn an_unpublished_article_closes_its_wait(server: TestServer) {
    let sink = Sink::start().await;
    let rule = rule(&server, &sink, ("article.published", &["article.unpublished"]), "{}").await;
    let (_, task) = server.schedule_new_article("Tides", MINUTES).await;
    server.advance(MINUTES).await;
    server.tick().await;
    assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 1);
    let new = json!({"kind": "article.unpublish", "target_id": task["target_id"], "due_at": server.time_after(MINUTES)});
    server.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    server.advance(MINUTES).await;
    server.tick().await;
    assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 0);
    server.advance(HOUR).await;
    assert_eq!(sent(&sink), [] as [Value; 0]);
    server.assert_execution_records_match().await;
}

async fn a_meeting_sends_signals_when_it_changes_and_when_it_ends(server: TestServer) {
    let sink = Sink::start().await;
    let body = r#"{"to": "{{data.organizer_email}}", "room": "{{data.room}}", "state": "{{data.state}}"}"#;
    let ended = rule(&server, &sink, ("meeting.ended", &[]), body).await;
    let confirmed = rule(&server, &sink, ("meeting.confirmed", &["meeting.cancelled"]), body).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let other = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.tick().await;
    assert_eq!(server.waits(&confirmed, "state=scheduled").await.len(), 2);
    act(&server.as_creator(), &other, "cancel").await.expect(200);
    server.tick().await;
    let waits = server.waits(&confirmed, "state=scheduled").await;
    assert_eq!((waits.len(), &waits[0]["subject"]), (1, &meeting["id"]));
    server.advance(31 * MINUTES).await;
    assert_eq!(sent(&sink).len(), 1);
    server.advance(2 * HOUR - 31 * MINUTES).await;
    server.tick().await;
    let waits = server.waits(&ended, "").await;
    assert_eq!((waits.len(), &waits[0]["subject"]), (1, &meeting["id"]));
    server.advance(HOUR).await;
    let mut states: Vec<Value> = sent(&sink).into_iter().map(|body| body["state"].clone()).collect();
    states.sort_by_key(ToString::to_string);
    assert_eq!(states, [json!("confirmed"), json!("ended")]);
    server.assert_execution_records_match().await;
}

async fn without_a_rule_there_are_no_signals_and_only_admins_see_their_tasks(server: TestServer) {
    let kinds = async || {
        let all = server.as_admin().get("/api/v1/tasks").await.expect(200);
        let items = all["items"].as_array().unwrap();
        items.iter().filter(|task| task["kind"] == "signal.send").cloned().collect::<Vec<Value>>()
    };
    server.schedule_new_article("Before", MINUTES).await;
    server.advance(MINUTES).await;
    server.tick().await;
    assert_eq!(kinds().await, [] as [Value; 0]);
    let sink = Sink::start().await;
    rule(&server, &sink, ("article.published", &[]), "{}").await;
    server.schedule_new_article("After", MINUTES).await;
    server.advance(MINUTES).await;
    server.tick().await;
    let tasks = kinds().await;
    assert_eq!(tasks.len(), 1, "{tasks:?}");
    assert_eq!(
        (&tasks[0]["title"], &tasks[0]["state"]),
        (&json!("article.published: After"), &json!("executed"))
    );
    let own = format!("/api/v1/tasks/{}", text(&tasks[0]["id"]));
    assert_eq!(server.as_creator().get(&own).await.status, 404);
    let again = json!({"kind": "signal.send", "target_id": tasks[0]["target_id"], "due_at": server.time_after(MINUTES)});
    server.as_admin().post("/api/v1/tasks", &again).await.expect(409);
    let page = server.page(&server.admin, &format!("/tasks/{}", text(&tasks[0]["id"]))).await;
    assert!(page.contains("Send a signal") && page.contains("Open rules"), "{page}");
}
