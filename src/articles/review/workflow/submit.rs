//! Submits texts for review: by their authors, or because they are scheduled.

use super::change;
use crate::{
    articles::review::{
        content::{self, CheckedRevision},
        notify::Change,
    },
    server::app_state::AppState,
    services::{internal_error, write_error},
    tasks::unit::UnitOfWork,
    zone::Zone,
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Timestamp,
    review::workflow::{ReviewProblem, ReviewSettings, ReviewState, Workflow},
};
use serde_json::json;
use store::{
    PoolRole,
    approval::{self, RevisionText},
    article::{self, ArticleRecord},
    article_review::{self, NewReview, ReviewRow},
    review_settings,
    revision::{self, RevisionRecord},
    setting,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Submits the current revision of an article.
pub async fn submit(parts: &AppState, actor: &Actor, id: ArticleId, seen: i32) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !actor.may_change(AccountId(article.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    if settings.workflow == Workflow::None {
        return Err(ReviewProblem::NoWorkflow.into());
    }
    let text = revision::find(lease.conn(), article.revision_id).await.map_err(internal_error)?;
    let text = text.ok_or_else(|| DomainError::no_such("revision"))?;
    if text.number != seen {
        return Err(newer(text));
    }
    let checked = content::check_in_time(actor.into(), lease.conn(), reviewed(&text)).await?;
    drop(lease);
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let (_, review) = change::lock(&mut unit, id).await?;
    let current = article::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    if current.as_ref().map(|current: &ArticleRecord| current.revision_id) != Some(text.id) {
        return Err(conflict(&mut unit, id).await?);
    }
    if is_submitted(review.as_ref(), &checked)? {
        return Ok(());
    }
    put(&mut unit, &settings, (id, text.number), (review, checked)).await?;
    unit.commit().await
}

/// What is reviewed of a revision.
pub fn reviewed(text: &RevisionRecord) -> RevisionText {
    let (title, body) = (text.title.clone(), text.body.clone());
    RevisionText { id: text.id, title, body, details: text.details.clone() }
}

async fn conflict(unit: &mut UnitOfWork<'_>, id: ArticleId) -> Result<DomainError, DomainError> {
    let current = article::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let current = current.ok_or_else(|| DomainError::no_such("article"))?;
    let text = revision::find(unit.tx.conn(), current.revision_id).await.map_err(internal_error)?;
    let text = text.ok_or_else(|| DomainError::no_such("revision"))?;
    Ok(newer(text))
}

/// The refusal of a revision that is not the current one, which is this.
fn newer(text: RevisionRecord) -> DomainError {
    let RevisionRecord { number, title, body, .. } = text;
    DomainError::TextConflict { revision: number, title, body, has_text: false }
}

/// Whether the text is under review or approved already, and not held.
fn is_submitted(review: Option<&ReviewRow>, checked: &CheckedRevision) -> Result<bool, DomainError> {
    let Some(review) = review.filter(|review| review.revision_id == checked.id) else { return Ok(false) };
    let state = review.state().map_err(internal_error)?;
    Ok(matches!(state, ReviewState::Submitted | ReviewState::Approved) && review.hash == checked.hash)
}

/// Puts a text under review, and approves it if no reviewer is needed. Article and review are locked.
pub async fn put(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    (article, number): (ArticleId, i32),
    (before, checked): (Option<ReviewRow>, CheckedRevision),
) -> Result<(), DomainError> {
    let (now, failed) = (unit.now(), write_error(unit.parts));
    let state = settings.workflow.submitted(checked.found.verdict);
    let planned = planned(unit, article, checked.id).await?;
    let zone = desk_zone(unit).await?;
    let deadline = settings.deadline_at(now, planned, &zone).filter(|_| state == ReviewState::Submitted);
    let new = NewReview {
        id: before.map_or_else(Uuid::now_v7, |review| review.id),
        article,
        revision_id: checked.id,
        revision: number,
        hash: checked.hash,
        state,
        by: unit.presenter.actor.account,
        deadline_at: deadline,
        decision: settings.deadline.decision,
        found: content::stored(&checked.found).map_err(&failed)?,
    };
    let (review, _) = article_review::put(unit.tx.conn(), &new, now).await.map_err(&failed)?;
    let terms = content::named(checked.found.hits.iter());
    let detail =
        json!({"state": state, "verdict": checked.found.verdict, "terms": terms, "deadline_at": deadline});
    change::record(unit, article.0, "submit", (number, &detail));
    if state == ReviewState::Approved {
        approval::approve(unit.tx.conn(), &[review], now).await.map_err(&failed)?;
        change::release(unit, checked.id).await?;
    } else {
        approval::withdraw(unit.tx.conn(), &[checked.id]).await.map_err(&failed)?;
        approval::suspend(unit.tx.conn(), article.0, checked.id).await.map_err(&failed)?;
        let stored = article_review::find(unit.tx.conn(), article).await.map_err(&failed)?;
        if let Some(stored) = stored {
            change::notify(unit, &stored, Change::Submitted).await?;
        }
    }
    change::follow_deadline(unit, review, deadline).await
}

/// The zone of the desk: its working hours are in it.
pub async fn desk_zone(unit: &mut UnitOfWork<'_>) -> Result<Zone, DomainError> {
    let site = setting::site_settings(unit.tx.conn()).await.map_err(internal_error)?;
    Ok(Zone::stored(&site.zone))
}

/// When a task publishes the revision, or one that waits for an approval takes it.
async fn planned(
    unit: &mut UnitOfWork<'_>,
    article: ArticleId,
    revision: Uuid,
) -> Result<Option<Timestamp>, DomainError> {
    let tasks = task_list::waiting_of_targets(unit.tx.conn(), &[article.0]).await.map_err(internal_error)?;
    let is_its = |task: &TaskListRow| task.revision_id == Some(revision) || task.needs_approval;
    let due = tasks.into_iter().filter(is_its).map(|task| task.due_at);
    Ok(due.min().map(Timestamp::from_millis))
}
