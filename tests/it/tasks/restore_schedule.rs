//! A failed *publish now* restores the previous schedule of the task.

use crate::{
    engine_page::assert_contains,
    new_task::{local, publish},
    on_both,
    test_server::{START_TIME, TestServer},
};
use domain::{
    KindClass, Priority, State, TaskId,
    task::{Change, NewTask, TaskRow, reason},
};
use store::{
    Conn, PoolRole,
    execute::{Claim, CrashOutcome, record_crash},
};
use uuid::Uuid;

on_both!(
    a_failed_publish_now_restores_the_schedule,
    a_publish_now_that_crashes_restores_the_schedule,
    a_missed_publish_now_restores_the_schedule,
    a_previous_due_time_in_the_past_is_not_restored,
    a_changed_task_leaves_attention,
);

/// One week after the start, in Berlin.
const PREVIOUS: &str = "2027-03-08T09:00";
const WEEK_MS: i64 = 7 * 24 * 3_600_000;

async fn schedule_in_a_week(server: &TestServer, title: &str) -> TaskRow {
    let article = server.create_article(title).await;
    let new = NewTask { when: local(PREVIOUS, "Europe/Berlin", None), ..publish(article, server.now()) };
    server.app.services.tasks.schedule(&server.creator.actor, new).await.unwrap()
}

/// Deletes the article directly in SQL, so that its task fails; `None` restores it.
pub(super) async fn set_deleted_at(server: &TestServer, article: Uuid, deleted_at: Option<i64>) {
    let text = "update article set deleted_at = $1 where id = $2";
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(deleted_at).bind(article).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(deleted_at).bind(article).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

/// Asserts that the task has its previous schedule, with its local time and time zone.
async fn assert_restored(server: &TestServer, row: &TaskRow, why: &str) -> TaskRow {
    let again = server.find_task(row.id).await;
    assert_eq!((again.state, again.due.at), (State::Scheduled, row.due.at));
    assert_eq!((again.reason.as_deref(), &again.undo), (Some(why), &None));
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let line = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    assert_eq!(
        (line.local_time.as_deref(), line.time_zone.as_deref()),
        (Some(PREVIOUS), Some("Europe/Berlin"))
    );
    again
}

/// Returns the tasks that Attention lists as failed.
async fn listed(server: &TestServer) -> Vec<TaskId> {
    let groups = server.app.services.tasks.attention(&server.creator.actor).await.unwrap();
    let group = groups.into_iter().find(|group| group.reason == reason::PUBLISH_NOW_FAILED);
    group.map(|group| group.tasks.into_iter().map(|row| row.id).collect()).unwrap_or_default()
}

/// Creates a task whose "publish now" fails.
async fn failed(server: &TestServer, title: &str) -> TaskRow {
    let row = schedule_in_a_week(server, title).await;
    server.change(&row, Change::PublishNow).await.unwrap();
    set_deleted_at(server, row.target_id, Some(server.now().millis())).await;
    server.tick().await;
    set_deleted_at(server, row.target_id, None).await;
    row
}

async fn a_failed_publish_now_restores_the_schedule(server: TestServer) {
    let row = failed(&server, "Next week").await;
    assert_restored(&server, &row, reason::TARGET_GONE).await;
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "publish_now", "fail", "restore_schedule"]);
    assert_eq!(listed(&server).await, [row.id]);
    let dashboard = server.app.services.tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!(dashboard.attention, 1);
    let body = server.as_creator().get("/api/v1/attention").await.expect(200);
    let entry = &body["items"][0];
    assert_eq!(entry["since"], server.time_after(0), "it failed now, and is due in a week");
    let message = entry["message"].as_str().unwrap();
    assert!(entry["cause"] == "task_failed" && message.contains("for its previous time again"), "{entry}");
    let page = server.page(&server.creator, "/").await;
    assert_contains(&page, &["scheduled for its previous time again", "no longer exists", "Next week"]);
    server.advance(WEEK_MS - 1_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Scheduled, "not early");
    server.advance(1_000).await;
    let done = server.find_task(row.id).await;
    assert_eq!((done.state, done.reason, done.undo), (State::Executed, None, None));
    assert_eq!(listed(&server).await, []);
    server.assert_execution_records_match().await;
}

async fn a_publish_now_that_crashes_restores_the_schedule(server: TestServer) {
    let row = schedule_in_a_week(&server, "Crashes").await;
    let now = server.change(&row, Change::PublishNow).await.unwrap();
    let (task, version, priority, bucket) = (now.id, now.version, Priority::Normal, 0);
    let class = KindClass::Content;
    let claim =
        Claim { task, version, priority, class, bucket, hinted_at: None, moved_at: None, popped_at: None };
    for _ in 0..4 {
        let outcome = record_crash(&server.app.parts.store, &claim, server.now()).await.unwrap();
        assert!(matches!(outcome, CrashOutcome::RetryAt(_)), "{outcome:?}");
    }
    let CrashOutcome::Rescheduled(hint) =
        record_crash(&server.app.parts.store, &claim, server.now()).await.unwrap()
    else {
        panic!("it is not rescheduled")
    };
    let again = assert_restored(&server, &row, reason::POISON).await;
    assert_eq!((hint.due_at, hint.version), (again.due.at, again.version));
    assert_eq!(listed(&server).await, [row.id]);
    server.advance(WEEK_MS).await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
}

async fn a_missed_publish_now_restores_the_schedule(server: TestServer) {
    let row = schedule_in_a_week(&server, "Missed").await;
    server.change(&row, Change::PublishNow).await.unwrap();
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    assert_restored(&server, &row, reason::LATE).await;
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "publish_now", "miss", "restore_schedule"]);
    assert_eq!(listed(&server).await, [row.id]);
}

async fn a_previous_due_time_in_the_past_is_not_restored(server: TestServer) {
    let row = server.create_task("Soon", 60_000).await;
    server.change(&row, Change::PublishNow).await.unwrap();
    set_deleted_at(&server, row.target_id, Some(server.now().millis())).await;
    server.advance_without_loops(60_000);
    server.tick().await;
    assert_eq!(server.find_task(row.id).await.state, State::Failed);
    // A later failure at the restored due time is final.
    let row = failed(&server, "Twice").await;
    set_deleted_at(&server, row.target_id, Some(server.now().millis())).await;
    server.advance(WEEK_MS).await;
    assert_eq!(server.find_task(row.id).await.state, State::Failed);
    assert_eq!(listed(&server).await, []);
}

async fn a_changed_task_leaves_attention(server: TestServer) {
    let row = failed(&server, "Cancelled").await;
    let cancelled = server.change(&server.find_task(row.id).await, Change::Cancel).await.unwrap();
    assert_eq!((cancelled.state, cancelled.reason), (State::Cancelled, None));
    assert_eq!(listed(&server).await, []);
    let row = failed(&server, "Retried").await;
    let now = server.change(&server.find_task(row.id).await, Change::PublishNow).await.unwrap();
    assert_eq!((now.due.at, now.reason), (START_TIME, None));
    server.tick().await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
    assert_eq!(listed(&server).await, []);
}
