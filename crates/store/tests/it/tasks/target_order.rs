//! Several tasks of one target run in due order, and readers see only the last state.

use crate::test_database::{START, TestDatabase, TestHandler, claim};
use domain::Kind;
use store::execute::Stale;

async fn publish_and_unpublish_of_one_target_run_in_due_order(db: &TestDatabase) {
    let text = db.text().await;
    let on = db.publish(&text, START).await;
    let off = db.unpublish(&text, START.plus(1)).await;
    db.advance(1);
    let outcome = db.run(&[off, on]).await;
    let order: Vec<_> = outcome.executed.iter().map(|task| task.id).collect();
    assert_eq!(order, [on.task, off.task]);
    assert_eq!(db.public(&text).await, None);
}

async fn overdue_tasks_of_one_target_show_only_the_last_state(db: &TestDatabase) {
    let text = db.text().await;
    let on = db.publish(&text, START).await;
    let off = db.unpublish(&text, START.plus(1_000)).await;
    db.advance(1_200);
    let outcome = db.run(&[on]).await;
    let order: Vec<_> = outcome.executed.iter().map(|task| task.id).collect();
    assert_eq!(order, [on.task, off.task], "it is public at no moment");
    assert_eq!(db.run(&[off]).await.executed, []);
}

async fn unpublish_before_publish_leaves_it_public(db: &TestDatabase) {
    let text = db.text().await;
    let off = db.unpublish(&text, START.plus(-1)).await;
    let on = db.publish(&text, START).await;
    assert_eq!(db.run(&[on, off]).await.executed.len(), 2);
    assert_eq!(db.public(&text).await, Some((text.revision.0, START.millis())));
}

async fn a_later_task_waits_for_an_earlier_one_of_its_target(db: &TestDatabase) {
    let (text, other) = (db.text().await, db.text().await);
    let on = db.publish(&text, START.plus(-5)).await;
    let off = db.unpublish(&text, START).await;
    let unrelated = db.publish(&other, START).await;
    let outcome = db.run(&[off, unrelated]).await;
    assert_eq!(outcome.executed.len(), 1);
    assert_eq!(outcome.stale, [(off, Stale::AfterEarlierTask)]);
    db.run(&[on]).await;
    assert_eq!(db.run(&[off]).await.executed.len(), 1);
    assert_eq!(db.public(&text).await, None);
}

async fn a_later_task_waits_for_a_postponed_one(db: &TestDatabase) {
    let text = db.text().await;
    let on = db.publish(&text, START.plus(-5)).await;
    let off = db.unpublish(&text, START).await;
    let until = START.plus(2_000);
    let handler = TestHandler { postpone_until: Some((text.id.0, until)), ..TestHandler::default() };
    let outcome = db.run_with(&[on, off], &handler).await.unwrap();
    assert_eq!(outcome.executed, []);
    assert_eq!(outcome.stale, [(on, Stale::Early { until }), (off, Stale::AfterEarlierTask)]);
    db.advance(1_999);
    assert_eq!(db.run(&[on, off]).await.executed, []);
    db.advance(1);
    assert_eq!(db.run(&[on, off]).await.executed.len(), 2);
}

async fn a_missed_task_does_not_block_its_target(db: &TestDatabase) {
    let text = db.text().await;
    let on = db.publish(&text, START).await;
    let now = db.advance(domain::kind::DEFAULT_GRACE_MS + 1);
    let off = db.unpublish(&text, now).await;
    let outcome = db.run(&[on, off]).await;
    assert_eq!(outcome.missed, [on.task]);
    assert_eq!(outcome.executed.len(), 1);
}

async fn two_consumers_keep_the_order_of_a_target(db: &TestDatabase) {
    let texts = db.texts(20).await;
    let on = db.plan(Kind::ArticlePublish, &texts, START.plus(-1)).await;
    let off = db.plan(Kind::ArticleUnpublish, &texts, START).await;
    let (_, late) = tokio::join!(db.run(&on), db.run(&off));
    let rest: Vec<_> = late.stale.iter().map(|(one, _)| claim(one.task, 1)).collect();
    assert_eq!(late.executed.len() + db.run(&rest).await.executed.len(), 20);
    let wrong = "select count(*) from article where published_at is not null";
    assert_eq!(db.count(wrong).await, 0);
}

crate::on_both!(
    overdue_tasks_of_one_target_show_only_the_last_state,
    publish_and_unpublish_of_one_target_run_in_due_order,
    unpublish_before_publish_leaves_it_public,
    a_later_task_waits_for_an_earlier_one_of_its_target,
    a_later_task_waits_for_a_postponed_one,
    a_missed_task_does_not_block_its_target,
    two_consumers_keep_the_order_of_a_target,
);
