//! Reminders of meetings that the engine books or ends, in its own transaction.

use crate::kinds::{new_tasks::store_tasks, task_kind::TaskKind as _};
use crate::reminders::{kinds::Send, occurrence::created};
use domain::{
    AccountId, Priority, ReminderId, State, TaskId, Timestamp,
    meetings::Booking,
    reminders::{BELL_TEXT, MeetingReminder, Plan, Recipient, RemindBy, ReminderState, decide},
};
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::SideEffects,
    reminder::{self, NewReminderRow, PlanUpdate},
    reminder_list, target,
    task::NewTaskRow,
};
use uuid::Uuid;

/// A meeting that the engine has booked.
pub struct BookedMeeting<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its organizer.
    pub owner: AccountId,
    /// When it takes place.
    pub booking: &'a Booking,
    /// Its reminders.
    pub reminders: &'a [MeetingReminder],
    /// Shard of the hints of its tasks.
    pub bucket: u16,
}

/// Gives meetings that the engine has booked their reminders.
pub async fn add(
    tx: &mut Tx,
    meetings: &[BookedMeeting<'_>],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let (mut rows, mut tasks) = (Vec::new(), Vec::new());
    for meeting in meetings {
        for one in meeting.reminders {
            let mut row = new_row((meeting.id, meeting.owner), meeting.booking, *one, at);
            if row.plan.state == ReminderState::Scheduled {
                let task = new_task(&row, meeting);
                row.task = Some(task.id);
                tasks.push(task);
            }
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    reminder::insert(tx.conn(), &rows, at).await?;
    after.log.extend(rows.iter().map(|row| created(row, None, at)));
    store_tasks(tx, &tasks, at, after).await
}

fn new_task(row: &NewReminderRow, meeting: &BookedMeeting<'_>) -> NewTaskRow {
    let kind = Send::to(&row.recipient);
    NewTaskRow {
        id: TaskId::generate(),
        kind: kind.word(),
        grace_ms: kind.grace_ms(),
        unique_key: kind.unique_key(row.id.0),
        priority: Priority::Normal,
        bucket: meeting.bucket,
        target_id: row.id.0,
        revision_id: None,
        due_at: row.plan.due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: meeting.owner,
    }
}

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

/// Returns a new reminder of a meeting, without its task.
pub fn new_row(
    (meeting, owner): (Uuid, AccountId),
    booking: &Booking,
    one: MeetingReminder,
    now: Timestamp,
) -> NewReminderRow {
    let (recipient, text) = match one.by {
        RemindBy::Bell => (Recipient::Bell, BELL_TEXT),
        RemindBy::Mail => (Recipient::Attendees, ""),
        RemindBy::Sms => (Recipient::Sms, ""),
    };
    NewReminderRow {
        id: ReminderId::generate(),
        text: text.to_owned(),
        owner,
        recipient,
        plan: first_plan(booking, one, now),
        about: Some((meeting, one.before.as_str(), -one.minutes)),
        task: None,
    }
}

/// A meeting that waits for its room has no reminders until it takes place.
fn first_plan(booking: &Booking, one: MeetingReminder, now: Timestamp) -> Plan {
    let plan = decide::first(moment(booking, one), now);
    if booking.state.is_on_waiting_list() { decide::followed(&plan, None, now) } else { plan }
}

/// When a reminder is due.
pub fn moment(booking: &Booking, choice: MeetingReminder) -> Timestamp {
    crate::reminders::write_plans::moment_of(booking, choice.before, -choice.minutes)
}
