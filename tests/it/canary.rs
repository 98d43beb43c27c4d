//! The canary: what the engine sends down its whole road each second shows that publishing lives, before anything is late.

use crate::{house::Story, on_both, sheet::says};
use domain::task::TaskQuery;
use presstime::worker::Loop as _;

on_both!(
    a_mover_that_does_nothing_is_red_within_five_seconds,
    a_consumer_that_does_nothing_is_red_within_five_seconds,
    nobody_sees_the_canary,
    while_it_is_paused_nothing_is_stuck,
);

/// Five seconds in which every loop but one lives, and says so; then all is well again.
async fn is_red_without(story: &Story, without: &str) {
    let (loops, pulse) = (&story.house.loops, &story.house.parts.pulse);
    story.tick().await;
    story.tick().await;
    story.as_nobody().get("/readyz").await.expect(200);
    for _ in 0..5 {
        story.wait_without_loops(1_000);
        story.align(&story.house);
        let now = story.now();
        if without != "mover" {
            loops.mover.tick(now).await;
        }
        if without != "consumer" {
            loops.consumer.tick(now).await;
        }
        // It says that it lives, whatever it does.
        pulse.beat(presstime::worker::Name::Consumer, now);
        loops.feeder.tick(now).await;
        loops.sweeper.tick(now).await;
        loops.checker.tick(now).await;
        loops.roster.tick(now).await;
    }
    let ready = story.as_nobody().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "stuck", "{ready}");
    says(&story.page(&story.admin, "/").await, &["Nothing is published:", r#"data-pulse="behind""#]);
    story.advance(1_000).await;
    story.as_nobody().get("/readyz").await.expect(200);
    let told = story.page(&story.admin, "/engine").await;
    says(&told, &["Test task last came through"]);
}

async fn a_mover_that_does_nothing_is_red_within_five_seconds(story: Story) {
    is_red_without(&story, "mover").await;
}

async fn a_consumer_that_does_nothing_is_red_within_five_seconds(story: Story) {
    is_red_without(&story, "consumer").await;
}

async fn nobody_sees_the_canary(story: Story) {
    for _ in 0..5 {
        story.advance(1_000).await;
    }
    assert!(story.report().await.canary_at.is_some(), "it sings");
    let (admin, desk) = (&story.admin.actor, &story.house.desk);
    let (board, totals) = (desk.tasks.board(admin).await.unwrap(), story.report().await.totals);
    assert_eq!((board.scheduled, board.attention, board.executed_today), (0, 0, 0));
    assert_eq!((totals.scheduled, totals.executed), (0, 0));
    assert!(board.next.is_empty() && board.recent.is_empty());
    let list = desk.tasks.list(admin, TaskQuery { limit: Some(1), ..TaskQuery::default() }).await.unwrap();
    assert!(list.items.is_empty() && list.next_cursor.is_none());
    let path = format!("/api/v1/tasks/{}", store::canary::ID);
    assert_eq!(story.as_admin().get(&path).await.refused(404), "no_such");
    let counts = story.report().await;
    assert_eq!((counts.hint_counts.stale, counts.hint_counts.rescued, counts.lag.count), (0, 0, 0));
    let events = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let of_tasks = events["items"].as_array().unwrap().iter().filter(|event| event["entity"] == "task");
    assert_eq!(of_tasks.count(), 0);
}

async fn while_it_is_paused_nothing_is_stuck(story: Story) {
    story.tick().await;
    story.house.desk.engine.pause(&story.admin.actor, true).await.unwrap();
    story.advance(60_000).await;
    story.as_nobody().get("/readyz").await.expect(200);
    story.house.desk.engine.pause(&story.admin.actor, false).await.unwrap();
    story.as_nobody().get("/readyz").await.expect(200);
    story.advance(1_000).await;
    story.advance(1_000).await;
    story.as_nobody().get("/readyz").await.expect(200);
}
