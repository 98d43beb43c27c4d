//! A server that took over: what it lacks of what was acknowledged is named, and messages wait.

use crate::memory::{Memory, START, sql};
use domain::Timestamp;
use std::collections::BTreeSet;
use store::{
    Who,
    event::{self, NewEvent},
    place, restore, takeover,
};
use uuid::Uuid;

const NODE: Uuid = Uuid::from_u128(7);

fn lines(count: i64) -> Vec<NewEvent> {
    let line = |place| NewEvent::plain(START.plus(place), None, "task", Uuid::now_v7(), "schedule");
    (0..count).map(line).collect()
}

async fn write(memory: &Memory, lines: &[NewEvent]) {
    for part in lines.chunks(100) {
        let mut tx = memory.tx().await;
        event::append(tx.conn(), part).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn held_since(memory: &Memory) -> Option<Timestamp> {
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    restore::held_since(lease.conn()).await.unwrap()
}

async fn last_seq(memory: &Memory) -> i64 {
    event::last_seq(memory.store.read(Who::Engine).await.unwrap().conn()).await.unwrap()
}

/// Loses all lines from a moment on, past the program.
async fn lose(memory: &Memory, from: Timestamp) {
    let mut tx = memory.tx().await;
    let lose = "delete from event where at >= $1 and verb = 'schedule'";
    sql!(tx.conn(), sqlx::query(lose).bind(from.millis())).unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_and_is_not_there_is_named_and_messages_wait() {
    let memory = Memory::postgres().await;
    let (all, now) = (lines(2_500), START.plus(60_000));
    write(&memory, &all).await;
    let mut undone = memory.tx().await;
    event::append(undone.conn(), &lines(3)).await.unwrap();
    undone.rollback().await.unwrap();
    lose(&memory, START.plus(1_200)).await;
    let before = last_seq(&memory).await;
    let gap = takeover::compare(&memory.store, "here", NODE, now).await.unwrap();
    assert_eq!((gap.lost, gap.is_more, gap.lines.len()), (1_300, false, 1_000));
    assert_eq!(gap.span, (START.millis() + 1_200, START.millis() + 2_499));
    let named: BTreeSet<Uuid> = gap.lines.iter().map(|line| line.id).collect();
    assert_eq!(named, all[1_200..2_200].iter().map(|line| line.entity_id).collect());
    assert!(gap.lines.iter().all(|line| line.verb == "schedule" && line.actor == "engine"));
    assert_eq!(held_since(&memory).await, Some(now));
    // Whoever has read the log beyond what is there must not miss what comes.
    assert!(last_seq(&memory).await > before + 1_300);
    let told = takeover::gaps(memory.store.read(Who::Engine).await.unwrap().conn(), now).await.unwrap();
    assert_eq!(told, [(now, gap)]);
    // What has been told is not told again.
    assert_eq!(takeover::compare(&memory.store, "here", NODE, now).await.unwrap().lost, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_all_is_missing_there_may_be_more_and_where_nothing_is_nothing_waits() {
    let memory = Memory::postgres().await;
    let now = START.plus(60_000);
    assert_eq!(takeover::compare(&memory.store, "here", NODE, now).await.unwrap().lost, 0);
    write(&memory, &lines(20)).await;
    let gap = takeover::compare(&memory.store, "here", NODE, now).await.unwrap();
    assert_eq!((gap.lost, gap.is_more, held_since(&memory).await), (0, false, None));
    assert!(
        takeover::gaps(memory.store.read(Who::Engine).await.unwrap().conn(), now).await.unwrap().is_empty()
    );
    let mut tx = memory.tx().await;
    sql!(tx.conn(), sqlx::query("delete from event")).unwrap();
    tx.commit().await.unwrap();
    let gap = takeover::compare(&memory.store, "here", NODE, now).await.unwrap();
    // Two lines are those of the two looks before.
    assert_eq!((gap.lost, gap.is_more), (22, true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_says_which_timeline_it_is_on() {
    let (memory, other) = (Memory::postgres().await, Memory::sqlite().await);
    let of = async |memory: &Memory| {
        takeover::timeline(memory.store.read(Who::Engine).await.unwrap().conn()).await.unwrap()
    };
    assert_eq!((of(&memory).await, of(&other).await), (Some(1), None));
    assert_eq!(place::settle(&memory.store, START, None).await.unwrap(), None);
}
