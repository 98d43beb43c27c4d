//! Limits of kinds, across all nodes: how many run at once, and how many start in a second. Tasks above a limit are
//! reported.

use crate::test_database::{START, TestDatabase, TestHandler};
use async_trait::async_trait;
use domain::{
    Kind, Timestamp,
    kind::KindValues,
    rate::{Rate, RatePeriod},
};
use std::time::Duration;
use store::{
    PoolRole, StoreError, Tx,
    execute::{
        self, ClaimedTask, ExecutionContext, Limit, Outcome, SideEffects, Stale, TaskHandler, Verdict,
    },
    kind_limit::{self, KindLimitRow},
};
use tokio::sync::Notify;

const PUBLISH: &str = Kind::ArticlePublish.as_str();

/// The limit of a kind that publishes at most `most` at the same time.
fn at_once(most: u16) -> Vec<Limit> {
    vec![Limit { kind: PUBLISH, max_concurrency: Some(most), rate: None }]
}

/// A handler for a kind with a rate.
fn with_rate(max: i32) -> TestHandler {
    let limit = Limit { kind: PUBLISH, max_concurrency: None, rate: Some(Rate::stored(max, "second")) };
    TestHandler { limits: vec![limit], ..TestHandler::default() }
}

async fn set(db: &TestDatabase, values: &KindValues, seen: i32) -> Option<i32> {
    let mut tx = db.tx().await;
    let version = kind_limit::set(tx.conn(), PUBLISH, values, seen).await.unwrap();
    tx.commit().await.unwrap();
    version
}

fn full(outcome: &Outcome) -> usize {
    outcome.stale.iter().filter(|(_, why)| *why == Stale::ConcurrencyLimit).count()
}

async fn a_limited_kind_runs_only_up_to_its_limit(db: &TestDatabase) {
    let texts = db.texts(7).await;
    let first = db.publish(&texts[0], START.plus(-2)).await;
    let mut claims = db.plan(Kind::ArticlePublish, &texts[1..5], START.plus(-1)).await;
    claims.push(first);
    let early = db.publish(&texts[5], START.plus(1)).await;
    let other = db.unpublish(&texts[6], START.plus(-1)).await;
    claims.extend([early, other]);
    let handler = TestHandler { limits: at_once(2), ..TestHandler::default() };
    let outcome = db.run_with(&claims, &handler).await.unwrap();
    // Two of the kind, among them the one due first, and the unlimited task.
    assert_eq!((outcome.executed.len(), full(&outcome)), (3, 4));
    assert!(outcome.executed.iter().any(|task| task.id == first.task));
    assert!(outcome.executed.iter().any(|task| task.id == other.task));
    let rest: Vec<_> = outcome.stale.iter().map(|(claim, _)| *claim).collect();
    assert_eq!(rest.last(), Some(&early), "in the order in which they are due");
    let outcome = db.run_with(&rest[..3], &handler).await.unwrap();
    assert_eq!((outcome.executed.len(), full(&outcome)), (2, 1));
}

async fn a_limit_is_changed_only_with_its_current_version(db: &TestDatabase) {
    let most = |max_concurrency| KindValues { max_concurrency: Some(max_concurrency), ..KindValues::UNSET };
    assert_eq!(set(db, &most(3), 1).await, None, "there is none yet");
    assert_eq!(set(db, &most(3), 0).await, Some(1));
    assert_eq!(set(db, &most(4), 0).await, None);
    let values = KindValues {
        grace_ms: Some(90_000),
        rate: Some(30),
        rate_per: RatePeriod::Minute,
        retry_schedule: Some("5s, 1m".parse().unwrap()),
        ..KindValues::UNSET
    };
    assert_eq!(set(db, &values, 1).await, Some(2));
    let row = KindLimitRow {
        kind: PUBLISH.to_owned(),
        max_concurrency: None,
        grace_ms: Some(90_000),
        rate: Some(30),
        rate_per: "minute".to_owned(),
        retry_schedule: Some("5s, 1m".to_owned()),
        version: 2,
    };
    let mut tx = db.tx().await;
    assert_eq!(kind_limit::all(tx.conn()).await.unwrap(), std::slice::from_ref(&row));
    tx.commit().await.unwrap();
    assert_eq!(row.values(), values);
}

async fn tasks_above_the_rate_of_their_kind_have_turns(db: &TestDatabase) {
    set(db, &KindValues { rate: Some(2), ..KindValues::UNSET }, 0).await;
    let texts = db.texts(5).await;
    let claims = db.plan(Kind::ArticlePublish, &texts[..4], START.plus(-1)).await;
    let other = db.unpublish(&texts[4], START.plus(-1)).await;
    let slow = with_rate(2);
    let outcome = db.run_with(&[claims.as_slice(), &[other]].concat(), &slow).await.unwrap();
    assert_eq!(outcome.executed.len(), 2, "one of the kind, and the task of another kind");
    let mut turns: Vec<_> = outcome
        .stale
        .iter()
        .map(|(_, why)| match why {
            Stale::RateLimit { until } => until.since(START),
            other => panic!("{other:?}"),
        })
        .collect();
    turns.sort_unstable();
    assert_eq!(turns, [500, 1_000, 1_500]);
    // No hint brings a task before its turn.
    assert!(db.run_with(&claims, &slow).await.unwrap().executed.is_empty());
    db.advance(500);
    assert_eq!(db.run_with(&claims, &slow).await.unwrap().executed.len(), 1);
    // A higher rate concerns those that wait, too.
    set(db, &KindValues { rate: Some(1_000), ..KindValues::UNSET }, 1).await;
    let mut tx = db.tx().await;
    kind_limit::release_turns(tx.conn(), PUBLISH, START.plus(500)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(db.run_with(&claims, &with_rate(1_000)).await.unwrap().executed.len(), 2);
}

async fn a_node_that_does_not_know_yet_that_a_rate_was_removed_gives_no_turns(db: &TestDatabase) {
    set(db, &KindValues { rate: Some(1), ..KindValues::UNSET }, 0).await;
    set(db, &KindValues::UNSET, 1).await;
    let texts = db.texts(3).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START.plus(-1)).await;
    assert_eq!(db.run_with(&claims, &with_rate(1)).await.unwrap().executed.len(), 3);
}

crate::on_both!(
    a_limited_kind_runs_only_up_to_its_limit,
    a_limit_is_changed_only_with_its_current_version,
    tasks_above_the_rate_of_their_kind_have_turns,
    a_node_that_does_not_know_yet_that_a_rate_was_removed_gives_no_turns,
);

/// A slow handler: reports that it began and waits until it may continue.
#[derive(Default)]
struct Slow {
    began: Notify,
    go_on: Notify,
}

#[async_trait]
impl TaskHandler for Slow {
    fn kinds(&self) -> &'static [&'static str] {
        Kind::NAMES
    }

    async fn apply(
        &self,
        _tx: &mut Tx,
        _kind: &'static str,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        _after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        self.began.notify_one();
        self.go_on.notified().await;
        Ok(vec![Verdict::Done; tasks.len()])
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slots_are_shared_by_all_nodes_and_freed_after_each_transaction() {
    let db = TestDatabase::postgres().await;
    let texts = db.texts(4).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let handler = TestHandler { limits: at_once(3), ..TestHandler::default() };
    let slow = Slow::default();
    let terms = ExecutionContext { node: "there", clock: &db.clock, handler: &slow, limits: &handler.limits };
    let meanwhile = async {
        slow.began.notified().await;
        let outcome = db.run_with(&claims[2..], &handler).await.unwrap();
        slow.go_on.notify_one();
        outcome
    };
    // Two are in flight at another node: of three slots one is left.
    let (there, here) = tokio::join!(execute::run(&db.store, &claims[..2], terms, None), meanwhile);
    assert_eq!((there.unwrap().executed.len(), here.executed.len(), full(&here)), (2, 1, 1));
    let broken = TestHandler { fails_for: Some(texts[3].id.0), limits: at_once(1), ..TestHandler::default() };
    assert!(db.run_with(&claims[3..], &broken).await.is_err());
    let again = tokio::time::timeout(Duration::from_secs(5), db.run_with(&claims[2..], &handler)).await;
    assert_eq!(again.unwrap().unwrap().executed.len(), 1);
    drop(db.store.begin(PoolRole::Engine).await.unwrap());
    db.store.close().await;
}
