//! The late rule, and approvals that did not come.

use crate::memory::{Memory, START, Text, sql};
use domain::{Kind, TaskId};
use store::execute::Stale;

const GRACE: i64 = Kind::ArticlePublish.late_rule().grace;

async fn within_its_grace_a_late_task_still_happens(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    // A minute to spare: PostgreSQL's clock goes on while the test runs.
    let now = memory.advance(GRACE - 60_000);
    assert_eq!(memory.run(&[one]).await.executed.len(), 1);
    assert_eq!(memory.public(&text).await, Some((text.revision.0, now.millis())), "never back-dated");
}

async fn beyond_its_grace_a_task_is_missed(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    memory.advance(GRACE + 1);
    let outcome = memory.run(&[one]).await;
    assert_eq!((outcome.executed, outcome.missed), (vec![], vec![one.task]));
    assert_eq!(memory.task(one.task).await, ("missed".to_owned(), 1, Some("late".to_owned())));
    assert_eq!(memory.verbs(one.task.0).await, ["miss"]);
    assert_eq!(memory.public(&text).await, None);
}

async fn what_is_not_approved_never_goes_out(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    withdraw(memory, one.task).await;
    assert_eq!(memory.run(&[one]).await.stale, [(one, Stale::Unapproved)]);
    memory.advance(5_000);
    assert_eq!(memory.run(&[one]).await.missed, [one.task]);
    assert_eq!(memory.task(one.task).await.2.as_deref(), Some("not_approved"));
    assert_eq!(memory.public(&text).await, None);
}

async fn what_it_is_about_is_gone(memory: &Memory) {
    let nothing = Text { id: domain::ArticleId::fresh(), ..memory.text().await };
    let on = memory.publish(&nothing, START).await;
    let off = memory.unpublish(&nothing, START.plus(1)).await;
    memory.advance(1);
    let outcome = memory.run(&[on, off]).await;
    assert_eq!((outcome.executed.len(), outcome.failed.len()), (0, 2));
    assert_eq!(memory.task(on.task).await, ("failed".to_owned(), 1, Some("target_gone".to_owned())));
    assert_eq!(memory.verbs(on.task.0).await, ["fail"]);
    assert_eq!(memory.count("select count(*) from execution").await, 0);
}

async fn a_revision_of_another_article_never_goes_out(memory: &Memory) {
    let (text, other) = (memory.text().await, memory.text().await);
    let one = memory.publish(&Text { revision: other.revision, ..text }, START).await;
    assert_eq!(memory.run(&[one]).await.failed, [one.task]);
    assert_eq!(memory.public(&text).await, None);
}

async fn withdraw(memory: &Memory, task: TaskId) {
    let mut tx = memory.tx().await;
    sql!(tx.conn(), sqlx::query("update task set approved_version = null where id = $1").bind(task.0))
        .unwrap();
    tx.commit().await.unwrap();
}

crate::on_both!(
    within_its_grace_a_late_task_still_happens,
    beyond_its_grace_a_task_is_missed,
    what_is_not_approved_never_goes_out,
    what_it_is_about_is_gone,
    a_revision_of_another_article_never_goes_out,
);
