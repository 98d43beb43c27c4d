//! Many tasks changed by one statement; what has been executed.

use crate::memory::{Memory, START, sql};
use domain::{Kind, TaskId, Timestamp, Version};
use futures::future::join_all;
use serde_json::json;
use std::collections::HashSet;
use store::{
    Who,
    bulk::{self, Becomes, Stopped, Wish},
    event::{self, NewEvent},
    handled,
    together::Together,
};

fn wish(id: TaskId, seen: i32, becomes: Becomes, due_at: Timestamp) -> Wish {
    let verb = if becomes == Becomes::Cancelled { "cancel" } else { "reschedule" };
    let detail = json!({ "due_at": due_at });
    let event = NewEvent { detail: detail.to_string(), ..NewEvent::plain(START, None, "task", id.0, verb) };
    Wish { id, seen: Version(seen), becomes, due_at, local: None, zone: None, event }
}

fn moved(id: TaskId, seen: i32, due_at: Timestamp) -> Wish {
    wish(id, seen, Becomes::Scheduled, due_at)
}

async fn make(memory: &Memory, wishes: &[Wish]) -> HashSet<TaskId> {
    let mut tx = memory.store.single(Who::People).await.unwrap();
    let made = bulk::change_all(tx.conn(), wishes).await.unwrap();
    tx.commit().await.unwrap();
    made
}

async fn verbs(memory: &Memory, task: TaskId) -> Vec<String> {
    let mut lease = memory.store.read(Who::People).await.unwrap();
    event::of(lease.conn(), task.0, 9).await.unwrap().into_iter().map(|event| event.verb).collect()
}

async fn each_goes_to_its_own_moment_and_is_still_approved(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(2).await, START.plus(9_000)).await;
    let typed = Wish {
        local: Some("2027-03-01T09:00".to_owned()),
        zone: Some("Asia/Tokyo".to_owned()),
        ..moved(claims[0].task, 1, START.plus(1))
    };
    let wishes = [typed, moved(claims[1].task, 1, START.plus(5))];
    assert_eq!(make(memory, &wishes).await, claims.iter().map(|claim| claim.task).collect());
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let line = store::task_list::find(lease.conn(), claims[0].task).await.unwrap().unwrap();
    assert_eq!((line.version, line.due_at), (2, START.plus(1).millis()));
    assert_eq!([line.local.as_deref(), line.zone.as_deref()], [Some("2027-03-01T09:00"), Some("Asia/Tokyo")]);
    drop(lease);
    memory.advance(10);
    // The hints from before the move lose; those made for it win.
    assert_eq!(memory.run(&claims).await.executed.len(), 0);
    let fresh: Vec<_> = claims.iter().map(|claim| crate::memory::claim(claim.task, 2)).collect();
    assert_eq!(memory.run(&fresh).await.executed.len(), 2);
}

async fn what_is_no_longer_as_it_was_seen_is_left_alone(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(3).await, START).await;
    let [done, stale, fresh] = [claims[0].task, claims[1].task, claims[2].task];
    memory.run(&[claims[0]]).await;
    let later = START.plus(9_000);
    let wishes = [(done, 1), (stale, 7), (TaskId::fresh(), 1), (fresh, 1)];
    let wishes = wishes.map(|(task, seen)| moved(task, seen, later));
    assert_eq!(make(memory, &wishes).await, HashSet::from([fresh]));
    let wishes = [done, stale, fresh].map(|task| wish(task, 1, Becomes::Cancelled, later));
    assert_eq!(make(memory, &wishes).await, HashSet::from([stale]));
    let state = async |task| memory.task(task).await.0;
    assert_eq!(
        [state(done).await, state(stale).await, state(fresh).await],
        ["executed", "cancelled", "scheduled"]
    );
    // Only what happened is in the log.
    assert_eq!(verbs(memory, done).await.last().unwrap(), "execute");
    assert_eq!(verbs(memory, stale).await.last().unwrap(), "cancel");
    assert_eq!(verbs(memory, fresh).await.last().unwrap(), "reschedule");
}

async fn what_was_missed_is_tried_from_the_beginning(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(3).await, START).await;
    let [missed, waiting, done] = [claims[0].task, claims[1].task, claims[2].task];
    memory.run(&[claims[2]]).await;
    let miss = "update task set state = 'missed', reason = 'late', attempts = 3, strikes = 4, approved_version = null where id = $1";
    let mut tx = memory.tx().await;
    assert_eq!(sql!(tx.conn(), sqlx::query(miss).bind(missed.0)).unwrap(), 1);
    tx.commit().await.unwrap();
    let again = |stopped| [missed, waiting, done].map(|task| wish(task, 1, Becomes::Again(stopped), START));
    assert_eq!(make(memory, &again(Stopped::Failed)).await, HashSet::new());
    assert_eq!(make(memory, &again(Stopped::Missed)).await, HashSet::from([missed]));
    assert_eq!(memory.task(missed).await, ("scheduled".to_owned(), 2, None));
    let left: (i32, i32) =
        memory.one("select attempts, strikes from task where id = $1", missed.0).await.unwrap();
    assert_eq!(left, (0, 0));
    // Approved by who wanted it so: it goes out.
    assert_eq!(memory.run(&[crate::memory::claim(missed, 2)]).await.executed.len(), 1);
}

async fn changes_made_at_the_same_time_are_made_once_each(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(9).await, START.plus(9_000)).await;
    let together = Together::default();
    let ask = |wish| together.change(&memory.store, wish);
    // Each is moved by one and cancelled by another one, and one of the two is first.
    let wishes = claims.iter().flat_map(|claim| {
        let later = START.plus(20_000);
        [moved(claim.task, 1, later), wish(claim.task, 1, Becomes::Cancelled, later)]
    });
    let answers: Vec<bool> =
        join_all(wishes.map(ask)).await.into_iter().map(|answer| answer.unwrap()).collect();
    for (claim, answers) in claims.iter().zip(answers.chunks(2)) {
        assert_eq!(answers, [true, false], "one of two, the first one");
        assert_eq!(verbs(memory, claim.task).await.last().unwrap(), "reschedule");
        assert_eq!(memory.task(claim.task).await.1, 2);
    }
}

async fn nobody_is_waited_for(memory: &Memory) {
    let claims = memory.plan(Kind::ArticlePublish, &memory.texts(2).await, START.plus(9_000)).await;
    if matches!(memory.store, store::Store::Sqlite { .. }) {
        // One writer: nobody else has anything in hand.
        return;
    }
    let mut other = memory.tx().await;
    let held = wish(claims[0].task, 1, Becomes::Cancelled, START.plus(9_000));
    assert_eq!(bulk::change_all(other.conn(), &[held]).await.unwrap().len(), 1);
    let wishes = [0, 1].map(|place| moved(claims[place].task, 1, START.plus(1)));
    assert_eq!(make(memory, &wishes).await, HashSet::from([claims[1].task]));
    other.rollback().await.unwrap();
    assert_eq!(make(memory, &wishes).await, HashSet::from([claims[0].task]));
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
    what_was_missed_is_tried_from_the_beginning,
    changes_made_at_the_same_time_are_made_once_each,
    nobody_is_waited_for,
    what_was_executed_is_told_oldest_first_and_by_kind,
);
