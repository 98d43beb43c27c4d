//! The canary: a task that passes the whole pipeline each second and detects a stuck engine early.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::task::TaskQuery;
use engine::Loop as _;

on_both!(
    an_idle_mover_is_reported_within_five_seconds,
    an_idle_consumer_is_reported_within_five_seconds,
    the_canary_is_hidden_from_users,
    a_paused_engine_is_not_reported_as_stuck,
);

/// For five seconds, runs and reports all loops except one, which does nothing. Then the engine
/// recovers.
async fn check_stuck_without(server: &TestServer, without: &str) {
    let (loops, engine) = (&server.app.loops, &server.app.parts.engine);
    server.tick().await;
    server.tick().await;
    server.as_anonymous().get("/readyz").await.expect(200);
    for _ in 0..5 {
        server.advance_without_loops(1_000);
        server.align_database_clock(&server.app);
        let now = server.now();
        if without != "mover" {
            loops.mover.tick(now).await;
        }
        if without != "consumer" {
            loops.consumer.tick(now).await;
        }
        // Reports a round although the loop did nothing.
        engine.record_round(engine::LoopName::Consumer, now);
        loops.feeder.tick(now).await;
        loops.sweeper.tick(now).await;
        loops.maintenance.tick(now).await;
        loops.heartbeat.tick(now).await;
    }
    let ready = server.as_anonymous().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "stuck", "{ready}");
    assert_contains(
        &server.page(&server.admin, "/").await,
        &["Nothing is published:", r#"data-status="blocked""#],
    );
    server.advance(1_000).await;
    server.as_anonymous().get("/readyz").await.expect(200);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["Last canary task"]);
}

async fn an_idle_mover_is_reported_within_five_seconds(server: TestServer) {
    check_stuck_without(&server, "mover").await;
}

async fn an_idle_consumer_is_reported_within_five_seconds(server: TestServer) {
    check_stuck_without(&server, "consumer").await;
}

async fn the_canary_is_hidden_from_users(server: TestServer) {
    for _ in 0..5 {
        server.advance(1_000).await;
    }
    assert!(server.engine_report().await.canary_at.is_some(), "the canary has run");
    let (admin, services) = (&server.admin.actor, &server.app.services);
    let (dashboard, totals) =
        (services.tasks.dashboard(admin, false).await.unwrap(), server.engine_report().await.totals);
    assert_eq!((dashboard.scheduled, dashboard.attention, dashboard.executed_today), (0, 0, 0));
    assert_eq!((totals.scheduled, totals.executed), (0, 0));
    assert!(dashboard.next.is_empty() && dashboard.recent.is_empty());
    let list =
        services.tasks.list(admin, TaskQuery { limit: Some(1), ..TaskQuery::default() }).await.unwrap();
    assert!(list.items.is_empty() && list.next_cursor.is_none());
    let path = format!("/api/v1/tasks/{}", store::canary::ID);
    assert_eq!(server.as_admin().get(&path).await.refused(404), "no_such");
    let counts = server.engine_report().await;
    assert_eq!((counts.hint_counts.stale, counts.hint_counts.rescued, counts.lateness.count), (0, 0, 0));
    let events = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let of_tasks = events["items"].as_array().unwrap().iter().filter(|event| event["entity"] == "task");
    assert_eq!(of_tasks.count(), 0);
}

async fn a_paused_engine_is_not_reported_as_stuck(server: TestServer) {
    server.tick().await;
    server.app.services.engine.pause(&server.admin.actor, None).await.unwrap();
    server.advance(60_000).await;
    server.as_anonymous().get("/readyz").await.expect(200);
    server.app.services.engine.resume(&server.admin.actor).await.unwrap();
    server.as_anonymous().get("/readyz").await.expect(200);
    server.advance(1_000).await;
    server.advance(1_000).await;
    server.as_anonymous().get("/readyz").await.expect(200);
}
