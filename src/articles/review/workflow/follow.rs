//! Reviews follow the tasks that publish their texts.

use super::{change, replaced, submit};
use crate::{
    articles::review::{
        content::{self, CheckedRevision},
        notify::Change,
    },
    server::app_state::AppState,
    services::{Presenter, internal_error, write_error},
    tasks::unit::UnitOfWork,
};
use domain::{
    Actor, ArticleId, DomainError, Kind, State, TaskId, Timestamp,
    review::workflow::{ReviewSettings, ReviewState, Workflow},
    task::TaskRow,
};
use serde_json::json;
use store::{
    Conn, PoolRole, approval,
    article_review::{self, ReviewRow},
    review_settings,
    revision::{self, RevisionRecord},
    task_list::{self, TaskListRow},
};

/// Submits the text that a new task publishes, and lets the deadline of its review follow the task.
/// An error is only logged: the task waits for its approval, and the author can submit the text.
/// Returns whether its text is reviewed.
pub async fn follow_schedule(parts: &AppState, actor: &Actor, task: &TaskRow) -> bool {
    if task.kind != Kind::ArticlePublish || task.state != State::Scheduled {
        return false;
    }
    match follow(parts, actor, ArticleId(task.target_id)).await {
        Ok(is_reviewed) => is_reviewed,
        Err(error) => {
            tracing::warn!(task = %task.id, "the text of a task was not submitted for review: {error}");
            false
        }
    }
}

/// Does what [`follow_schedule`] does, and returns the task as it is then.
pub async fn followed(parts: &AppState, actor: &Actor, task: TaskRow) -> TaskRow {
    if !follow_schedule(parts, actor, &task).await {
        return task;
    }
    match reload(parts, actor, task.id).await {
        Ok(Some(reloaded)) => reloaded,
        Ok(None) => task,
        Err(error) => {
            tracing::warn!(task = %task.id, "a task is returned as it was before its review: {error}");
            task
        }
    }
}

/// Does what [`followed`] does for tasks that were created together.
pub async fn follow_new(parts: &AppState, actor: &Actor, tasks: Vec<TaskRow>) -> Vec<TaskRow> {
    if !is_reviewing(parts).await {
        return tasks;
    }
    let mut done = Vec::with_capacity(tasks.len());
    for task in tasks {
        done.push(followed(parts, actor, task).await);
    }
    done
}

/// Whether the desk reviews texts. An error counts as no: the tasks wait for their approval.
async fn is_reviewing(parts: &AppState) -> bool {
    let settings = async {
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        review_settings::find(lease.conn()).await.map_err(internal_error)
    };
    settings.await.is_ok_and(|settings| settings.workflow != Workflow::None)
}

async fn reload(parts: &AppState, actor: &Actor, id: TaskId) -> Result<Option<TaskRow>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = task_list::find(lease.conn(), id).await.map_err(internal_error)?;
    Ok(row.and_then(|row| presenter.task(row)))
}

/// Lets the deadlines of reviews follow tasks that were rescheduled together, see
/// [`follow_schedule`].
pub async fn follow_schedules(parts: &AppState, actor: &Actor, tasks: &[&TaskListRow]) {
    if !is_reviewing(parts).await {
        return;
    }
    for task in tasks.iter().filter(|task| task.kind == Kind::ArticlePublish.as_str()) {
        if let Err(error) = follow(parts, actor, ArticleId(task.target_id)).await {
            tracing::warn!(task = %task.id, "the deadline of a review did not follow its task: {error}");
        }
    }
}

/// Returns whether the text of the article is reviewed.
async fn follow(parts: &AppState, actor: &Actor, id: ArticleId) -> Result<bool, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    if settings.workflow == Workflow::None {
        // It may have been submitted before the workflow was switched off.
        return Ok(article_review::find(lease.conn(), id).await.map_err(internal_error)?.is_some());
    }
    let Some((text, due)) = pinned(lease.conn(), id).await? else { return Ok(true) };
    // The idempotency key belongs to the task.
    let actor = Actor { idempotency: None, ..actor.clone() };
    replaced::dismiss(parts, &actor, id).await?;
    let checked =
        content::check_in_time((&actor).into(), lease.conn(), submit::reviewed(&text)).await?;
    let approved = approval::of_revisions(lease.conn(), &[text.id]).await.map_err(internal_error)?;
    drop(lease);
    if approved.iter().any(|one| one.hash == checked.hash) {
        return Ok(true);
    }
    let mut unit = UnitOfWork::begin(parts, &actor).await?;
    let (_, review) = change::lock(&mut unit, id).await?;
    let Some(review) = review else {
        submit::put(&mut unit, &settings, (id, text.number), (None, checked)).await?;
        unit.commit().await?;
        return Ok(true);
    };
    let state = review.state().map_err(internal_error)?;
    match (review.revision_id == text.id, state) {
        (true, ReviewState::Submitted) => follow_due(unit, &settings, &review, due).await?,
        (true, ReviewState::Held) if due > unit.now() => {
            resubmit(unit, &settings, (review, checked), (text.number, due)).await?;
        }
        (true, _) => {}
        // A newer text waits for a reviewer: the task takes it when it is approved.
        (false, _) if state.is_open() && review.revision > text.number => {}
        (false, _) => {
            submit::put(&mut unit, &settings, (id, text.number), (Some(review), checked)).await?;
            unit.commit().await?;
        }
    }
    Ok(true)
}

/// Makes the deadline of a review follow the time of the publication.
async fn follow_due(
    mut unit: UnitOfWork<'_>,
    settings: &ReviewSettings,
    review: &ReviewRow,
    due: Timestamp,
) -> Result<(), DomainError> {
    let zone = submit::desk_zone(&mut unit).await?;
    let deadline = settings.deadline_at(review.submitted_at.into(), Some(due), &zone);
    let deadline = deadline.map(|at| at.max(unit.now()));
    if deadline.map(Timestamp::millis) == review.deadline_at {
        return Ok(());
    }
    let stored = article_review::set_deadline(unit.tx.conn(), review.id, deadline).await;
    stored.map_err(write_error(unit.parts))?;
    change::follow_deadline(&mut unit, review.id, deadline).await?;
    unit.commit().await
}

/// Submits a held text again, because it is scheduled again. A text with blocked words stays held.
async fn resubmit(
    mut unit: UnitOfWork<'_>,
    settings: &ReviewSettings,
    (held, checked): (ReviewRow, CheckedRevision),
    (number, due): (i32, Timestamp),
) -> Result<(), DomainError> {
    let article = ArticleId(held.article_id);
    match settings.workflow.submitted(checked.found.verdict) {
        ReviewState::Held => return Ok(()),
        ReviewState::Submitted => {}
        _ => {
            submit::put(&mut unit, settings, (article, number), (Some(held), checked)).await?;
            return unit.commit().await;
        }
    }
    let (now, zone) = (unit.now(), submit::desk_zone(&mut unit).await?);
    let deadline = settings.deadline_at(now, Some(due), &zone);
    let decision = settings.deadline.decision;
    let stored = article_review::resubmit(unit.tx.conn(), held.id, (deadline, decision), now).await;
    stored.map_err(write_error(unit.parts))?;
    let detail = json!({"state": ReviewState::Submitted, "deadline_at": deadline});
    change::record(&mut unit, held.article_id, "submit", (held.revision, &detail));
    change::notify(&mut unit, &held, Change::Submitted).await?;
    change::follow_deadline(&mut unit, held.id, deadline).await?;
    unit.commit().await
}

/// The text that a scheduled task publishes, and when.
async fn pinned(
    mut conn: Conn<'_>,
    id: ArticleId,
) -> Result<Option<(RevisionRecord, Timestamp)>, DomainError> {
    let tasks = task_list::waiting_of_targets(conn.reborrow(), &[id.0]).await.map_err(internal_error)?;
    let Some(task) = tasks.into_iter().find(|task| task.revision_id.is_some()) else { return Ok(None) };
    let Some(revision) = task.revision_id else { return Ok(None) };
    let text = revision::find(conn, revision).await.map_err(internal_error)?;
    Ok(text.map(|text| (text, task.due_at.into())))
}
