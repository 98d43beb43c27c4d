//! Writes new plans of reminders: cancels the tasks that no longer apply, records those that are
//! missing, and stores the plans. The targets of the reminders must be locked.

use super::kinds::Send;
use crate::{
    server::app_state::AppState,
    services::internal_error,
    tasks::{schedule, task_kind::TaskKind as _, unit::UnitOfWork},
};
use domain::{
    AccountId, DomainError, Priority, ReminderId, State, TaskId,
    reminders::{Plan, ReminderState},
};
use store::{
    event::NewEvent,
    reminder::{self, PlanUpdate},
    reminder_list::ReminderRow,
    task::NewTaskRow,
};
use uuid::Uuid;

/// A change of one reminder.
pub struct PlanChange<'a> {
    pub row: &'a ReminderRow,
    pub before: Plan,
    pub after: Plan,
    pub verb: &'static str,
    /// Whether the change can be undone.
    pub can_undo: bool,
}

/// Writes the changes. New tasks are stored with the events.
pub async fn write(unit: &mut UnitOfWork<'_>, changes: &[PlanChange<'_>]) -> Result<(), DomainError> {
    if changes.is_empty() {
        return Ok(());
    }
    let stays = |change: &PlanChange<'_>| {
        let (before, after) = (&change.before, &change.after);
        before.state == after.state && before.due_at == after.due_at && before.local == after.local
    };
    let replaced: Vec<Uuid> =
        changes.iter().filter(|change| !stays(change)).map(|change| change.row.id).collect();
    cancel_tasks(unit, &replaced).await?;
    let mut tasks = Vec::new();
    let mut updates = Vec::with_capacity(changes.len());
    for change in changes {
        let row = change.row;
        let is_new = change.after.state == ReminderState::Scheduled && !stays(change);
        let task = is_new.then(|| new_task(unit.parts, ReminderId(row.id), row.owner(), &change.after));
        let undo = change.can_undo.then(|| serde_json::to_string(&change.before).unwrap_or_default());
        updates.push(PlanUpdate {
            id: ReminderId(row.id),
            version: row.version,
            plan: change.after.clone(),
            task: task.as_ref().map(|task| task.id),
            undo: undo.map(|before| (change.verb, before)),
        });
        tasks.extend(task);
    }
    let written = reminder::update_plans(unit.tx.conn(), &updates).await.map_err(internal_error)?;
    if written != updates.len() as u64 {
        return Err(DomainError::Changed);
    }
    let events: Vec<NewEvent> = changes.iter().map(|change| event(unit, change)).collect();
    unit.record_events(events);
    add_tasks(unit, tasks);
    Ok(())
}

/// Records new tasks with their events.
pub fn add_tasks(unit: &mut UnitOfWork<'_>, tasks: Vec<NewTaskRow>) {
    let (actor, now) = (unit.presenter.actor, unit.now());
    unit.record_events(tasks.iter().map(|task| schedule::scheduled(actor, task, now)));
    tasks.into_iter().for_each(|task| unit.add_task(task));
}

/// Cancels the scheduled tasks of these reminders, and dismisses those that failed.
async fn cancel_tasks(unit: &mut UnitOfWork<'_>, reminders: &[Uuid]) -> Result<(), DomainError> {
    if reminders.is_empty() {
        return Ok(());
    }
    let cancelled = reminder::cancel_tasks(unit.tx.conn(), reminders).await.map_err(internal_error)?;
    let (account, now) = (Some(unit.presenter.actor.account), unit.now());
    unit.record_events(cancelled.into_iter().map(|(task, version)| NewEvent {
        to_state: Some(State::Cancelled.as_str()),
        version: Some(version),
        ..NewEvent::simple(now, account, "task", task, "cancel")
    }));
    Ok(())
}

/// Returns the task that sends a reminder.
pub fn new_task(parts: &AppState, id: ReminderId, owner: AccountId, plan: &Plan) -> NewTaskRow {
    let task = TaskId::generate();
    let (local_time, time_zone) = plan.local.clone().map(|local| (local.local, local.zone)).unzip();
    NewTaskRow {
        id: task,
        kind: Send.word(),
        grace_ms: Send.grace_ms(),
        unique_key: Send.unique_key(id.0),
        priority: Priority::Normal,
        bucket: queue::bucket_of(task, parts.hints.buckets()),
        target_id: id.0,
        revision_id: None,
        due_at: plan.due_at,
        local_time,
        time_zone,
        request_id: None,
        owner,
    }
}

fn event(unit: &UnitOfWork<'_>, change: &PlanChange<'_>) -> NewEvent {
    let account = Some(unit.presenter.actor.account);
    NewEvent {
        from_state: Some(change.before.state.as_str()),
        to_state: Some(change.after.state.as_str()),
        version: Some(change.row.version + 1),
        detail: serde_json::json!({ "due_at": change.after.due_at }).to_string(),
        ..NewEvent::simple(unit.now(), account, "reminder", change.row.id, change.verb)
    }
}
