//! Undo: reverts the last change of a task while its previous due time lies ahead. An undo cannot
//! be undone.
//!
//! An executed task is reverted by a new task that is executed in the same transaction. So the
//! records stay correct: every executed task has its row and its effect, and the state *executed*
//! is final.

use super::{decide, schedule};
use crate::tasks::unit_of_work::{UnitOfWork, kind_of, parsed, to_update};
use crate::{
    kinds::{
        self, Reversal, TaskKind,
        undo_plan::{ChangeDetail, UndoKind, UndoPlan},
    },
    services::internal_error,
};
use domain::{AccountId, DomainError, State, TaskId, Version};
use store::{
    event::NewEvent,
    outbox::Message,
    task::{self, NewTaskRow, TaskUpdate},
    task_list::TaskListRow,
};

/// Undoes the last change. Returns the task to show: the one scheduled again, otherwise the one
/// that reverted it.
pub async fn undo(unit: &mut UnitOfWork<'_>, row: &TaskListRow, next: TaskId) -> Result<TaskId, DomainError> {
    let plan = UndoPlan::of(row).filter(|plan| unit.now() < plan.until).ok_or(DomainError::CannotUndo)?;
    match plan.kind {
        UndoKind::Restore => restore(unit, row, &plan).await,
        UndoKind::Cancel => {
            let to = TaskUpdate { state: State::Cancelled, ..to_update(row)? };
            unit.change(row, "undo", &to, undo_detail(row, &plan).text()).await?;
            Ok(TaskId(row.id))
        }
        UndoKind::Reopen => {
            let (to, detail) = decide::reopened(row, unit.now())?.ok_or(DomainError::CannotUndo)?;
            unit.change(row, "undo", &to, detail.text()).await?;
            Ok(TaskId(row.id))
        }
        UndoKind::Revert => revert_executed(unit, row, &plan, next).await,
    }
}

fn undo_detail(row: &TaskListRow, plan: &UndoPlan) -> ChangeDetail {
    ChangeDetail { undid: Some(plan.verb.to_owned()), ..ChangeDetail::before(row) }
}

/// Schedules the task again as it was before the change.
async fn restore(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    plan: &UndoPlan,
) -> Result<TaskId, DomainError> {
    let (to, detail) = decide::restored(row, plan)?;
    unit.change(row, "undo", &to, detail.text()).await?;
    Ok(TaskId(row.id))
}

/// Reverts the target's state and schedules the task again if it had a due time.
async fn revert_executed(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    plan: &UndoPlan,
    next: TaskId,
) -> Result<TaskId, DomainError> {
    let kind = kind_of(row)?;
    let reversal = kind.undo(&mut unit.tx, row, plan.detail.was_state.as_ref()).await;
    let reversal = reversal.map_err(internal_error)?.ok_or(DomainError::CannotUndo)?;
    let executed = Some((State::Executed, State::Executed));
    unit.record_event("task", row.id, "undo", executed, Some(row.version), undo_detail(row, plan).text());
    let id = if plan.detail.was_due_at.is_none() { next } else { TaskId::generate() };
    execute(unit, row, &reversal, id).await?;
    if let Some((event, revision)) = reversal.message {
        let article = row.target_id;
        unit.enqueue_delivery(Message { task: id, version: Version::FIRST, event, article, revision })
            .await?;
    }
    if id == next {
        return Ok(id);
    }
    reschedule_copy(unit, row, plan, next).await
}

/// Creates a task with the target, priority and owner of this one.
fn copy_of(
    unit: &UnitOfWork<'_>,
    id: TaskId,
    kind: &dyn TaskKind,
    row: &TaskListRow,
) -> Result<NewTaskRow, DomainError> {
    Ok(NewTaskRow {
        id,
        kind: kind.word(),
        grace_ms: kind.grace_ms(),
        unique_key: kind.unique_key(row.target_id),
        priority: parsed(&row.priority)?,
        bucket: queue::bucket_of(id, unit.parts.hints.buckets()),
        target_id: row.target_id,
        revision_id: None,
        due_at: unit.now(),
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: AccountId(row.owner_id),
    })
}

/// Records the reversal as a task that is executed now.
async fn execute(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    reversal: &Reversal,
    id: TaskId,
) -> Result<(), DomainError> {
    let kind = kinds::find(reversal.kind).ok_or(DomainError::CannotUndo)?;
    let task = NewTaskRow { revision_id: reversal.revision_id, ..copy_of(unit, id, kind, row)? };
    task::insert_executed(unit.tx.conn(), &task).await.map_err(internal_error)?;
    task::insert_execution(unit.tx.conn(), &task, &unit.parts.node.name).await.map_err(internal_error)?;
    let detail = ChangeDetail { of_task: Some(row.id), due_at: Some(task.due_at), ..ChangeDetail::default() };
    unit.record_events([NewEvent {
        verb: "execute",
        to_state: Some(State::Executed.as_str()),
        detail: detail.text(),
        ..schedule::scheduled(unit.presenter.actor, &task, unit.now())
    }]);
    unit.note_moved(&row.kind, row.target_id);
    unit.note_moved(kind.word(), row.target_id);
    unit.record_event(
        kind.target_kind(),
        row.target_id,
        reversal.verb,
        None,
        None,
        serde_json::json!({ "task": id }).to_string(),
    );
    Ok(())
}

/// Schedules a copy of the task with its previous due time and text.
async fn reschedule_copy(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    plan: &UndoPlan,
    id: TaskId,
) -> Result<TaskId, DomainError> {
    let was = &plan.detail;
    let kind = kind_of(row)?;
    if let Some(other) = unit.scheduled_task(kind, row.target_id).await? {
        return Err(DomainError::AlreadyScheduled { task: Box::new(unit.present(other)?) });
    }
    let task = NewTaskRow {
        revision_id: was.was_revision_id,
        due_at: decide::previous_due_at(was)?,
        local_time: was.was_local.clone(),
        time_zone: was.was_zone.clone(),
        ..copy_of(unit, id, kind, row)?
    };
    let detail = ChangeDetail { of_task: Some(row.id), due_at: Some(task.due_at), ..ChangeDetail::default() };
    let event = schedule::scheduled(unit.presenter.actor, &task, unit.now());
    unit.record_events([NewEvent { detail: detail.text(), version: Some(Version::FIRST.0), ..event }]);
    schedule::insert(unit, std::slice::from_ref(&task)).await?;
    unit.add_hint(task.hint());
    Ok(id)
}
