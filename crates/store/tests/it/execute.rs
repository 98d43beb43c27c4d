//! What may happen, and what may not: the compare-and-set.

use crate::memory::{Memory, START, Site, claim, sql};
use domain::{Kind, RevisionId, State, TaskId, Timestamp, Version};
use std::collections::HashSet;
use store::{
    execute::{Claim, Stale},
    task::{self, Facts},
};
use uuid::Uuid;

async fn a_task_hinted_three_times_is_executed_once(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let outcome = memory.run(&[one, one, one]).await;
    assert_eq!(outcome.executed.len(), 1);
    let again = memory.run(&[one]).await;
    assert_eq!((again.executed.len(), again.stale), (0, vec![(one, Stale::Ended)]));
    assert_eq!(memory.verbs(one.task.0).await, ["execute"]);
}

async fn two_consumers_with_the_same_hints_execute_each_task_once(memory: &Memory) {
    let texts = memory.texts(100).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let mut backwards = claims.clone();
    backwards.reverse();
    let (one, other) = tokio::join!(memory.run(&claims), memory.run(&backwards));
    let ids: HashSet<TaskId> = one.executed.iter().chain(&other.executed).map(|task| task.id).collect();
    assert_eq!(one.executed.len() + other.executed.len(), 100);
    assert_eq!(ids.len(), 100);
}

async fn nothing_happens_before_its_moment_by_the_databases_clock(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    memory.set_sql_clock(START.plus(-60_000));
    let outcome = memory.run(&[one]).await;
    let [(_, Stale::Early { until })] = outcome.stale[..] else { panic!("{outcome:?}") };
    // PostgreSQL's clock goes on while the test runs.
    assert!((50_000..=60_000).contains(&until.since(START)), "{until}");
    assert_eq!(memory.public(&text).await, None);
    memory.set_sql_clock(START);
    assert_eq!(memory.run(&[one]).await.executed.len(), 1);
}

async fn nothing_happens_before_its_moment_by_the_nodes_clock(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START.plus(1)).await;
    memory.set_sql_clock(START.plus(3_600_000));
    let outcome = memory.run(&[one]).await;
    assert_eq!(outcome.stale, [(one, Stale::Early { until: START.plus(1) })]);
    assert_eq!(memory.task(one.task).await.0, "scheduled");
    memory.advance(1);
    assert_eq!(memory.run(&[one]).await.executed.len(), 1);
}

async fn only_the_latest_version_happens(memory: &Memory) {
    let text = memory.text().await;
    let old = memory.publish(&text, START).await;
    let mut tx = memory.tx().await;
    let to = facts(START, &text.revision.0, State::Scheduled);
    let version = task::change(tx.conn(), old.task, Version(1), State::Scheduled, &to).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(version, Some(Version(2)));
    let forged = claim(old.task, 3);
    let outcome = memory.run(&[old, forged]).await;
    assert_eq!(outcome.executed, []);
    assert!(outcome.stale.iter().all(|(_, stale)| *stale == Stale::Changed), "{outcome:?}");
    assert_eq!(memory.run(&[claim(old.task, 2)]).await.executed.len(), 1);
}

async fn a_cancelled_task_never_happens(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let mut tx = memory.tx().await;
    let to = facts(START, &text.revision.0, State::Cancelled);
    task::change(tx.conn(), one.task, Version(1), State::Scheduled, &to).await.unwrap();
    tx.commit().await.unwrap();
    let outcome = memory.run(&[one, claim(one.task, 2)]).await;
    assert_eq!(outcome.executed, []);
    assert_eq!(memory.public(&text).await, None);
}

async fn what_does_not_exist_is_gone(memory: &Memory) {
    let nobody = claim(TaskId::fresh(), 1);
    assert_eq!(memory.run(&[nobody]).await.stale, [(nobody, Stale::Gone)]);
    assert_eq!(memory.run(&[]).await.stale, []);
}

async fn the_pinned_revision_goes_out_and_no_other(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let newer = RevisionId::fresh();
    let mut tx = memory.tx().await;
    sql!(
        tx.conn(),
        sqlx::query(
            "insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
         values ($1, $2, 2, 'Another', 'Unapproved', 1, $2, 0)"
        )
        .bind(newer.0)
        .bind(text.id.0)
    )
    .unwrap();
    sql!(
        tx.conn(),
        sqlx::query("update article set revision_id = $1, revision = 2 where id = $2")
            .bind(newer.0)
            .bind(text.id.0)
    )
    .unwrap();
    tx.commit().await.unwrap();
    memory.run(&[one]).await;
    assert_eq!(memory.public(&text).await, Some((text.revision.0, START.millis())));
    let (state,): (String,) = memory.one("select state from article where id = $1", text.id.0).await.unwrap();
    assert_eq!(state, "approved");
}

async fn what_is_public_keeps_its_date_when_it_is_replaced(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    memory.run(&[one]).await;
    let now = memory.advance(3_600_000);
    let two = memory.publish(&text, now).await;
    assert_eq!(memory.run(&[two]).await.executed.len(), 1);
    assert_eq!(memory.public(&text).await, Some((text.revision.0, START.millis())));
    let (updated,): (i64,) =
        memory.one("select updated_at from article where id = $1", text.id.0).await.unwrap();
    assert_eq!(updated, now.millis());
}

async fn the_way_of_a_hint_stands_in_the_execution_row(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let now = memory.advance(7);
    let one = Claim {
        hinted_at: Some(START.plus(-9)),
        moved_at: Some(START.plus(1)),
        popped_at: Some(START.plus(2)),
        ..one
    };
    memory.run(&[one]).await;
    let row: (i32, String, i64, i64, i64, i64, i64) = memory
        .one(
            "select version, node, due_at, hinted_at, moved_at, popped_at, executed_at from execution where task_id = $1",
            one.task.0,
        )
        .await
        .unwrap();
    let at = START.millis();
    assert_eq!(row, (1, "here".to_owned(), at, at - 9, at + 1, at + 2, now.millis()));
    let (detail,): (String,) =
        memory.one("select detail from event where entity_id = $1", one.task.0).await.unwrap();
    let detail: serde_json::Value = serde_json::from_str(&detail).unwrap();
    assert_eq!(detail["lag_ms"], 7);
    assert_eq!(detail["due_at"], START.to_string());
    assert_eq!(detail["target_id"], text.id.to_string());
}

async fn a_thousand_go_out_in_one_batch(memory: &Memory) {
    let texts = memory.texts(1_000).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let outcome = memory.run(&claims).await;
    assert_eq!((outcome.executed.len(), outcome.stale.len()), (1_000, 0));
    assert_eq!(memory.count("select count(*) from execution").await, 1_000);
    assert_eq!(memory.count("select count(*) from article where published_at is not null").await, 1_000);
}

async fn a_kind_of_a_newer_release_is_left_alone(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let mut tx = memory.tx().await;
    sql!(tx.conn(), sqlx::query("update task set kind = 'meeting.start' where id = $1").bind(one.task.0))
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(memory.run(&[one]).await.stale, [(one, Stale::Foreign)]);
    assert_eq!(memory.task(one.task).await.0, "scheduled");
}

async fn a_broken_effect_leaves_no_trace(memory: &Memory) {
    let (good, bad) = (memory.text().await, memory.text().await);
    let claims = memory.plan(Kind::ArticlePublish, &[good, bad], START).await;
    let site = Site { breaks: Some(bad.id.0), ..Site::default() };
    assert!(memory.run_with(&claims, &site).await.is_err());
    assert_eq!(memory.public(&good).await, None);
    assert_eq!(memory.count("select count(*) from event").await, 0);
    assert_eq!(memory.count("select count(*) from task where state = 'scheduled' and attempts = 0").await, 2);
    assert_eq!(memory.run_with(&claims[..1], &site).await.unwrap().executed.len(), 1);
}

async fn a_change_and_an_execution_at_once_leave_one_winner(memory: &Memory) {
    for text in memory.texts(20).await {
        let one = memory.publish(&text, START).await;
        let to = facts(START.plus(60_000), &text.revision.0, State::Scheduled);
        let change = async {
            let mut tx = memory.tx().await;
            // People lock what the task is about before they change the task, as the engine does.
            sql!(tx.conn(), sqlx::query("update article set title = title where id = $1").bind(text.id.0))
                .unwrap();
            let version = task::change(tx.conn(), one.task, Version(1), State::Scheduled, &to).await.unwrap();
            tx.commit().await.unwrap();
            version
        };
        let claims = [one];
        let (changed, outcome) = tokio::join!(change, memory.run(&claims));
        let executed = outcome.executed.len();
        assert_eq!(executed, usize::from(changed.is_none()), "one of them, not both, not neither");
        let (state, version, _) = memory.task(one.task).await;
        assert_eq!((state.as_str(), version), if executed == 1 { ("executed", 1) } else { ("scheduled", 2) });
    }
}

fn facts(due_at: Timestamp, revision: &Uuid, state: State) -> Facts {
    Facts {
        state,
        due_at: due_at.millis(),
        local: None,
        zone: None,
        revision_id: Some(*revision),
        approves: false,
        starts_over: false,
    }
}

crate::on_both!(
    a_task_hinted_three_times_is_executed_once,
    two_consumers_with_the_same_hints_execute_each_task_once,
    nothing_happens_before_its_moment_by_the_databases_clock,
    nothing_happens_before_its_moment_by_the_nodes_clock,
    only_the_latest_version_happens,
    a_cancelled_task_never_happens,
    what_does_not_exist_is_gone,
    the_pinned_revision_goes_out_and_no_other,
    what_is_public_keeps_its_date_when_it_is_replaced,
    the_way_of_a_hint_stands_in_the_execution_row,
    a_thousand_go_out_in_one_batch,
    a_kind_of_a_newer_release_is_left_alone,
    a_broken_effect_leaves_no_trace,
    a_change_and_an_execution_at_once_leave_one_winner,
);
