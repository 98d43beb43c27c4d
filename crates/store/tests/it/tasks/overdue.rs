//! Queries of overdue tasks for sweeper and pages; the pause switch; retention.

use crate::test_database::{START, TestDatabase, Text, sql};
use domain::{AccountId, ArticleId, Kind, TaskId, Timestamp};
use store::{PoolRole, attention, dashboard, overdue, pause, retention};

async fn overdue_tasks_are_paged_oldest_first(db: &TestDatabase) {
    let texts = db.texts(5).await;
    let mut expected: Vec<TaskId> = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        expected.push(db.publish(text, START.plus(-100 + place as i64)).await.task);
    }
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let before = START.plus(-96);
    let one = overdue::page(lease.conn(), domain::Kind::NAMES, (None, before), START, 3).await.unwrap();
    let two = overdue::page(lease.conn(), domain::Kind::NAMES, (one.next, before), START, 3).await.unwrap();
    let found: Vec<TaskId> = one.claims.iter().chain(&two.claims).map(|claim| claim.task).collect();
    assert_eq!(found, expected[..4], "the fifth is not older than the horizon");
    assert_eq!(two.next, None);
}

async fn a_page_leaves_out_tasks_that_may_not_run(db: &TestDatabase) {
    let texts = db.texts(3).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let mut tx = db.tx().await;
    sql!(
        tx.conn(),
        sqlx::query("update task set kind = 'meeting.start' where id = $1").bind(claims[0].task.0)
    )
    .unwrap();
    sql!(
        tx.conn(),
        sqlx::query("update task set not_before = $2 where id = $1")
            .bind(claims[1].task.0)
            .bind(START.plus(9).millis())
    )
    .unwrap();
    tx.commit().await.unwrap();
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let page =
        overdue::page(lease.conn(), domain::Kind::NAMES, (None, START.plus(1)), START, 100).await.unwrap();
    assert_eq!(page.claims.iter().map(|claim| claim.task).collect::<Vec<_>>(), [claims[2].task]);
    // They take no place of a page.
    let page =
        overdue::page(lease.conn(), domain::Kind::NAMES, (None, START.plus(1)), START, 1).await.unwrap();
    assert_eq!((page.claims[0].task, page.next), (claims[2].task, Some((START, claims[2].task))));
}

async fn the_health_snapshot_counts_what_needs_a_person(db: &TestDatabase) {
    let texts = db.texts(4).await;
    let nothing = Text { id: ArticleId::generate(), ..texts[0] };
    db.plan(Kind::ArticlePublish, &texts, START.plus(-6_000)).await;
    let dead = db.publish(&nothing, START.plus(-6_000)).await;
    db.run(&[dead]).await;
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let snapshot = overdue::health_snapshot(lease.conn(), START.plus(-5_000), START).await.unwrap();
    assert_eq!((snapshot.overdue, snapshot.attention, snapshot.pause), (4, 5, None));
}

async fn the_attention_count_equals_the_page(db: &TestDatabase) {
    let nothing = db.text().await;
    let missing = [(); 3].map(|()| Text { id: ArticleId::generate(), ..nothing });
    for text in &missing {
        let gone = db.publish(text, START.plus(-6_000)).await;
        db.run(&[gone]).await;
    }
    // A newer task replaces the first, and the last one is overdue.
    db.publish(&missing[0], START.plus(60_000)).await;
    db.publish(&nothing, START.plus(-6_000)).await;
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let shown = dashboard::attention(lease.conn(), START, 1, None).await.unwrap();
    assert_eq!(shown.iter().map(|group| group.total).collect::<Vec<_>>(), [2, 1], "{shown:?}");
    assert_eq!(dashboard::counts(lease.conn(), START, ("", None)).await.unwrap().attention, 3);
    assert_eq!(attention::attention_count(lease.conn(), START).await.unwrap(), 3);
    let snapshot = overdue::health_snapshot(lease.conn(), START.plus(-dashboard::OVERDUE_AFTER_MS), START)
        .await
        .unwrap();
    assert_eq!(snapshot.attention, 3);
}

/// Inserts an account named Ada.
async fn ada(db: &TestDatabase) -> AccountId {
    let (id, mut tx) = (AccountId::generate(), db.tx().await);
    sql!(
        tx.conn(),
        sqlx::query(
            "insert into account (id, email, name, role, time_zone, language, created_at)
             values ($1, 'ada@example.org', 'Ada', 'admin', 'UTC', 'en', 0)"
        )
        .bind(id.0)
    )
    .unwrap();
    tx.commit().await.unwrap();
    id
}

async fn a_pause_is_stored_and_ends_once(db: &TestDatabase) {
    let ada = ada(db).await;
    let state = async |now: Timestamp| {
        let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
        let found = pause::find(lease.conn(), now).await.unwrap();
        let snapshot = overdue::health_snapshot(lease.conn(), now, now).await.unwrap();
        let stored = found.as_ref().map(|pause| Timestamp::from_millis(pause.paused_at));
        assert_eq!(snapshot.pause.map(|pause| pause.since), stored);
        (found.map(|pause| (pause.name, pause.ends_at)), snapshot.has_expired_pause)
    };
    let mut tx = db.tx().await;
    assert!(!pause::end(tx.conn()).await.unwrap());
    assert!(pause::begin(tx.conn(), ada, START, None).await.unwrap());
    assert!(!pause::begin(tx.conn(), ada, START, Some(START.plus(9))).await.unwrap(), "it is paused already");
    assert!(!pause::end_expired(tx.conn(), Timestamp::LATEST).await.unwrap(), "it has no end");
    tx.commit().await.unwrap();
    assert_eq!(state(START.plus(9)).await, (Some(("Ada".to_owned(), None)), false));
    let (mut tx, end) = (db.tx().await, START.plus(1_000));
    assert!(pause::end(tx.conn()).await.unwrap());
    assert!(pause::begin(tx.conn(), ada, START, Some(end)).await.unwrap());
    assert!(!pause::end_expired(tx.conn(), end.plus(-1)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(state(end.plus(-1)).await, (Some(("Ada".to_owned(), Some(end.millis()))), false));
    assert_eq!(state(end).await, (None, true));
    let mut tx = db.tx().await;
    assert!(pause::end_expired(tx.conn(), end).await.unwrap());
    assert!(!pause::end_expired(tx.conn(), end).await.unwrap(), "another node has ended it");
    tx.commit().await.unwrap();
    assert_eq!(state(end).await, (None, false));
}

async fn old_idempotency_keys_are_deleted(db: &TestDatabase) {
    let now = START;
    let mut tx = db.tx().await;
    for (key, age) in [("old", 25), ("young", 23)] {
        sql!(tx.conn(), sqlx::query(
            "insert into idempotency (account_id, key, fingerprint, result_id, created_at) values ($1, $2, 'f', $1, $3)")
            .bind(TaskId::generate().0).bind(key).bind(now.millis() - age * 3_600_000))
        .unwrap();
        sql!(
            tx.conn(),
            sqlx::query(
                "insert into invitation (token_hash, purpose, email, name, role, expires_at)
             values ($1, 'invite', 'a@b', 'A', 'creator', $2)"
            )
            .bind(key)
            .bind(
                now.millis() + (24 - age) * 3_600_000
                    - if key == "old" { 30 * 24 * 3_600_000 } else { 2 * 3_600_000 }
            )
        )
        .unwrap();
    }
    assert_eq!(retention::delete_expired(tx.conn(), now).await.unwrap(), 2);
    tx.commit().await.unwrap();
    assert_eq!(db.count("select count(*) from idempotency where key = 'young'").await, 1);
    assert_eq!(db.count("select count(*) from invitation where token_hash = 'young'").await, 1);
}

crate::on_both!(
    overdue_tasks_are_paged_oldest_first,
    a_page_leaves_out_tasks_that_may_not_run,
    the_health_snapshot_counts_what_needs_a_person,
    the_attention_count_equals_the_page,
    a_pause_is_stored_and_ends_once,
    old_idempotency_keys_are_deleted,
);
