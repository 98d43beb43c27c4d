//! Reminders of meetings that the engine ends, in its own transaction.

use domain::{
    ReminderId, State, Timestamp,
    reminders::{ReminderState, decide},
};
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::SideEffects,
    reminder::{self, PlanUpdate},
    reminder_list, target,
};
use uuid::Uuid;

/// Cancels the reminders of meetings that the engine has let expire or released.
pub async fn cancel(
    tx: &mut Tx,
    meetings: &[Uuid],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let ids = reminder::ids_about(tx.conn(), meetings).await?;
    if ids.is_empty() {
        return Ok(());
    }
    target::lock(tx.conn(), &ids).await?;
    let rows = reminder_list::find_many(tx.conn(), &ids).await?;
    let mut updates = Vec::new();
    for row in rows.iter().filter(|row| row.state == "scheduled") {
        let plan = decide::followed(&row.plan()?, None, at);
        updates.push(PlanUpdate {
            id: ReminderId(row.id),
            version: row.version,
            plan,
            task: None,
            undo: None,
        });
    }
    let open: Vec<Uuid> = updates.iter().map(|update| update.id.0).collect();
    for (task, version) in reminder::cancel_tasks(tx.conn(), &open).await? {
        after.log.push(NewEvent {
            to_state: Some(State::Cancelled.as_str()),
            version: Some(version),
            ..NewEvent::simple(at, None, "task", task, "cancel")
        });
    }
    reminder::update_plans(tx.conn(), &updates).await?;
    after.log.extend(updates.iter().map(|update| NewEvent {
        to_state: Some(ReminderState::Cancelled.as_str()),
        version: Some(update.version + 1),
        ..NewEvent::simple(at, None, "reminder", update.id.0, "cancel")
    }));
    Ok(())
}
