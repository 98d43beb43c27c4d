//! Writes new plans of reminders in the transaction of a user's change. The targets of the reminders
//! must be locked.

pub use crate::reminders::write_plans::PlanChange;

use crate::reminders::{kinds::Send, write_plans};
use crate::{
    app_state::AppState, kinds::task_kind::MovedBy, services::internal_error, tasks::unit_of_work::UnitOfWork,
};
use domain::{
    AccountId, DomainError, ReminderId,
    reminders::{Plan, Recipient},
};
use store::task::NewTaskRow;

fn changed_by(unit: &UnitOfWork<'_>) -> MovedBy {
    let account = Some(unit.presenter.actor.account);
    MovedBy { account, at: unit.now(), buckets: unit.parts.hints.buckets() }
}

/// Writes the changes. New tasks are stored with the events.
pub async fn write(unit: &mut UnitOfWork<'_>, changes: &[PlanChange<'_>]) -> Result<(), DomainError> {
    if changes.is_empty() {
        return Ok(());
    }
    let by = changed_by(unit);
    let written = write_plans::write(&mut unit.tx, changes, by).await.map_err(internal_error)?;
    let written = written.ok_or(DomainError::Changed)?;
    unit.record_events(written.events);
    written.tasks.into_iter().for_each(|task| unit.add_task(task));
    Ok(())
}

/// Records new tasks with their events.
pub fn add_tasks(unit: &mut UnitOfWork<'_>, tasks: Vec<NewTaskRow>) {
    let by = changed_by(unit);
    unit.record_events(tasks.iter().map(|task| write_plans::scheduled(task, by)));
    tasks.into_iter().for_each(|task| unit.add_task(task));
}

/// Returns the task that sends a reminder.
pub fn new_task(
    parts: &AppState,
    (id, recipient): (ReminderId, &Recipient),
    owner: AccountId,
    plan: &Plan,
) -> NewTaskRow {
    write_plans::new_task((id, Send::to(recipient)), owner, plan, parts.hints.buckets())
}
