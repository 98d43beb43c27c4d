//! Which claims are executed and which are refused: the compare-and-set.

use crate::test_database::{START, TestDatabase, TestHandler, claim, sql};
use domain::{Kind, RevisionId, State, TaskId, Timestamp, Version};
use std::collections::HashSet;
use store::{
    execute::{Claim, Stale},
    task::{self, TaskUpdate},
};
use uuid::Uuid;

async fn a_task_hinted_three_times_is_executed_once(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let outcome = db.run(&[one, one, one]).await;
    assert_eq!(outcome.executed.len(), 1);
    let again = db.run(&[one]).await;
    assert_eq!((again.executed.len(), again.stale), (0, vec![(one, Stale::Ended)]));
    assert_eq!(db.verbs(one.task.0).await, ["execute"]);
}

async fn two_consumers_with_the_same_hints_execute_each_task_once(db: &TestDatabase) {
    let texts = db.texts(100).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let mut backwards = claims.clone();
    backwards.reverse();
    let (one, other) = tokio::join!(db.run(&claims), db.run(&backwards));
    let ids: HashSet<TaskId> = one.executed.iter().chain(&other.executed).map(|task| task.id).collect();
    assert_eq!(one.executed.len() + other.executed.len(), 100);
    assert_eq!(ids.len(), 100);
}

async fn no_task_runs_early_by_the_database_clock(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    db.set_sql_clock(START.plus(-60_000));
    let outcome = db.run(&[one]).await;
    let [(_, Stale::Early { until })] = outcome.stale[..] else { panic!("{outcome:?}") };
    // PostgreSQL's clock continues while the test runs.
    assert!((50_000..=60_000).contains(&until.since(START)), "{until}");
    assert_eq!(db.public(&text).await, None);
    db.set_sql_clock(START);
    assert_eq!(db.run(&[one]).await.executed.len(), 1);
}

async fn no_task_runs_early_by_the_node_clock(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START.plus(1)).await;
    db.set_sql_clock(START.plus(3_600_000));
    let outcome = db.run(&[one]).await;
    assert_eq!(outcome.stale, [(one, Stale::Early { until: START.plus(1) })]);
    assert_eq!(db.task(one.task).await.0, "scheduled");
    db.advance(1);
    assert_eq!(db.run(&[one]).await.executed.len(), 1);
}

async fn only_the_latest_version_is_executed(db: &TestDatabase) {
    let text = db.text().await;
    let old = db.publish(&text, START).await;
    let mut tx = db.tx().await;
    let to = update(START, &text.revision.0, State::Scheduled);
    let version = task::change(tx.conn(), old.task, Version(1), State::Scheduled, &to).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(version, Some(Version(2)));
    let forged = claim(old.task, 3);
    let outcome = db.run(&[old, forged]).await;
    assert_eq!(outcome.executed, []);
    assert!(outcome.stale.iter().all(|(_, stale)| *stale == Stale::Changed), "{outcome:?}");
    assert_eq!(db.run(&[claim(old.task, 2)]).await.executed.len(), 1);
}

async fn a_cancelled_task_is_never_executed(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let mut tx = db.tx().await;
    let to = update(START, &text.revision.0, State::Cancelled);
    task::change(tx.conn(), one.task, Version(1), State::Scheduled, &to).await.unwrap();
    tx.commit().await.unwrap();
    let outcome = db.run(&[one, claim(one.task, 2)]).await;
    assert_eq!(outcome.executed, []);
    assert_eq!(db.public(&text).await, None);
}

async fn a_claim_without_a_task_is_gone(db: &TestDatabase) {
    let missing = claim(TaskId::generate(), 1);
    assert_eq!(db.run(&[missing]).await.stale, [(missing, Stale::Gone)]);
    assert_eq!(db.run(&[]).await.stale, []);
}

async fn only_the_pinned_revision_is_published(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let newer = RevisionId::generate();
    let mut tx = db.tx().await;
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
    db.run(&[one]).await;
    assert_eq!(db.public(&text).await, Some((text.revision.0, START.millis())));
    let (state,): (String,) = db.one("select state from article where id = $1", text.id.0).await.unwrap();
    assert_eq!(state, "approved");
}

async fn a_replaced_article_keeps_its_publication_date(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    db.run(&[one]).await;
    let now = db.advance(3_600_000);
    let two = db.publish(&text, now).await;
    assert_eq!(db.run(&[two]).await.executed.len(), 1);
    assert_eq!(db.public(&text).await, Some((text.revision.0, START.millis())));
    let (updated,): (i64,) = db.one("select updated_at from article where id = $1", text.id.0).await.unwrap();
    assert_eq!(updated, now.millis());
}

async fn the_execution_row_has_the_stage_times_of_the_hint(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let now = db.advance(7);
    let one = Claim {
        hinted_at: Some(START.plus(-9)),
        moved_at: Some(START.plus(1)),
        popped_at: Some(START.plus(2)),
        ..one
    };
    db.run(&[one]).await;
    let row: (i32, String, i64, i64, i64, i64, i64) = db
        .one(
            "select version, node, due_at, hinted_at, moved_at, popped_at, executed_at from execution where task_id = $1",
            one.task.0,
        )
        .await
        .unwrap();
    let at = START.millis();
    assert_eq!(row, (1, "here".to_owned(), at, at - 9, at + 1, at + 2, now.millis()));
    let (detail,): (String,) =
        db.one("select detail from event where entity_id = $1", one.task.0).await.unwrap();
    let detail: serde_json::Value = serde_json::from_str(&detail).unwrap();
    assert_eq!(detail["lag_ms"], 7);
    assert_eq!(detail["due_at"], START.to_string());
    assert_eq!(detail["target_id"], text.id.to_string());
}

async fn a_thousand_articles_are_published_in_one_batch(db: &TestDatabase) {
    let texts = db.texts(1_000).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let outcome = db.run(&claims).await;
    assert_eq!((outcome.executed.len(), outcome.stale.len()), (1_000, 0));
    assert_eq!(db.count("select count(*) from execution").await, 1_000);
    assert_eq!(db.count("select count(*) from article where published_at is not null").await, 1_000);
}

async fn a_kind_of_a_newer_release_is_not_executed(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let mut tx = db.tx().await;
    sql!(tx.conn(), sqlx::query("update task set kind = 'meeting.start' where id = $1").bind(one.task.0))
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(db.run(&[one]).await.stale, [(one, Stale::UnknownKind)]);
    assert_eq!(db.task(one.task).await.0, "scheduled");
}

async fn a_failed_handler_changes_nothing(db: &TestDatabase) {
    let (good, bad) = (db.text().await, db.text().await);
    let claims = db.plan(Kind::ArticlePublish, &[good, bad], START).await;
    let handler = TestHandler { fails_for: Some(bad.id.0), ..TestHandler::default() };
    assert!(db.run_with(&claims, &handler).await.is_err());
    assert_eq!(db.public(&good).await, None);
    assert_eq!(db.count("select count(*) from event").await, 0);
    assert_eq!(db.count("select count(*) from task where state = 'scheduled' and attempts = 0").await, 2);
    assert_eq!(db.run_with(&claims[..1], &handler).await.unwrap().executed.len(), 1);
}

async fn a_concurrent_change_and_execution_have_one_winner(db: &TestDatabase) {
    for text in db.texts(20).await {
        let one = db.publish(&text, START).await;
        let to = update(START.plus(60_000), &text.revision.0, State::Scheduled);
        let change = async {
            let mut tx = db.tx().await;
            // User requests lock the target before they change the task, as the engine does.
            sql!(tx.conn(), sqlx::query("update target set title = title where id = $1").bind(text.id.0))
                .unwrap();
            let version = task::change(tx.conn(), one.task, Version(1), State::Scheduled, &to).await.unwrap();
            tx.commit().await.unwrap();
            version
        };
        let claims = [one];
        let (changed, outcome) = tokio::join!(change, db.run(&claims));
        let executed = outcome.executed.len();
        assert_eq!(executed, usize::from(changed.is_none()), "one of them, not both, not neither");
        let (state, version, _) = db.task(one.task).await;
        assert_eq!((state.as_str(), version), if executed == 1 { ("executed", 1) } else { ("scheduled", 2) });
    }
}

fn update(due_at: Timestamp, revision: &Uuid, state: State) -> TaskUpdate {
    TaskUpdate {
        state,
        due_at: due_at.millis(),
        local_time: None,
        time_zone: None,
        revision_id: Some(*revision),
        approves: false,
        resets_attempts: false,
        reason: None,
    }
}

crate::on_both!(
    a_task_hinted_three_times_is_executed_once,
    two_consumers_with_the_same_hints_execute_each_task_once,
    no_task_runs_early_by_the_database_clock,
    no_task_runs_early_by_the_node_clock,
    only_the_latest_version_is_executed,
    a_cancelled_task_is_never_executed,
    a_claim_without_a_task_is_gone,
    only_the_pinned_revision_is_published,
    a_replaced_article_keeps_its_publication_date,
    the_execution_row_has_the_stage_times_of_the_hint,
    a_thousand_articles_are_published_in_one_batch,
    a_kind_of_a_newer_release_is_not_executed,
    a_failed_handler_changes_nothing,
    a_concurrent_change_and_execution_have_one_winner,
);
