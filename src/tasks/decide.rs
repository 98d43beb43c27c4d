//! Decides what a change writes. Pure: it reads nothing but its parameters.

use super::schedule::future_time;
use crate::tasks::unit_of_work::{parsed, to_update};
use crate::{
    kinds::{
        self, TaskKind,
        undo_plan::{ChangeDetail, UndoKind, UndoPlan},
    },
    zone,
};
use domain::{DomainError, State, Timestamp, When, task::Change};
use store::{task::TaskUpdate, task_list::TaskListRow};

/// Whether users may change the task at all. One that follows from its target may only be retried
/// or dismissed after a failure.
pub fn may_change(row: &TaskListRow, change: &Change, state: State) -> bool {
    let is_managed = kinds::find(&row.kind).is_some_and(TaskKind::is_managed);
    let is_repair = matches!(change, Change::Retry | Change::Cancel);
    !is_managed || (is_repair && matches!(state, State::Failed | State::Missed))
}

/// Returns the update that reschedules a task.
pub fn moved(
    row: &TaskListRow,
    when: &When,
    now: Timestamp,
) -> Result<(TaskUpdate, ChangeDetail), DomainError> {
    let due_at = future_time(when, now, &row.kind)?;
    let (local, zone) = zone::typed(when).unzip();
    let to = TaskUpdate { due_at: due_at.millis(), local_time: local, time_zone: zone, ..to_update(row)? };
    Ok((to, ChangeDetail { due_at: Some(due_at), ..ChangeDetail::before(row) }))
}

/// Returns the update that schedules a failed or missed task for another time.
pub fn replanned(
    row: &TaskListRow,
    when: &When,
    now: Timestamp,
) -> Result<(TaskUpdate, ChangeDetail), DomainError> {
    let (to, detail) = moved(row, when, now)?;
    Ok((TaskUpdate { state: State::Scheduled, approves: true, resets_attempts: true, ..to }, detail))
}

/// Returns the update that cancels a task, or dismisses a failed or missed one.
pub fn cancelled(row: &TaskListRow) -> Result<(TaskUpdate, ChangeDetail), DomainError> {
    let state: State = parsed(&row.state)?;
    let was_ended = Some(state).filter(|state| matches!(state, State::Failed | State::Missed));
    let was_reason = row.reason.clone().filter(|_| was_ended.is_some());
    let detail = ChangeDetail { was_ended, was_reason, ..ChangeDetail::before(row) };
    Ok((TaskUpdate { state: State::Cancelled, ..to_update(row)? }, detail))
}

/// Returns the update that undoes the dismissal of a task; `None`: its last change was none, or it
/// can no longer be undone.
pub fn reopened(
    row: &TaskListRow,
    now: Timestamp,
) -> Result<Option<(TaskUpdate, ChangeDetail)>, DomainError> {
    let plan = UndoPlan::of(row).filter(|plan| plan.kind == UndoKind::Reopen && now < plan.until);
    let Some(plan) = plan else { return Ok(None) };
    let Some(state) = plan.detail.was_ended else { return Ok(None) };
    let to = TaskUpdate { state, reason: plan.detail.was_reason.clone(), ..to_update(row)? };
    let detail = ChangeDetail { undid: Some(plan.verb.to_owned()), ..ChangeDetail::before(row) };
    Ok(Some((to, detail)))
}

/// Returns the due time before a change. A wall-clock time is resolved by the current rules of its
/// zone.
pub fn previous_due_at(was: &ChangeDetail) -> Result<Timestamp, DomainError> {
    let due_at = was.was_due_at.ok_or(DomainError::CannotUndo)?;
    Ok(zone::instant_again(was.was_local.as_deref(), was.was_zone.as_deref(), due_at))
}

/// Returns the update that schedules a task as it was before the change to undo.
pub fn restored(row: &TaskListRow, plan: &UndoPlan) -> Result<(TaskUpdate, ChangeDetail), DomainError> {
    let was = &plan.detail;
    let due_at = previous_due_at(was)?;
    let to = TaskUpdate {
        state: State::Scheduled,
        due_at: due_at.millis(),
        local_time: was.was_local.clone(),
        time_zone: was.was_zone.clone(),
        revision_id: was.was_revision_id,
        ..to_update(row)?
    };
    let undid = Some(plan.verb.to_owned());
    Ok((to, ChangeDetail { due_at: Some(due_at), undid, ..ChangeDetail::before(row) }))
}

/// Returns the update that retries a task.
pub fn retried(row: &TaskListRow, now: Timestamp) -> Result<(TaskUpdate, ChangeDetail), DomainError> {
    let to = TaskUpdate {
        state: State::Scheduled,
        due_at: now.millis(),
        local_time: None,
        time_zone: None,
        approves: true,
        resets_attempts: true,
        ..to_update(row)?
    };
    Ok((to, ChangeDetail { due_at: Some(now), ..ChangeDetail::before(row) }))
}
