//! Many tasks changed by one statement; what has been executed.

use crate::memory::{Memory, START};
use domain::{Kind, TaskId, Version};
use store::{Who, bulk, handled};

async fn each_goes_to_its_own_moment_and_is_still_approved(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(2).await, START.plus(9_000)).await;
    let wishes = [(claims[0].task, Version(1), START.plus(1)), (claims[1].task, Version(1), START.plus(5))];
    let mut tx = memory.tx().await;
    let mut moved = bulk::move_all(tx.conn(), &wishes).await.unwrap();
    tx.commit().await.unwrap();
    moved.sort_by_key(|(.., due_at)| *due_at);
    assert_eq!(moved, wishes.map(|(task, _, due_at)| (task, Version(2), due_at)));
    memory.advance(10);
    // The hints from before the move lose; those made for it win.
    assert_eq!(memory.run(&claims).await.executed.len(), 0);
    let fresh: Vec<_> = claims.iter().map(|claim| crate::memory::claim(claim.task, 2)).collect();
    assert_eq!(memory.run(&fresh).await.executed.len(), 2);
}

async fn what_is_no_longer_as_it_was_seen_is_left_alone(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(3).await, START).await;
    let [done, stale, fresh] = [claims[0], claims[1], claims[2]];
    memory.run(&[done]).await;
    let later = START.plus(9_000);
    let wish = |task: TaskId, version| (task, Version(version), later);
    let mut tx = memory.tx().await;
    let wishes = [wish(done.task, 1), wish(stale.task, 7), wish(TaskId::fresh(), 1), wish(fresh.task, 1)];
    assert_eq!(bulk::move_all(tx.conn(), &wishes).await.unwrap(), [(fresh.task, Version(2), later)]);
    let seen = [(done.task, Version(1)), (stale.task, Version(1)), (fresh.task, Version(1))];
    assert_eq!(bulk::cancel_all(tx.conn(), &seen).await.unwrap(), [(stale.task, Version(2))]);
    tx.commit().await.unwrap();
    let state = async |task| memory.task(task).await.0;
    assert_eq!(
        [state(done.task).await, state(stale.task).await, state(fresh.task).await],
        ["executed", "cancelled", "scheduled"]
    );
}

async fn what_was_executed_is_told_oldest_first_and_by_kind(memory: &Memory) {
    let texts = memory.texts(2).await;
    let second = memory.publish(&texts[0], START.plus(2)).await;
    let first = memory.publish(&texts[1], START.plus(1)).await;
    memory.advance(10);
    memory.run(&[second, first]).await;
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let told = handled::targets(lease.conn(), Kind::ArticlePublish.as_str()).await.unwrap();
    assert_eq!(told, [texts[1].id.0, texts[0].id.0]);
    assert!(handled::targets(lease.conn(), "article.unpublish").await.unwrap().is_empty());
}

crate::on_both!(
    each_goes_to_its_own_moment_and_is_still_approved,
    what_is_no_longer_as_it_was_seen_is_left_alone,
    what_was_executed_is_told_oldest_first_and_by_kind,
);
