//! Publish or unpublish now: moves a scheduled task to now with the current text, or creates a task
//! that is due now.

use super::{
    change, schedule,
    undo_plan::ChangeDetail,
    unit::{UnitOfWork, find_idempotent_result},
};
use crate::{app_state::AppState, services::internal_error};
use domain::{Actor, ArticleId, DomainError, Kind, TaskId, task::TaskRow};
use store::{
    event::NewEvent,
    publication,
    target::Target,
    task_list::{self, TaskListRow},
};

/// Time after the execution in which the same request counts as a double click, milliseconds.
const DOUBLE_CLICK_MS: i64 = 60_000;

/// Publishes or unpublishes an article now. Returns the task; it is executed shortly after.
pub async fn publish_or_unpublish_now(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    kind: Kind,
) -> Result<TaskRow, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let target = unit.lock(article).await?;
    let waiting = unit.scheduled_task(kind, article.0).await?;
    if let Some(row) = find_duplicate_request(&mut unit, &target, kind, waiting.as_ref()).await? {
        return Ok(row);
    }
    let id = waiting.as_ref().map_or_else(TaskId::generate, |row| TaskId(row.id));
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return unit.load_task(TaskId(done)).await;
    }
    if kind == Kind::ArticleUnpublish {
        require_public(&mut unit, &target).await?;
    }
    match waiting {
        Some(row) => move_to_now(&mut unit, &row, &target, kind).await?,
        None => create_task(&mut unit, id, &target, kind).await?,
    }
    unit.commit_and_load(id).await
}

/// Returns the task that does or did what is requested, so that a double click changes nothing and
/// gets the same response. `None`: there is no such task.
async fn find_duplicate_request(
    unit: &mut UnitOfWork<'_>,
    target: &Target,
    kind: Kind,
    waiting: Option<&TaskListRow>,
) -> Result<Option<TaskRow>, DomainError> {
    let (now, is_publish) = (unit.now(), kind == Kind::ArticlePublish);
    if let Some(row) = waiting {
        let is_same = !is_publish || row.revision_id == target.revision_id;
        let is_coming = is_same && row.due_at <= now.millis();
        return is_coming.then(|| unit.present(row.clone())).transpose();
    }
    let public = publication::find(unit.tx.conn(), target.id).await.map_err(internal_error)?;
    let is_done = match kind {
        Kind::ArticlePublish => public.is_some_and(|public| Some(public.revision_id) == target.revision_id),
        Kind::ArticleUnpublish => public.is_none(),
    };
    if !is_done {
        return Ok(None);
    }
    let last = task_list::last_executed(unit.tx.conn(), target.id).await.map_err(internal_error)?;
    let since = now.plus(-DOUBLE_CLICK_MS).millis();
    let is_it =
        |row: &TaskListRow| row.kind == kind.as_str() && row.executed_at.is_some_and(|at| at >= since);
    last.filter(is_it).map(|row| unit.present(row)).transpose()
}

async fn require_public(unit: &mut UnitOfWork<'_>, target: &Target) -> Result<(), DomainError> {
    let now = unit.now();
    if publication::find(unit.tx.conn(), target.id).await.map_err(internal_error)?.is_some() {
        return Ok(());
    }
    let is_publish_due =
        task_list::is_scheduled_before(unit.tx.conn(), Kind::ArticlePublish, target.id, now).await;
    if is_publish_due.map_err(internal_error)? { Ok(()) } else { Err(DomainError::NotPublished) }
}

async fn move_to_now(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    target: &Target,
    kind: Kind,
) -> Result<(), DomainError> {
    let revision = target.revision_id.filter(|_| kind == Kind::ArticlePublish);
    if revision.is_some() {
        unit.approve(target.id).await?;
    }
    change::run_now(unit, row, revision).await
}

async fn create_task(
    unit: &mut UnitOfWork<'_>,
    id: TaskId,
    target: &Target,
    kind: Kind,
) -> Result<(), DomainError> {
    let task = schedule::new_task(unit, id, kind, target, unit.now());
    let detail = ChangeDetail {
        due_at: Some(task.due_at),
        is_at_once: true,
        was_public: publication::find(unit.tx.conn(), target.id).await.map_err(internal_error)?,
        ..ChangeDetail::default()
    };
    let event = schedule::scheduled(unit.presenter.actor, &task, unit.now());
    unit.record_events([NewEvent { detail: detail.text(), ..event }]);
    schedule::insert(unit, std::slice::from_ref(&task)).await?;
    unit.add_hint(schedule::hint_of(&task));
    Ok(())
}
