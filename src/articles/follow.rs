//! A scheduled publication follows what is saved, on desks that neither pin always nor review texts.
//! Releases pin revisions of their own: a save never changes them.

use super::ArticleService;
use crate::{
    kinds::{self, article_words::PUBLISH, undo_plan::ChangeDetail},
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, to_update},
};
use domain::{AccountId, Actor, ArticleId, DomainError, Timestamp};
use store::{Tx, review_settings, target, task::TaskUpdate, task_list::TaskListRow};

/// Maximum number of attempts while others change the task at the same moment.
const MAX_ATTEMPTS: u32 = 3;

/// Commits an autosave.
pub async fn commit(service: &ArticleService, tx: Tx) -> Result<(), DomainError> {
    tx.commit().await.map_err(write_error(&service.parts))?;
    service.parts.committed.notify_waiters();
    Ok(())
}

/// Commits a save that a person or a client asked for: in the same transaction, the scheduled publication
/// takes the revision with this number.
pub async fn commit_save(
    service: &ArticleService,
    actor: &Actor,
    mut tx: Tx,
    (article, number): (ArticleId, i32),
) -> Result<(), DomainError> {
    let settings = review_settings::find(tx.conn()).await.map_err(internal_error)?;
    if !settings.follows_saves() {
        return commit(service, tx).await;
    }
    let mut unit = UnitOfWork::of_tx(&service.parts, actor, tx).await?;
    follow(&mut unit, article, number).await?;
    unit.commit().await
}

/// Lets the scheduled publication take the current revision. A save is never refused for its sake: what
/// cannot be published keeps the revision it has.
async fn follow(unit: &mut UnitOfWork<'_>, article: ArticleId, number: i32) -> Result<(), DomainError> {
    for _ in 0..MAX_ATTEMPTS {
        if try_follow(unit, article, number).await? {
            break;
        }
    }
    Ok(())
}

/// Returns `false` if the task was changed since it was read: by the engine, or by a new time.
async fn try_follow(unit: &mut UnitOfWork<'_>, article: ArticleId, number: i32) -> Result<bool, DomainError> {
    let Some(kind) = kinds::find(PUBLISH) else { return Ok(true) };
    let Some(row) = unit.scheduled_task(kind, article.0).await? else { return Ok(true) };
    if !may_follow(unit, &row) {
        return Ok(true);
    }
    let targets = target::lock(unit.tx.conn(), &[article.0]).await.map_err(internal_error)?;
    let Some(target) = targets.into_iter().next() else { return Ok(true) };
    let chosen = TaskListRow { revision_id: target.revision_id, ..row.clone() };
    let refused = kind.check_again(unit.tx.conn(), &[&chosen]).await.map_err(internal_error)?;
    if !refused.is_empty() {
        return Ok(true);
    }
    match unit.check(kind, &target, Timestamp::from_millis(row.due_at)).await {
        // The text lacks what the checklist requires.
        Err(DomainError::Review { .. }) => return Ok(true),
        other => other?,
    }
    unit.approve(kind, target.id).await?;
    let to = TaskUpdate { revision_id: target.revision_id, approves: true, ..to_update(&row)? };
    let detail = ChangeDetail { revision: Some(number), ..ChangeDetail::before(&row) };
    match unit.change(&row, "replace_revision", &to, detail.text()).await {
        Err(DomainError::TaskConflict { .. }) => Ok(false),
        other => other.map(|()| true),
    }
}

/// Whether the task has another revision than the current one, is not due, waits for no approval, and
/// the actor may change it.
fn may_follow(unit: &UnitOfWork<'_>, row: &TaskListRow) -> bool {
    row.has_newer_revision
        && !row.needs_approval
        && row.due_at > unit.now().millis()
        && unit.presenter.actor.may_change(AccountId(row.owner_id))
}
