//! Changes of many tasks in one statement; targets of executed tasks.

use crate::test_database::{START, TestDatabase, sql};
use domain::{Kind, TaskId, Timestamp, Version};
use futures::future::join_all;
use serde_json::json;
use std::collections::HashSet;
use store::{
    PoolRole, bench,
    bulk::{self, FailedState, Transition, TransitionRequest},
    event::{self, NewEvent},
    group_commit::GroupCommit,
};

fn request(id: TaskId, seen: i32, transition: Transition, due_at: Timestamp) -> TransitionRequest {
    let verb = if transition == Transition::Cancelled { "cancel" } else { "reschedule" };
    let detail = json!({ "due_at": due_at });
    let event = NewEvent { detail: detail.to_string(), ..NewEvent::simple(START, None, "task", id.0, verb) };
    TransitionRequest {
        id,
        seen: Version(seen),
        transition,
        due_at,
        local_time: None,
        time_zone: None,
        reason: None,
        event,
    }
}

fn moved(id: TaskId, seen: i32, due_at: Timestamp) -> TransitionRequest {
    request(id, seen, Transition::Scheduled, due_at)
}

async fn make(db: &TestDatabase, requests: &[TransitionRequest]) -> HashSet<TaskId> {
    let mut tx = db.store.begin_single(PoolRole::Web).await.unwrap();
    let made = bulk::change_all(tx.conn(), requests).await.unwrap();
    tx.commit().await.unwrap();
    made
}

async fn verbs(db: &TestDatabase, task: TaskId) -> Vec<String> {
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    event::history(lease.conn(), task.0, 9).await.unwrap().into_iter().map(|event| event.verb).collect()
}

async fn each_task_gets_its_own_due_time_and_stays_approved(db: &TestDatabase) {
    let claims = db.plan(Kind::ArticlePublish, &db.texts(2).await, START.plus(9_000)).await;
    let typed = TransitionRequest {
        local_time: Some("2027-03-01T09:00".to_owned()),
        time_zone: Some("Asia/Tokyo".to_owned()),
        ..moved(claims[0].task, 1, START.plus(1))
    };
    let requests = [typed, moved(claims[1].task, 1, START.plus(5))];
    assert_eq!(make(db, &requests).await, claims.iter().map(|claim| claim.task).collect());
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let line = store::task_list::find(lease.conn(), claims[0].task).await.unwrap().unwrap();
    assert_eq!((line.version, line.due_at), (2, START.plus(1).millis()));
    assert_eq!(
        [line.local_time.as_deref(), line.time_zone.as_deref()],
        [Some("2027-03-01T09:00"), Some("Asia/Tokyo")]
    );
    drop(lease);
    db.advance(10);
    // Hints with the old version are refused; those with the new one are accepted.
    assert_eq!(db.run(&claims).await.executed.len(), 0);
    let fresh: Vec<_> = claims.iter().map(|claim| crate::test_database::claim(claim.task, 2)).collect();
    assert_eq!(db.run(&fresh).await.executed.len(), 2);
}

async fn a_task_with_an_old_version_is_not_changed(db: &TestDatabase) {
    let claims = db.plan(Kind::ArticlePublish, &db.texts(3).await, START).await;
    let [done, stale, fresh] = [claims[0].task, claims[1].task, claims[2].task];
    db.run(&[claims[0]]).await;
    let later = START.plus(9_000);
    let requests = [(done, 1), (stale, 7), (TaskId::generate(), 1), (fresh, 1)];
    let requests = requests.map(|(task, seen)| moved(task, seen, later));
    assert_eq!(make(db, &requests).await, HashSet::from([fresh]));
    let requests = [done, stale, fresh].map(|task| request(task, 1, Transition::Cancelled, later));
    assert_eq!(make(db, &requests).await, HashSet::from([stale]));
    let state = async |task| db.task(task).await.0;
    assert_eq!(
        [state(done).await, state(stale).await, state(fresh).await],
        ["executed", "cancelled", "scheduled"]
    );
    // Only successful changes are in the log.
    assert_eq!(verbs(db, done).await.last().unwrap(), "execute");
    assert_eq!(verbs(db, stale).await.last().unwrap(), "cancel");
    assert_eq!(verbs(db, fresh).await.last().unwrap(), "reschedule");
}

async fn a_missed_task_is_retried_from_the_start(db: &TestDatabase) {
    let claims = db.plan(Kind::ArticlePublish, &db.texts(3).await, START).await;
    let [missed, waiting, done] = [claims[0].task, claims[1].task, claims[2].task];
    db.run(&[claims[2]]).await;
    let miss = "update task set state = 'missed', reason = 'late', attempts = 3, crash_count = 4, approved_version = null where id = $1";
    let mut tx = db.tx().await;
    assert_eq!(sql!(tx.conn(), sqlx::query(miss).bind(missed.0)).unwrap(), 1);
    tx.commit().await.unwrap();
    let again = |stopped| {
        [missed, waiting, done].map(|task| request(task, 1, Transition::Reschedule(stopped), START))
    };
    assert_eq!(make(db, &again(FailedState::Failed)).await, HashSet::new());
    assert_eq!(make(db, &again(FailedState::Missed)).await, HashSet::from([missed]));
    assert_eq!(db.task(missed).await, ("scheduled".to_owned(), 2, None));
    let left: (i32, i32) =
        db.one("select attempts, crash_count from task where id = $1", missed.0).await.unwrap();
    assert_eq!(left, (0, 0));
    // Approved by the account that requested it: it is published.
    assert_eq!(db.run(&[crate::test_database::claim(missed, 2)]).await.executed.len(), 1);
}

async fn concurrent_changes_have_one_winner(db: &TestDatabase) {
    let claims = db.plan(Kind::ArticlePublish, &db.texts(9).await, START.plus(9_000)).await;
    let together = GroupCommit::default();
    let change = |request| together.change(&db.store, request);
    // Each task is rescheduled by one client and cancelled by another; the first one wins.
    let requests = claims.iter().flat_map(|claim| {
        let later = START.plus(20_000);
        [moved(claim.task, 1, later), request(claim.task, 1, Transition::Cancelled, later)]
    });
    let answers: Vec<bool> =
        join_all(requests.map(change)).await.into_iter().map(|answer| answer.unwrap()).collect();
    for (claim, answers) in claims.iter().zip(answers.chunks(2)) {
        assert_eq!(answers, [true, false], "one of two, the first one");
        assert_eq!(verbs(db, claim.task).await.last().unwrap(), "reschedule");
        assert_eq!(db.task(claim.task).await.1, 2);
    }
}

async fn locked_tasks_are_skipped(db: &TestDatabase) {
    let claims = db.plan(Kind::ArticlePublish, &db.texts(2).await, START.plus(9_000)).await;
    if matches!(db.store, store::Store::Sqlite { .. }) {
        // SQLite has one writer: no other transaction holds a lock.
        return;
    }
    let mut other = db.tx().await;
    let held = request(claims[0].task, 1, Transition::Cancelled, START.plus(9_000));
    assert_eq!(bulk::change_all(other.conn(), &[held]).await.unwrap().len(), 1);
    let requests = [0, 1].map(|place| moved(claims[place].task, 1, START.plus(1)));
    assert_eq!(make(db, &requests).await, HashSet::from([claims[1].task]));
    other.rollback().await.unwrap();
    assert_eq!(make(db, &requests).await, HashSet::from([claims[0].task]));
}

async fn executed_targets_are_listed_by_kind_oldest_first(db: &TestDatabase) {
    let texts = db.texts(2).await;
    let second = db.publish(&texts[0], START.plus(2)).await;
    let first = db.publish(&texts[1], START.plus(1)).await;
    db.advance(10);
    db.run(&[second, first]).await;
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let targets = bench::executed_targets(lease.conn(), Kind::ArticlePublish.as_str()).await.unwrap();
    assert_eq!(targets, [texts[1].id.0, texts[0].id.0]);
    assert!(bench::executed_targets(lease.conn(), "article.unpublish").await.unwrap().is_empty());
}

crate::on_both!(
    each_task_gets_its_own_due_time_and_stays_approved,
    a_task_with_an_old_version_is_not_changed,
    a_missed_task_is_retried_from_the_start,
    concurrent_changes_have_one_winner,
    locked_tasks_are_skipped,
    executed_targets_are_listed_by_kind_oldest_first,
);
