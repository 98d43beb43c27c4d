//! Several tasks of one target: in due order, and readers see only the last state.

use crate::memory::{Memory, START, Site, claim};
use domain::Kind;
use store::execute::Stale;

async fn publish_and_unpublish_of_one_target_happen_in_due_order(memory: &Memory) {
    let text = memory.text().await;
    let on = memory.publish(&text, START).await;
    let off = memory.unpublish(&text, START.plus(1)).await;
    memory.advance(1);
    let outcome = memory.run(&[off, on]).await;
    let order: Vec<_> = outcome.executed.iter().map(|task| task.id).collect();
    assert_eq!(order, [on.task, off.task]);
    assert_eq!(memory.public(&text).await, None);
}

async fn what_is_overdue_together_shows_only_its_last_state_whatever_hints_came(memory: &Memory) {
    let text = memory.text().await;
    let on = memory.publish(&text, START).await;
    let off = memory.unpublish(&text, START.plus(1_000)).await;
    memory.advance(1_200);
    let outcome = memory.run(&[on]).await;
    let order: Vec<_> = outcome.executed.iter().map(|task| task.id).collect();
    assert_eq!(order, [on.task, off.task], "nobody sees it public for a moment");
    assert_eq!(memory.run(&[off]).await.executed, []);
}

async fn unpublish_before_publish_leaves_it_public(memory: &Memory) {
    let text = memory.text().await;
    let off = memory.unpublish(&text, START.plus(-1)).await;
    let on = memory.publish(&text, START).await;
    assert_eq!(memory.run(&[on, off]).await.executed.len(), 2);
    assert_eq!(memory.public(&text).await, Some((text.revision.0, START.millis())));
}

async fn a_later_task_waits_for_an_earlier_one_of_its_target(memory: &Memory) {
    let (text, other) = (memory.text().await, memory.text().await);
    let on = memory.publish(&text, START.plus(-5)).await;
    let off = memory.unpublish(&text, START).await;
    let unrelated = memory.publish(&other, START).await;
    let outcome = memory.run(&[off, unrelated]).await;
    assert_eq!(outcome.executed.len(), 1);
    assert_eq!(outcome.stale, [(off, Stale::Waits)]);
    memory.run(&[on]).await;
    assert_eq!(memory.run(&[off]).await.executed.len(), 1);
    assert_eq!(memory.public(&text).await, None);
}

async fn a_later_task_waits_for_one_that_was_put_off(memory: &Memory) {
    let text = memory.text().await;
    let on = memory.publish(&text, START.plus(-5)).await;
    let off = memory.unpublish(&text, START).await;
    let until = START.plus(2_000);
    let site = Site { later: Some((text.id.0, until)), ..Site::default() };
    let outcome = memory.run_with(&[on, off], &site).await.unwrap();
    assert_eq!(outcome.executed, []);
    assert_eq!(outcome.stale, [(on, Stale::Early { until }), (off, Stale::Waits)]);
    memory.advance(1_999);
    assert_eq!(memory.run(&[on, off]).await.executed, []);
    memory.advance(1);
    assert_eq!(memory.run(&[on, off]).await.executed.len(), 2);
}

async fn a_missed_task_no_longer_holds_up_its_target(memory: &Memory) {
    let text = memory.text().await;
    let on = memory.publish(&text, START).await;
    let now = memory.advance(Kind::ArticlePublish.late_rule().grace + 1);
    let off = memory.unpublish(&text, now).await;
    let outcome = memory.run(&[on, off]).await;
    assert_eq!(outcome.missed, [on.task]);
    assert_eq!(outcome.executed.len(), 1);
}

async fn two_consumers_keep_the_order_of_a_target(memory: &Memory) {
    let texts = memory.texts(20).await;
    let on = memory.plan(Kind::ArticlePublish, &texts, START.plus(-1)).await;
    let off = memory.plan(Kind::ArticleUnpublish, &texts, START).await;
    let (_, late) = tokio::join!(memory.run(&on), memory.run(&off));
    let rest: Vec<_> = late.stale.iter().map(|(one, _)| claim(one.task, 1)).collect();
    assert_eq!(late.executed.len() + memory.run(&rest).await.executed.len(), 20);
    let wrong = "select count(*) from article where published_at is not null";
    assert_eq!(memory.count(wrong).await, 0);
}

crate::on_both!(
    what_is_overdue_together_shows_only_its_last_state_whatever_hints_came,
    publish_and_unpublish_of_one_target_happen_in_due_order,
    unpublish_before_publish_leaves_it_public,
    a_later_task_waits_for_an_earlier_one_of_its_target,
    a_later_task_waits_for_one_that_was_put_off,
    a_missed_task_no_longer_holds_up_its_target,
    two_consumers_keep_the_order_of_a_target,
);
