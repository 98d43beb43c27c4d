//! What happens when a task is due: one strategy a file.
//!
//! A strategy gets the tasks of its kind that the compare-and-set has taken, no two of one target, and does what they say in
//! the same transaction: effect, mark, execution row and log line become true together or not at all.

mod article;
mod canary;

use async_trait::async_trait;
use domain::{Kind, Timestamp};
use store::{
    StoreError, Tx,
    execute::{Aftermath, Effects, Taken, Verdict},
};

/// What is executed: all that people schedule, and the canary.
const KINDS: &[&str] = &[Kind::ArticlePublish.as_str(), Kind::ArticleUnpublish.as_str(), store::canary::KIND];

/// All strategies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kinds;

#[async_trait]
impl Effects for Kinds {
    fn kinds(&self) -> &'static [&'static str] {
        KINDS
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[Taken],
        at: Timestamp,
        after: &mut Aftermath,
    ) -> Result<Vec<Verdict>, StoreError> {
        if kind == store::canary::KIND {
            return canary::sing(tx, tasks, at).await;
        }
        match kind.parse() {
            Ok(Kind::ArticlePublish) => article::publish(tx, tasks, at, after).await,
            Ok(Kind::ArticleUnpublish) => article::unpublish(tx, tasks, at, after).await,
            Err(odd) => Err(StoreError::Corrupt(format!("kind of a task: {odd}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_executed() {
        assert!(Kind::WORDS.iter().all(|kind| KINDS.contains(kind)));
    }
}
