//! The next occurrence of a series of reminders.

use crate::zone::Zone;
use domain::{
    AccountId, ReminderId, Timestamp,
    base::local_time::minute_text,
    reminders::{LocalTimeInZone, Plan, decide},
};
use engine::error_chain;
use store::{StoreError, event::NewEvent, reminder::NewReminderRow, reminder_list::ReminderRow};

/// The rule of a series cannot be read. The log says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadableRule;

/// Returns the next occurrence, which has the rule from now on and no task yet; `None`: the reminder does not
/// repeat, or its series has ended. Occurrences that have passed are left out. An error ends this series, and no
/// other one.
pub fn next(row: &ReminderRow, now: Timestamp) -> Result<Option<NewReminderRow>, UnreadableRule> {
    following(row, now).map_err(|error| {
        tracing::error!(reminder = %row.id, error = %error_chain(&error), "the rule of a series cannot be read");
        UnreadableRule
    })
}

fn following(row: &ReminderRow, now: Timestamp) -> Result<Option<NewReminderRow>, StoreError> {
    let plan = row.plan()?;
    let (Some(repeats), Some(local)) = (plan.repeats, plan.local) else { return Ok(None) };
    let next = repeats.next(&Zone::stored(&local.zone), plan.due_at, now);
    let next = next.map_err(|why| {
        StoreError::Corrupt(format!("the rule {:?} of the reminder {}: {why:?}", row.repeats, row.id))
    })?;
    let Some(next) = next else { return Ok(None) };
    let local = LocalTimeInZone { local: minute_text(next.original_local), zone: local.zone };
    Ok(Some(NewReminderRow {
        id: ReminderId::generate(),
        text: row.text.clone(),
        owner: row.owner(),
        recipient: row.recipient()?,
        plan: Plan { repeats: Some(repeats), ..decide::scheduled(next.at, Some(local)) },
        about: None,
        task: None,
    }))
}

/// Returns the event of a new reminder. `by`: `None` for the engine.
pub fn created(row: &NewReminderRow, by: Option<AccountId>, at: Timestamp) -> NewEvent {
    NewEvent {
        to_state: Some(row.plan.state.as_str()),
        version: Some(1),
        ..NewEvent::simple(at, by, "reminder", row.id.0, "create")
    }
}
