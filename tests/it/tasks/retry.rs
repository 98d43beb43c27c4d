//! Retry of a whole Attention group: with confirmation, each task by itself, without JavaScript.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{
    DomainError, State,
    task::{Change, TaskRow, reason},
};
use serde_json::json;
use test_support::{Behaviour, Sink};

on_both!(
    an_attention_group_is_retried,
    an_attention_group_is_retried_only_by_owners_and_admins,
    tasks_changed_in_the_meantime_are_not_retried,
    messages_of_a_channel_are_resent_together,
);

const DAY_MS: i64 = 24 * 3_600_000;

/// Tasks of the creator that were missed while the engine was stopped.
async fn missed(server: &TestServer, count: usize) -> Vec<TaskRow> {
    let mut rows = Vec::new();
    for number in 0..count {
        rows.push(server.create_task(&format!("Missed {number}"), 1_000).await);
    }
    server.advance_without_loops(DAY_MS + 60_000);
    server.tick().await;
    for row in &rows {
        assert_eq!(server.find_task(row.id).await.state, State::Missed);
    }
    rows
}

async fn an_attention_group_is_retried(server: TestServer) {
    let rows = missed(&server, 3).await;
    let page = server.page(&server.admin, "/attention").await;
    assert_contains(&page, &["Retry all 3", "Retry 3 now", "missed:late"]);
    let browser = server.log_in_browser(&server.admin).await;
    let form = [("id", "missed:late"), ("most", "3"), ("from", "/attention?done=x")];
    let reply = browser.form("/fn/retry_group", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    assert_eq!(reply.header("location"), "/attention?retried=3&refused=0");
    assert_contains(&browser.get("/attention?retried=3&refused=0").await.text, &["Retried: 3."]);
    server.advance(1_000).await;
    for row in &rows {
        assert_eq!(server.find_task(row.id).await.state, State::Executed);
        assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "miss", "retry", "execute"]);
    }
    assert!(!server.page(&server.admin, "/attention").await.contains("Retry all"));
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.header("location"), "/attention?retried=0&refused=0");
    server.assert_execution_records_match().await;
}

async fn an_attention_group_is_retried_only_by_owners_and_admins(server: TestServer) {
    let rows = missed(&server, 2).await;
    let tasks = &server.app.services.tasks;
    let theirs = tasks.attention(&server.colleague.actor).await.unwrap();
    assert_eq!(theirs, [], "tasks of other accounts are not listed");
    assert!(!server.page(&server.colleague, "/attention").await.contains("Retry all"));
    let done = tasks.retry_group(&server.colleague.actor, State::Missed, reason::LATE, 10).await.unwrap();
    assert_eq!((done.done, done.refused), (0, 0));
    assert_eq!(server.find_task(rows[0].id).await.state, State::Missed);
    let one = tasks.retry_group(&server.creator.actor, State::Missed, reason::LATE, 1).await.unwrap();
    assert_eq!((one.done, one.refused), (1, 0));
    let waiting = tasks.retry_group(&server.admin.actor, State::Scheduled, reason::OVERDUE, 10).await;
    assert!(matches!(waiting, Err(DomainError::Invalid { .. })), "{waiting:?}");
}

async fn tasks_changed_in_the_meantime_are_not_retried(server: TestServer) {
    let rows = missed(&server, 3).await;
    server.change(&server.find_task(rows[0].id).await, Change::Cancel).await.unwrap();
    let tasks = &server.app.services.tasks;
    let done = tasks.retry_group(&server.creator.actor, State::Missed, reason::LATE, 10).await.unwrap();
    assert_eq!((done.done, done.refused), (2, 0));
    server.advance(1_000).await;
    let states = [server.find_task(rows[0].id).await.state, server.find_task(rows[1].id).await.state];
    assert_eq!(states, [State::Cancelled, State::Executed]);
}

async fn messages_of_a_channel_are_resent_together(server: TestServer) {
    let (broken, well) = (Sink::start().await, Sink::start().await);
    let channel = server.create_webhook(&broken, json!({"retry_schedule": "1s", "name": "Broken"})).await;
    server.create_webhook(&well, json!({"name": "Well"})).await;
    broken.behave((0..4).map(|_| Behaviour::status(500)));
    for number in 0..2 {
        server.publish_article(&format!("Number {number}")).await;
        server.advance(2_000).await;
    }
    let group = format!("messages.failed:{}", channel["id"].as_str().unwrap());
    assert_contains(&server.page(&server.admin, "/attention").await, &["to Broken", "Retry all 2", &group]);
    assert!(!server.page(&server.creator, "/attention").await.contains("Retry all"));
    let form = [("id", group.as_str()), ("most", "2"), ("from", "/attention")];
    let refused = server.log_in_browser(&server.creator).await.form("/fn/retry_group", &form).await;
    assert!(!refused.header("location").contains("retried="), "{}", refused.header("location"));
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/retry_group", &form).await;
    assert_eq!(reply.header("location"), "/attention?retried=2&refused=0");
    server.tick().await;
    assert_eq!((broken.received().len(), well.received().len()), (6, 2));
    assert_eq!(server.attention_count().await, 0);
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.header("location"), "/attention?retried=0&refused=0");
    server.assert_execution_records_match().await;
}
