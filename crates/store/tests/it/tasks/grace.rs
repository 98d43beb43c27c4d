//! The grace period of late tasks, and missing approvals.

use crate::test_database::{START, TestDatabase, Text, sql};
use domain::TaskId;
use store::execute::Stale;

const GRACE: i64 = domain::kind::DEFAULT_GRACE_MS;

async fn a_late_task_within_its_grace_is_executed(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    // A minute of margin: PostgreSQL's clock continues while the test runs.
    let now = db.advance(GRACE - 60_000);
    assert_eq!(db.run(&[one]).await.executed.len(), 1);
    assert_eq!(db.public(&text).await, Some((text.revision.0, now.millis())), "never back-dated");
}

async fn a_task_beyond_its_grace_is_missed(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    db.advance(GRACE + 1);
    let outcome = db.run(&[one]).await;
    assert_eq!((outcome.executed, outcome.missed), (vec![], vec![one.task]));
    assert_eq!(db.task(one.task).await, ("missed".to_owned(), 1, Some("late".to_owned())));
    assert_eq!(db.verbs(one.task.0).await, ["miss"]);
    assert_eq!(db.public(&text).await, None);
}

async fn an_unapproved_task_is_never_executed(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    withdraw(db, one.task).await;
    assert_eq!(db.run(&[one]).await.stale, [(one, Stale::Unapproved)]);
    db.advance(5_000);
    assert_eq!(db.run(&[one]).await.missed, [one.task]);
    assert_eq!(db.task(one.task).await.2.as_deref(), Some("not_approved"));
    assert_eq!(db.public(&text).await, None);
}

async fn a_task_without_its_target_fails(db: &TestDatabase) {
    let nothing = Text { id: domain::ArticleId::generate(), ..db.text().await };
    let on = db.publish(&nothing, START).await;
    let off = db.unpublish(&nothing, START.plus(1)).await;
    db.advance(1);
    let outcome = db.run(&[on, off]).await;
    assert_eq!((outcome.executed.len(), outcome.failed.len()), (0, 2));
    assert_eq!(db.task(on.task).await, ("failed".to_owned(), 1, Some("target_gone".to_owned())));
    assert_eq!(db.verbs(on.task.0).await, ["fail"]);
    assert_eq!(db.count("select count(*) from execution").await, 0);
}

async fn a_revision_of_another_article_is_never_published(db: &TestDatabase) {
    let (text, other) = (db.text().await, db.text().await);
    let one = db.publish(&Text { revision: other.revision, ..text }, START).await;
    assert_eq!(db.run(&[one]).await.failed, [one.task]);
    assert_eq!(db.public(&text).await, None);
}

async fn withdraw(db: &TestDatabase, task: TaskId) {
    let mut tx = db.tx().await;
    sql!(tx.conn(), sqlx::query("update task set approved_version = null where id = $1").bind(task.0))
        .unwrap();
    tx.commit().await.unwrap();
}

crate::on_both!(
    a_late_task_within_its_grace_is_executed,
    a_task_beyond_its_grace_is_missed,
    an_unapproved_task_is_never_executed,
    a_task_without_its_target_fails,
    a_revision_of_another_article_is_never_published,
);
