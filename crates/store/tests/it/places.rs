//! Limited kinds: at most so many at once, over all nodes, and whoever finds no room is told so.

use crate::memory::{Memory, START, Site};
use async_trait::async_trait;
use domain::{Kind, Timestamp};
use std::time::Duration;
use store::{
    StoreError, Tx, Who,
    execute::{self, Aftermath, Effects, Outcome, Stale, Taken, Terms, Verdict},
    kind_limit,
};
use tokio::sync::Notify;

const PUBLISH: &str = Kind::ArticlePublish.as_str();

fn full(outcome: &Outcome) -> usize {
    outcome.stale.iter().filter(|(_, why)| *why == Stale::Full).count()
}

async fn only_so_many_of_a_kind_are_executed_at_once(memory: &Memory) {
    let texts = memory.texts(7).await;
    let first = memory.publish(&texts[0], START.plus(-2)).await;
    let mut claims = memory.plan(Kind::ArticlePublish, &texts[1..5], START.plus(-1)).await;
    claims.push(first);
    let early = memory.publish(&texts[5], START.plus(1)).await;
    let other = memory.unpublish(&texts[6], START.plus(-1)).await;
    claims.extend([early, other]);
    let site = Site { limits: vec![(PUBLISH, 2)], ..Site::default() };
    let outcome = memory.run_with(&claims, &site).await.unwrap();
    // Two of the kind, the one that was due first among them, and what is not limited.
    assert_eq!((outcome.executed.len(), full(&outcome)), (3, 4));
    assert!(outcome.executed.iter().any(|task| task.id == first.task));
    assert!(outcome.executed.iter().any(|task| task.id == other.task));
    let rest: Vec<_> = outcome.stale.iter().map(|(claim, _)| *claim).collect();
    assert_eq!(rest.last(), Some(&early), "in the order in which they are due");
    let outcome = memory.run_with(&rest[..3], &site).await.unwrap();
    assert_eq!((outcome.executed.len(), full(&outcome)), (2, 1));
}

async fn a_limit_is_changed_only_by_who_has_seen_it(memory: &Memory) {
    let mut tx = memory.tx().await;
    assert_eq!(kind_limit::set(tx.conn(), PUBLISH, Some(3), 1).await.unwrap(), None, "there is none yet");
    assert_eq!(kind_limit::set(tx.conn(), PUBLISH, Some(3), 0).await.unwrap(), Some(1));
    assert_eq!(kind_limit::set(tx.conn(), PUBLISH, Some(4), 0).await.unwrap(), None);
    assert_eq!(kind_limit::set(tx.conn(), PUBLISH, None, 1).await.unwrap(), Some(2));
    assert_eq!(kind_limit::all(tx.conn()).await.unwrap(), [(PUBLISH.to_owned(), None, 2)]);
    tx.commit().await.unwrap();
}

crate::on_both!(only_so_many_of_a_kind_are_executed_at_once, a_limit_is_changed_only_by_who_has_seen_it);

/// Effects that take their time: they say that they began and wait until they may go on.
#[derive(Default)]
struct Slow {
    began: Notify,
    go_on: Notify,
}

#[async_trait]
impl Effects for Slow {
    fn kinds(&self) -> &'static [&'static str] {
        Kind::WORDS
    }

    async fn apply(
        &self,
        _tx: &mut Tx,
        _kind: &'static str,
        tasks: &[Taken],
        _at: Timestamp,
        _after: &mut Aftermath,
    ) -> Result<Vec<Verdict>, StoreError> {
        self.began.notify_one();
        self.go_on.notified().await;
        Ok(vec![Verdict::Done; tasks.len()])
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn places_are_shared_by_all_nodes_and_free_again_however_a_transaction_ends() {
    let memory = Memory::postgres().await;
    let texts = memory.texts(4).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let site = Site { limits: vec![(PUBLISH, 3)], ..Site::default() };
    let slow = Slow::default();
    let terms = Terms { node: "there", clock: &memory.clock, effects: &slow, limits: &site.limits };
    let meanwhile = async {
        slow.began.notified().await;
        let outcome = memory.run_with(&claims[2..], &site).await.unwrap();
        slow.go_on.notify_one();
        outcome
    };
    // Two are in the hands of another node: of three places one is left.
    let (there, here) = tokio::join!(execute::run(&memory.store, &claims[..2], terms, None), meanwhile);
    assert_eq!((there.unwrap().executed.len(), here.executed.len(), full(&here)), (2, 1, 1));
    let broken = Site { breaks: Some(texts[3].id.0), limits: vec![(PUBLISH, 1)], ..Site::default() };
    assert!(memory.run_with(&claims[3..], &broken).await.is_err());
    let again = tokio::time::timeout(Duration::from_secs(5), memory.run_with(&claims[2..], &site)).await;
    assert_eq!(again.unwrap().unwrap().executed.len(), 1);
    drop(memory.store.begin(Who::Engine).await.unwrap());
    memory.store.close().await;
}
