//! Run now: moves a scheduled task to now with the current revision, or creates a task that is due
//! now.

use super::{change, schedule};
use crate::tasks::unit_of_work::{UnitOfWork, find_idempotent_result};
use crate::{
    app_state::AppState,
    kinds::{self, TaskKind, undo_plan::ChangeDetail},
    services::internal_error,
};
use domain::{
    Actor, DomainError, Kind, TaskId,
    task::{RevisionChoice, TaskRow},
};
use store::{
    event::NewEvent,
    target::Target,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Time after the execution in which the same request counts as a double click, milliseconds.
const DOUBLE_CLICK_MS: i64 = 60_000;

/// Executes a kind on a target now, with the chosen revision. Returns the task; it is executed shortly
/// after.
pub async fn run_now(
    parts: &AppState,
    actor: &Actor,
    (target, word): (Uuid, Kind),
    choice: Option<RevisionChoice>,
) -> Result<TaskRow, DomainError> {
    let kind = kinds::find(word.as_str()).ok_or_else(|| DomainError::no_such("kind"))?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let target = unit.lock(kind, target).await?;
    let target = Target { revision_id: unit.choose(kind, &target, choice).await?, ..target };
    let waiting = unit.scheduled_task(kind, target.id).await?;
    if let Some(row) = find_duplicate_request(&mut unit, &target, kind, waiting.as_ref()).await? {
        return Ok(row);
    }
    let id = waiting.as_ref().map_or_else(TaskId::generate, |row| TaskId(row.id));
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return unit.load_task(TaskId(done)).await;
    }
    let due_at = unit.now();
    unit.check(kind, &target, due_at).await?;
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
    kind: &dyn TaskKind,
    waiting: Option<&TaskListRow>,
) -> Result<Option<TaskRow>, DomainError> {
    let now = unit.now();
    if let Some(row) = waiting {
        let is_same = !kind.pins_revision() || row.revision_id == target.revision_id;
        let is_coming = is_same && row.due_at <= now.millis();
        return is_coming.then(|| unit.present(row.clone())).transpose();
    }
    if !kind.is_done(&mut unit.tx, target).await.map_err(internal_error)? {
        return Ok(None);
    }
    let last = task_list::last_executed(unit.tx.conn(), target.id).await.map_err(internal_error)?;
    let since = now.plus(-DOUBLE_CLICK_MS).millis();
    let is_it = |row: &TaskListRow| row.kind == kind.word() && row.executed_at.is_some_and(|at| at >= since);
    last.filter(is_it).map(|row| unit.present(row)).transpose()
}

async fn move_to_now(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    target: &Target,
    kind: &dyn TaskKind,
) -> Result<(), DomainError> {
    let revision = target.revision_id.filter(|_| kind.pins_revision());
    if revision.is_some() {
        unit.approve(kind, target.id).await?;
    }
    change::run_now(unit, row, revision).await
}

async fn create_task(
    unit: &mut UnitOfWork<'_>,
    id: TaskId,
    target: &Target,
    kind: &dyn TaskKind,
) -> Result<(), DomainError> {
    let task = schedule::new_task(unit, id, kind, target, unit.now());
    let detail = ChangeDetail {
        due_at: Some(task.due_at),
        is_at_once: true,
        was_state: kind.state_before(&mut unit.tx, target.id).await.map_err(internal_error)?,
        ..ChangeDetail::default()
    };
    let event = schedule::scheduled(unit.presenter.actor, &task, unit.now());
    unit.record_events([NewEvent { detail: detail.text(), ..event }]);
    schedule::insert(unit, std::slice::from_ref(&task)).await?;
    unit.add_hint(task.hint());
    Ok(())
}
