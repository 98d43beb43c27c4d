//! Task handlers: what happens when a task is due. One file for each target type.
//!
//! A handler receives the claimed tasks of its kind, no two of the same target. It applies them in
//! the transaction of the claim: effect, state, execution record and event are committed together
//! or not at all.

mod article;
mod canary;

use async_trait::async_trait;
use domain::{Kind, Timestamp};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
};

/// TaskKinds that are executed: all that users schedule, and the canary.
const KINDS: &[&str] = &[Kind::ArticlePublish.as_str(), Kind::ArticleUnpublish.as_str(), store::canary::KIND];

/// All handlers.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskKinds;

#[async_trait]
impl TaskHandler for TaskKinds {
    fn kinds(&self) -> &'static [&'static str] {
        KINDS
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if kind == store::canary::KIND {
            return canary::execute(tx, tasks, at).await;
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
        assert!(Kind::NAMES.iter().all(|kind| KINDS.contains(kind)));
    }
}
