//! An article is removed from the public site.

use super::{ARTICLE, public_state, revert, verdicts};
use crate::kinds::{
    article_words::{PUBLISH, UNPUBLISH},
    task_kind::{Planned, Reversal, TaskKind},
};
use async_trait::async_trait;
use domain::{ArticleId, DomainError, Kind, KindClass, Timestamp};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
    publication, publish,
    target::Target,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// The kind `article.unpublish`.
pub struct Unpublish;

#[async_trait]
impl TaskKind for Unpublish {
    fn word(&self) -> &'static str {
        UNPUBLISH
    }

    fn class(&self) -> KindClass {
        KindClass::Content
    }

    fn target_kind(&self) -> &'static str {
        ARTICLE
    }

    fn unique_key(&self, target: Uuid) -> Option<String> {
        Some(format!("unpublish:{target}"))
    }

    fn run_now_verb(&self) -> &'static str {
        "unpublish"
    }

    /// Refuses articles that will not be public at that time: they are not public, and neither a
    /// scheduled task nor this request publishes them before.
    async fn check(&self, tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let articles: Vec<Uuid> =
            request.iter().filter(|one| one.kind == Kind::ArticleUnpublish).map(|one| one.target).collect();
        let public: HashSet<Uuid> = publication::public(tx.conn(), &articles).await?.into_iter().collect();
        let scheduled = task_list::waiting_of_targets(tx.conn(), &articles).await?;
        let requested = request.iter().filter(|one| one.kind == Kind::ArticlePublish);
        let scheduled = scheduled.iter().filter(|row| row.kind == PUBLISH);
        let mut published_at = HashMap::new();
        for (target, due_at) in requested
            .map(|one| (one.target, one.due_at.millis()))
            .chain(scheduled.map(|row| (row.target_id, row.due_at)))
        {
            let first = published_at.entry(target).or_insert(due_at);
            *first = due_at.min(*first);
        }
        let refused = |one: &Planned| {
            one.kind == Kind::ArticleUnpublish
                && !public.contains(&one.target)
                && published_at.get(&one.target).is_none_or(|at| *at > one.due_at.millis())
        };
        let places = request.iter().enumerate().filter(|(_, one)| refused(one));
        Ok(places.map(|(place, _)| (place, DomainError::NotPublished)).collect())
    }

    /// *Dead* if the article is gone; an article that is not public counts as done.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let articles: Vec<_> = tasks.iter().map(|task| ArticleId(task.target_id)).collect();
        let put = publish::unpublish(tx.conn(), &articles, at).await?;
        Ok(verdicts(tasks, &put, "unpublish", at, after))
    }

    async fn is_done(&self, tx: &mut Tx, target: &Target) -> Result<bool, StoreError> {
        Ok(publication::find(tx.conn(), target.id).await?.is_none())
    }

    async fn state_before(&self, tx: &mut Tx, target: Uuid) -> Result<Option<Value>, StoreError> {
        public_state(tx, target).await
    }

    async fn undo(
        &self,
        tx: &mut Tx,
        task: &TaskListRow,
        before: Option<&Value>,
    ) -> Result<Option<Reversal>, StoreError> {
        revert(tx, task, before).await
    }
}
