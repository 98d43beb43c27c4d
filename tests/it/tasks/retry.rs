//! Changes of a whole Attention group: retry, reschedule and dismiss, with confirmation, each task by
//! itself, without JavaScript.

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
    missed_tasks_are_dismissed_together,
    missed_tasks_are_rescheduled_together,
    messages_of_a_channel_are_dismissed_together,
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
    let page = server.page(&server.admin, "/").await;
    assert_contains(
        &page,
        &["3 tasks missed their time", "Publish all 3", "Publish 3 now", "Dismiss 3", "missed:late"],
    );
    let browser = server.log_in_browser(&server.admin).await;
    let form = [("id", "missed:late"), ("most", "3"), ("from", "/?done=x")];
    let reply = browser.form("/fn/retry_group", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    assert_eq!(reply.result_location(), "/?retried=3&refused=0");
    assert_contains(&browser.get(reply.header("location")).await.text, &["3 items were retried."]);
    server.advance(1_000).await;
    for row in &rows {
        assert_eq!(server.find_task(row.id).await.state, State::Executed);
        assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "miss", "retry", "execute"]);
    }
    assert!(!server.page(&server.admin, "/").await.contains("Publish all"));
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.result_location(), "/?retried=0&refused=0");
    server.assert_execution_records_match().await;
}

async fn an_attention_group_is_retried_only_by_owners_and_admins(server: TestServer) {
    let rows = missed(&server, 2).await;
    let tasks = &server.app.services.tasks;
    let theirs = tasks.attention(&server.colleague.actor).await.unwrap();
    assert_eq!(theirs, [], "tasks of other accounts are not listed");
    assert!(!server.page(&server.colleague, "/").await.contains("Publish all"));
    let done = tasks
        .change_group(&server.colleague.actor, (State::Missed, reason::LATE), Change::Retry, 10)
        .await
        .unwrap();
    assert_eq!((done.done, done.refused), (0, 0));
    assert_eq!(server.find_task(rows[0].id).await.state, State::Missed);
    let one = tasks
        .change_group(&server.creator.actor, (State::Missed, reason::LATE), Change::Retry, 1)
        .await
        .unwrap();
    assert_eq!((one.done, one.refused), (1, 0));
    let waiting =
        tasks.change_group(&server.admin.actor, (State::Scheduled, reason::OVERDUE), Change::Retry, 10).await;
    assert!(matches!(waiting, Err(DomainError::Invalid { .. })), "{waiting:?}");
}

async fn tasks_changed_in_the_meantime_are_not_retried(server: TestServer) {
    let rows = missed(&server, 3).await;
    server.change(&server.find_task(rows[0].id).await, Change::Cancel).await.unwrap();
    let tasks = &server.app.services.tasks;
    let done = tasks
        .change_group(&server.creator.actor, (State::Missed, reason::LATE), Change::Retry, 10)
        .await
        .unwrap();
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
    assert_contains(
        &server.page(&server.admin, "/").await,
        &["Broken answers 500", "2 messages", "2 not delivered", "Retry now", &group],
    );
    let theirs = server.page(&server.creator, "/").await;
    assert!(theirs.contains("An admin can retry or dismiss them.") && !theirs.contains("Retry now"));
    let form = [("id", group.as_str()), ("most", "2"), ("from", "/")];
    let refused = server.log_in_browser(&server.creator).await.form("/fn/retry_group", &form).await;
    assert!(!refused.result_location().contains("retried="), "{}", refused.result_location());
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/retry_group", &form).await;
    assert_eq!(reply.result_location(), "/?retried=2&refused=0");
    server.tick().await;
    assert_eq!((broken.received().len(), well.received().len()), (6, 2));
    assert_eq!(server.attention_count().await, 0);
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.result_location(), "/?retried=0&refused=0");
    server.assert_execution_records_match().await;
}

async fn missed_tasks_are_dismissed_together(server: TestServer) {
    let rows = missed(&server, 3).await;
    let browser = server.log_in_browser(&server.creator).await;
    let seen_at = server.now().to_string();
    let form = [("id", "missed:late"), ("most", "2"), ("seen_at", seen_at.as_str()), ("from", "/")];
    let reply = browser.form("/fn/dismiss_group", &form).await;
    let location = reply.result_location();
    assert!(location.starts_with("/?dismissed=2&refused=0&card=missed"), "{}", reply.text);
    assert_contains(
        &browser.get(reply.header("location")).await.text,
        &["2 items were dismissed.", "Undo dismiss"],
    );
    let mut states = Vec::new();
    for row in &rows {
        states.push(server.find_task(row.id).await.state);
    }
    assert_eq!(states, [State::Missed, State::Cancelled, State::Cancelled], "the newest come first");
    assert_eq!(server.timeline_verbs(rows[2].id).await, ["schedule", "miss", "cancel"]);
    assert_eq!(server.attention_count().await, 1);
    let refused = server.log_in_browser(&server.colleague).await.form("/fn/dismiss_group", &form).await;
    assert!(refused.result_location().starts_with("/?dismissed=0&refused=0"));
    assert_eq!(server.find_task(rows[0].id).await.state, State::Missed);

    // One of them is changed since: the undo leaves it alone.
    let one = server.find_task(rows[2].id).await;
    assert_eq!(one.undo.as_ref().map(|undo| undo.verb.as_str()), Some("dismiss"));
    let undone = browser
        .form(
            "/fn/change_task",
            &[
                ("id", &one.id.to_string()),
                ("seen", &one.version.to_string()),
                ("what", "undo"),
                ("from", "/tasks"),
            ],
        )
        .await;
    assert_eq!(undone.status, 303, "{}", undone.text);
    let again = server.find_task(rows[2].id).await;
    assert_eq!((again.state, again.reason.as_deref(), &again.undo), (State::Missed, Some("late"), &None));
    let form = [
        ("id", "missed:late"),
        ("began_at", seen_at.as_str()),
        ("ended_at", seen_at.as_str()),
        ("from", "/"),
    ];
    let others = server.log_in_browser(&server.colleague).await.form("/fn/undo_dismissal", &form).await;
    assert_eq!(others.status, 409, "{}", others.text);
    let reply = browser.form("/fn/undo_dismissal", &form).await;
    assert_eq!(reply.result_location(), "/?reopened=1&refused=1", "{}", reply.text);
    let row = server.find_task(rows[1].id).await;
    assert_eq!((row.state, row.reason.as_deref()), (State::Missed, Some("late")));
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "miss", "cancel", "undo"]);
    assert_eq!(server.attention_count().await, 3);
    server.assert_execution_records_match().await;
}

async fn missed_tasks_are_rescheduled_together(server: TestServer) {
    let rows = missed(&server, 2).await;
    let browser = server.log_in_browser(&server.creator).await;
    let mut form =
        vec![("id", "missed:late"), ("most", "2"), ("zone", "UTC"), ("time", "09:00"), ("from", "/")];
    let past = browser.form("/fn/move_group", &[&form[..], &[("date", "2001-01-01")]].concat()).await;
    assert_eq!(past.status, 422, "{}", past.text);
    assert_eq!(server.find_task(rows[0].id).await.state, State::Missed);
    form.push(("date", "2040-01-02"));
    let reply = browser.form("/fn/move_group", &form).await;
    assert_eq!(reply.result_location(), "/?moved=2&refused=0", "{}", reply.text);
    for row in &rows {
        let moved = server.find_task(row.id).await;
        assert_eq!(
            (moved.state, moved.due.at.to_string().as_str()),
            (State::Scheduled, "2040-01-02T09:00:00.000Z")
        );
        assert_eq!(moved.undo, None, "the task was missed before: there is nothing to go back to");
    }
    assert_eq!(server.attention_count().await, 0);
    server.assert_execution_records_match().await;
}

async fn messages_of_a_channel_are_dismissed_together(server: TestServer) {
    let (broken, well) = (Sink::start().await, Sink::start().await);
    let channel = server.create_webhook(&broken, json!({"retry_schedule": "1h", "name": "Broken"})).await;
    server.create_webhook(&well, json!({"name": "Well"})).await;
    broken.behave((0..5).map(|_| Behaviour::status(500)));
    for number in 0..4 {
        server.publish_article(&format!("Number {number}")).await;
    }
    let seen_at = server.now().to_string();
    server.advance(1_000).await;
    server.publish_article("Not seen").await;
    assert_eq!(server.attention_count().await, 5);
    let group = format!("channel:{}", channel["id"].as_str().unwrap());
    let form = [("id", group.as_str()), ("most", "9"), ("seen_at", seen_at.as_str()), ("from", "/")];
    let refused = server.log_in_browser(&server.creator).await.form("/fn/dismiss_group", &form).await;
    assert_eq!((refused.status, server.attention_count().await), (403, 5));
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/dismiss_group", &form).await;
    let location = reply.result_location();
    assert!(location.starts_with("/?dismissed=4&refused=0&card=channel"), "{}", reply.text);
    let dismissed_at = server.now().to_string();
    let page = server.page(&server.admin, "/").await;
    // Below the cards is what was published.
    let (cards, _) = page.split_once("class=\"upcoming\"").unwrap();
    assert_contains(cards, &["Broken answers 500", "Not seen"]);
    assert!(!cards.contains("Number 3"), "{cards}");
    let before = broken.received().len();
    server.advance(DAY_MS).await;
    assert_eq!(broken.received().len(), before + 1, "only the message that was not dismissed");
    assert_eq!((server.attention_count().await, well.received().len()), (0, 5));

    let form = [
        ("id", group.as_str()),
        ("began_at", dismissed_at.as_str()),
        ("ended_at", dismissed_at.as_str()),
        ("from", "/"),
    ];
    // The session has ended in that day.
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/undo_dismissal", &form).await;
    assert_eq!(reply.result_location(), "/?reopened=4&refused=0", "{}", reply.text);
    assert_eq!(server.attention_count().await, 4);
    server.tick().await;
    assert_eq!((broken.received().len(), server.attention_count().await), (before + 5, 0), "they are sent");
    let again = browser.form("/fn/undo_dismissal", &form).await;
    assert_eq!(again.result_location(), "/?reopened=0&refused=4", "{}", again.text);
}
