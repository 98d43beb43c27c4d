//! New time-zone data: scheduled tasks keep their wall-clock time, get a new due time, and are
//! listed until dismissed.

use crate::{
    engine_page::assert_contains,
    new_task::{local, publish},
    on_both,
    test_server::TestServer,
};
use domain::{
    State, TaskId, Timestamp,
    task::{AttentionGroup, NewTask, TaskRow, reason},
};
use presstime::zone;
use store::{Conn, PoolRole, setting, zone_move};

on_both!(
    a_task_keeps_its_local_time_under_new_rules_and_is_listed_until_dismissed,
    an_adjusted_task_is_executed_at_its_new_due_time,
    a_due_time_in_the_past_under_new_rules_follows_the_grace_period,
    a_local_time_skipped_or_repeated_under_new_rules_is_listed,
    nodes_that_start_concurrently_adjust_each_task_once,
    older_time_zone_data_adjusts_nothing,
);

/// Writes directly, to leave the state of an older program.
async fn run(server: &TestServer, text: &'static str, value: i64, id: TaskId) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(value).bind(id.0).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(value).bind(id.0).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Schedules a task at a local time whose due time follows older rules.
async fn outdated(server: &TestServer, typed: &str, zone: &str, was: &str) -> TaskRow {
    let article = server.create_article(&format!("At {typed} in {zone}")).await;
    let when = local("2027-07-01T09:00", zone, None);
    let new_task = NewTask { when, ..publish(article, server.now()) };
    let row = server.app.services.tasks.schedule(&server.creator.actor, new_task).await.unwrap();
    run(server, "update task set due_at = $1 where id = $2", at(was).millis(), row.id).await;
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let text = "update task set local_time = $1 where id = $2";
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(typed).bind(row.id.0).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(typed).bind(row.id.0).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
    server.find_task(row.id).await
}

async fn set_last_zone_data_version(server: &TestServer, data: &str) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    setting::put(tx.conn(), zone_move::RELEASE_SETTING, data).await.unwrap();
    tx.commit().await.unwrap();
}

async fn moves(server: &TestServer) -> Option<AttentionGroup> {
    let groups = server.app.services.tasks.attention(&server.creator.actor).await.unwrap();
    groups.into_iter().find(|group| group.reason == reason::ZONE_DATA)
}

async fn a_task_keeps_its_local_time_under_new_rules_and_is_listed_until_dismissed(server: TestServer) {
    let row = outdated(&server, "2027-12-01T09:00", "America/Vancouver", "2027-12-01T17:00:00Z").await;
    let right = outdated(&server, "2027-12-01T09:00", "Europe/Berlin", "2027-12-01T08:00:00Z").await;
    let exact = server.create_task("Exact", 3_600_000).await;
    set_last_zone_data_version(&server, "2025b").await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 1);
    let moved = server.find_task(row.id).await;
    assert_eq!((moved.due.at, moved.version.0), (at("2027-12-01T16:00:00Z"), row.version.0 + 1));
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "adjust_zone"]);
    for kept in [&right, &exact] {
        assert_eq!(server.find_task(kept.id).await.version, kept.version);
    }
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    let typed = (stored.local_time.as_deref(), stored.time_zone.as_deref());
    assert_eq!(typed, (Some("2027-12-01T09:00"), Some("America/Vancouver")));
    let stored_version = setting::find(lease.conn(), zone_move::RELEASE_SETTING).await.unwrap();
    assert_eq!(stored_version.as_deref(), Some(zone::data_version()));
    drop(lease);
    let group = moves(&server).await.unwrap();
    assert_eq!((group.total, group.changeable, group.tasks.len()), (1, 1, 1));
    let text = group.tasks[0].reason.clone().unwrap();
    let said = "Wed 1 Dec 2027, 09:00 in Vancouver is now Wed 1 Dec 2027, 16:00 UTC; \
                it was Wed 1 Dec 2027, 17:00 UTC.";
    assert_eq!(text, said);
    let dashboard = server.app.services.tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!(dashboard.attention, 1);
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 0, "once");
    check_dismissal(&server).await;
}

async fn check_dismissal(server: &TestServer) {
    let page = server.page(&server.creator, "/").await;
    assert_contains(
        &page,
        &["is now Wed 1 Dec 2027, 16:00 UTC; it was Wed 1 Dec 2027, 17:00 UTC.", "/fn/dismiss_zone_moves"],
    );
    let form = [("seen_at", &*server.time_after(0)), ("from", "/")];
    let reply = server.log_in_browser(&server.colleague).await.form("/fn/dismiss_zone_moves", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    assert!(moves(server).await.is_some(), "only its owner or an admin may dismiss it");
    let reply = server.log_in_browser(&server.creator).await.form("/fn/dismiss_zone_moves", &form).await;
    assert_eq!(reply.header("location"), "/");
    assert_eq!(moves(server).await, None);
}

async fn an_adjusted_task_is_executed_at_its_new_due_time(server: TestServer) {
    // 2027-03-01T08:05Z by the current rules.
    let row = outdated(&server, "2027-03-01T01:05", "America/Vancouver", "2027-03-01T09:05:00Z").await;
    set_last_zone_data_version(&server, "").await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 1);
    server.advance(299_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Scheduled, "not early");
    server.advance(1_000).await;
    let done = server.find_task(row.id).await;
    assert_eq!((done.state, done.due.at), (State::Executed, at("2027-03-01T08:05:00Z")));
    assert!(moves(&server).await.is_some(), "it is still listed");
    server.assert_execution_records_match().await;
}

async fn a_due_time_in_the_past_under_new_rules_follows_the_grace_period(server: TestServer) {
    let late = outdated(&server, "2027-03-01T00:30", "America/Vancouver", "2027-03-01T08:30:00Z").await;
    let too_late = outdated(&server, "2027-03-01T00:20", "America/Vancouver", "2027-03-01T08:20:00Z").await;
    run(&server, "update task set grace_ms = $1 where id = $2", 60_000, too_late.id).await;
    set_last_zone_data_version(&server, "2025b").await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 2);
    server.advance(6_000).await;
    assert_eq!(server.find_task(late.id).await.state, State::Executed);
    let missed = server.find_task(too_late.id).await;
    assert_eq!((missed.state, missed.reason.as_deref()), (State::Missed, Some(reason::LATE)));
}

async fn a_local_time_skipped_or_repeated_under_new_rules_is_listed(server: TestServer) {
    let skipped = outdated(&server, "2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:30:00Z").await;
    let doubled = outdated(&server, "2027-10-31T02:30", "Europe/Berlin", "2027-10-31T02:30:00Z").await;
    set_last_zone_data_version(&server, "2025b").await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 2);
    assert_eq!(
        server.find_task(skipped.id).await.due.at,
        at("2027-03-28T01:00:00Z"),
        "after the clock change"
    );
    assert_eq!(server.find_task(doubled.id).await.due.at, at("2027-10-31T00:30:00Z"), "the first of two");
    let text: Vec<_> = moves(&server).await.unwrap().tasks.into_iter().filter_map(|row| row.reason).collect();
    assert!(text[0].contains("no longer exists") && text[1].contains("occurs twice"), "{text:?}");
}

async fn nodes_that_start_concurrently_adjust_each_task_once(server: TestServer) {
    let articles = server.create_articles(600).await;
    let new_task = |article: &domain::ArticleId| NewTask {
        when: local("2027-12-01T09:00", "America/Vancouver", None),
        ..publish(*article, server.now())
    };
    let new_tasks = articles.iter().map(new_task).collect();
    let rows = server.app.services.tasks.schedule_all(&server.creator.actor, new_tasks).await.unwrap();
    let old = at("2027-12-01T17:00:00Z").millis();
    run(&server, "update task set due_at = $1 where target_id is not null or id = $2", old, rows[0].id).await;
    set_last_zone_data_version(&server, "2025b").await;
    let other = server.open_second_node().await;
    let (one, two) = tokio::join!(server.app.adjust_local_times(), other.adjust_local_times());
    assert_eq!(one.unwrap() + two.unwrap(), 600);
    for row in rows.iter().step_by(97) {
        let now = server.find_task(row.id).await;
        assert_eq!((now.due.at, now.version.0), (at("2027-12-01T16:00:00Z"), row.version.0 + 1));
        assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "adjust_zone"]);
    }
    assert_eq!(moves(&server).await.unwrap().total, 600);
    other.close().await;
}

async fn older_time_zone_data_adjusts_nothing(server: TestServer) {
    let row = outdated(&server, "2027-12-01T09:00", "America/Vancouver", "2027-12-01T17:00:00Z").await;
    set_last_zone_data_version(&server, "2999z").await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 0);
    assert_eq!(server.find_task(row.id).await.version, row.version);
    // Tasks that this program accepted are adjusted by the newer program again.
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored_version = setting::find(lease.conn(), zone_move::RELEASE_SETTING).await.unwrap();
    assert_eq!(stored_version.as_deref(), Some(zone::data_version()));
}
