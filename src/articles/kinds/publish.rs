//! The pinned revision of an article becomes public, or replaces the public one.

use super::{ARTICLE, public_state, revert, verdicts};
use crate::{
    articles::review::{checklist, notify, pinned, publishing},
    kinds::{
        article_words::PUBLISH,
        task_kind::{Followers, MovedBy, Pin, Planned, Reversal, TaskKind},
    },
};
use async_trait::async_trait;
use domain::{
    ArticleId, DomainError, KindClass, RevisionId, Timestamp, review::workflow::ReviewProblem, task::reason,
};
use serde_json::Value;
use std::collections::HashSet;
use store::{
    Conn, StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    publication, publish,
    target::Target,
    task_list::TaskListRow,
};
use uuid::Uuid;

/// The kind `article.publish`.
pub struct Publish;

#[async_trait]
impl TaskKind for Publish {
    fn word(&self) -> &'static str {
        PUBLISH
    }

    fn class(&self) -> KindClass {
        KindClass::Content
    }

    fn target_kind(&self) -> &'static str {
        ARTICLE
    }

    fn unique_key(&self, target: Uuid) -> Option<String> {
        Some(format!("publish:{target}"))
    }

    fn pins_revision(&self) -> bool {
        true
    }

    /// Refuses a text that lacks what the desk requires.
    async fn check(&self, tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
        checklist::refused(tx, request).await
    }

    /// Refuses to publish an older text over a newer public one, and one that is not approved.
    async fn check_again(
        &self,
        mut conn: Conn<'_>,
        tasks: &[&TaskListRow],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let revisions: Vec<Uuid> = tasks.iter().filter_map(|task| task.revision_id).collect();
        let older = publish::older_than_public(conn.reborrow(), &revisions).await?;
        let unapproved = publishing::unapproved(conn, &revisions).await?;
        let refused = tasks.iter().enumerate().filter_map(|(place, task)| match task.revision_id? {
            revision if older.contains(&revision) => Some((place, DomainError::OlderText)),
            revision if unapproved.contains(&revision) => {
                Some((place, ReviewProblem::NotApproved { planned: None }.into()))
            }
            _ => None,
        });
        Ok(refused.collect())
    }

    async fn choose(
        &self,
        conn: Conn<'_>,
        pins: &[Pin],
    ) -> Result<Vec<Result<Option<Uuid>, DomainError>>, StoreError> {
        pinned::choose(conn, pins).await
    }

    async fn newest_approved(
        &self,
        conn: Conn<'_>,
        target: Uuid,
        pinned: Option<Uuid>,
    ) -> Result<Option<Uuid>, StoreError> {
        pinned::newest_from(conn, target, pinned).await
    }

    async fn refusal(&self, conn: Conn<'_>, task: &TaskListRow) -> Result<Option<&'static str>, StoreError> {
        let pinned: Vec<Uuid> = task.revision_id.into_iter().collect();
        Ok(publishing::refusals(conn, &pinned).await?.into_values().next())
    }

    /// Owner and reviewers are notified once that the text is held.
    async fn missed(
        &self,
        tx: &mut Tx,
        targets: &[Uuid],
        at: Timestamp,
    ) -> Result<Vec<NewEvent>, StoreError> {
        notify::announce_held(tx, targets, at).await
    }

    async fn approve(&self, conn: Conn<'_>, targets: &[Uuid]) -> Result<(), StoreError> {
        publication::approve(conn, targets).await
    }

    /// *Dead* if the article or the revision is gone, a newer text is public, or the review holds the
    /// text. Where texts are reviewed, the first statement publishes none.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let pinned: Vec<_> =
            tasks.iter().filter_map(|task| Some((ArticleId(task.target_id), task.revision_id?))).collect();
        let mut put = publish::publish(tx.conn(), &pinned, at, false).await?;
        let done: HashSet<Uuid> = put.iter().map(|put| put.id).collect();
        let left: Vec<(ArticleId, RevisionId)> =
            pinned.into_iter().filter(|(article, _)| !done.contains(&article.0)).collect();
        let reviewed = publishing::review(tx, &left, at).await?;
        if !reviewed.allowed.is_empty() {
            put.extend(publish::publish(tx.conn(), &reviewed.allowed, at, true).await?);
        }
        after.log.extend(reviewed.events);
        let mut verdicts = verdicts(tasks, &put, "publish", at, after);
        let older = publish::older_than_public(tx.conn(), &dead_revisions(tasks, &verdicts)).await?;
        for (task, verdict) in tasks.iter().zip(&mut verdicts) {
            let (Verdict::Dead(why), Some(revision)) = (verdict, task.revision_id) else { continue };
            if let Some(&held) = reviewed.held.get(&task.target_id) {
                *why = held;
                continue;
            }
            if older.contains(&revision.0) {
                *why = reason::OLDER_TEXT;
            }
        }
        Ok(verdicts)
    }

    async fn is_done(&self, tx: &mut Tx, target: &Target) -> Result<bool, StoreError> {
        let public = publication::find(tx.conn(), target.id).await?;
        Ok(public.is_some_and(|public| Some(public.revision_id) == target.revision_id))
    }

    async fn state_before(&self, tx: &mut Tx, target: Uuid) -> Result<Option<Value>, StoreError> {
        public_state(tx, target).await
    }

    fn has_followers(&self) -> bool {
        true
    }

    /// Reminders about articles.
    async fn follow(&self, tx: &mut Tx, targets: &[Uuid], by: MovedBy) -> Result<Followers, StoreError> {
        crate::reminders::article::follow(tx, targets, by).await
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

/// The revisions of the tasks that cannot be executed.
fn dead_revisions(tasks: &[ClaimedTask], verdicts: &[Verdict]) -> Vec<Uuid> {
    let dead = tasks.iter().zip(verdicts).filter(|(_, verdict)| matches!(verdict, Verdict::Dead(_)));
    dead.filter_map(|(task, _)| Some(task.revision_id?.0)).collect()
}
