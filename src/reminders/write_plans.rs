//! Writes new plans of reminders in any transaction: cancels the tasks that no longer apply, and
//! stores the plans. The targets of the reminders must be locked. Also the moments that reminders
//! have before and after what they are about, and the next occurrences of series.

use crate::kinds::task_kind::{Followers, MovedBy, TaskKind as _};
use crate::reminders::{kinds::Send, occurrence};
use domain::{
    AccountId, Priority, ReminderId, State, TaskId, Timestamp,
    meetings::Booking,
    reminders::{Anchor, Plan, ReminderState, decide},
};
use store::{
    StoreError, Tx,
    event::NewEvent,
    reminder::{self, PlanUpdate},
    reminder_list::ReminderRow,
    task::NewTaskRow,
};
use uuid::Uuid;

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// A change of one reminder.
pub struct PlanChange<'a> {
    pub row: &'a ReminderRow,
    pub before: Plan,
    pub after: Plan,
    pub verb: &'static str,
    /// Whether the change can be undone.
    pub can_undo: bool,
}

impl PlanChange<'_> {
    /// Whether the next occurrence takes the rule of its series over. An undo only brings a plan back.
    fn leaves_series(&self) -> bool {
        self.verb != "undo" && decide::leaves_series(&self.before, &self.after)
    }

    /// The plan that undo brings back: without the rule, if another occurrence has it then.
    fn undo(&self) -> Plan {
        let repeats = self.before.repeats.clone().filter(|_| !self.leaves_series());
        Plan { repeats, ..self.before.clone() }
    }

    /// Whether undo would change anything: not if only the rule went to the next occurrence.
    pub fn has_undo(&self) -> bool {
        self.verb != "undo" && self.undo() != self.after
    }

    /// Whether its task stays.
    fn keeps_task(&self) -> bool {
        let (before, after) = (&self.before, &self.after);
        before.state == after.state && before.due_at == after.due_at && before.local == after.local
    }

    fn is_scheduled_again(&self) -> bool {
        self.after.state == ReminderState::Scheduled && !self.keeps_task()
    }
}

/// Writes the changes. Returns their events and new tasks, which must be stored. `None`: one of the
/// reminders was changed meanwhile.
pub async fn write(
    tx: &mut Tx,
    changes: &[PlanChange<'_>],
    by: MovedBy,
) -> Result<Option<Followers>, StoreError> {
    let replaced: Vec<Uuid> =
        changes.iter().filter(|change| !change.keeps_task()).map(|change| change.row.id).collect();
    let mut written = Followers::default();
    for (task, version) in reminder::cancel_tasks(tx.conn(), &replaced).await? {
        written.events.push(NewEvent {
            to_state: Some(State::Cancelled.as_str()),
            version: Some(version),
            ..NewEvent::simple(by.at, by.account, "task", task, "cancel")
        });
    }
    let mut updates = Vec::with_capacity(changes.len());
    for change in changes {
        let row = change.row;
        let of = (ReminderId(row.id), Send::to(&row.recipient()?));
        let new = || new_task(of, row.owner(), &change.after, by.buckets);
        let task = change.is_scheduled_again().then(new);
        let undo = change.can_undo.then(|| serde_json::to_string(&change.undo()).unwrap_or_default());
        updates.push(PlanUpdate {
            id: ReminderId(row.id),
            version: row.version,
            plan: change.after.clone(),
            task: task.as_ref().map(|task| task.id),
            undo: undo.map(|before| (change.verb, before)),
        });
        written.tasks.extend(task);
    }
    let count = reminder::update_plans(tx.conn(), &updates).await?;
    written.events.extend(changes.iter().map(|change| changed(change, by)));
    let added = add_occurrences(tx, changes, by).await?;
    written.events.extend(added.events);
    written.tasks.extend(added.tasks);
    written.events.extend(written.tasks.iter().map(|task| scheduled(task, by)));
    Ok((count == updates.len() as u64).then_some(written))
}

/// Stores the next occurrences of the series that these changes leave. Returns their events and tasks.
async fn add_occurrences(
    tx: &mut Tx,
    changes: &[PlanChange<'_>],
    by: MovedBy,
) -> Result<Followers, StoreError> {
    let mut added = Followers::default();
    let mut rows = Vec::new();
    for change in changes.iter().filter(|change| change.leaves_series()) {
        let Ok(Some(mut row)) = occurrence::next(change.row, by.at) else { continue };
        let of = (row.id, Send::to(&row.recipient));
        let task = new_task(of, row.owner, &row.plan, by.buckets);
        row.task = Some(task.id);
        added.events.push(occurrence::created(&row, None, by.at));
        added.tasks.push(task);
        rows.push(row);
    }
    reminder::insert(tx.conn(), &rows, by.at).await?;
    Ok(added)
}

fn changed(change: &PlanChange<'_>, by: MovedBy) -> NewEvent {
    NewEvent {
        from_state: Some(change.before.state.as_str()),
        to_state: Some(change.after.state.as_str()),
        version: Some(change.row.version + 1),
        detail: serde_json::json!({ "due_at": change.after.due_at, "was_due_at": change.before.due_at })
            .to_string(),
        ..NewEvent::simple(by.at, by.account, "reminder", change.row.id, change.verb)
    }
}

/// Returns the event of a new task.
pub fn scheduled(task: &NewTaskRow, by: MovedBy) -> NewEvent {
    NewEvent {
        to_state: Some(State::Scheduled.as_str()),
        version: Some(1),
        detail: serde_json::json!({ "due_at": task.due_at }).to_string(),
        ..NewEvent::simple(by.at, by.account, "task", task.id.0, "schedule")
    }
}

/// Returns the task that sends a reminder.
pub fn new_task((id, kind): (ReminderId, Send), owner: AccountId, plan: &Plan, buckets: u16) -> NewTaskRow {
    let task = TaskId::generate();
    let (local_time, time_zone) = plan.local.clone().map(|local| (local.local, local.zone)).unzip();
    NewTaskRow {
        id: task,
        kind: kind.word(),
        grace_ms: kind.grace_ms(),
        unique_key: kind.unique_key(id.0),
        priority: Priority::Normal,
        bucket: queue::bucket_of(task, buckets),
        target_id: id.0,
        revision_id: None,
        due_at: plan.due_at,
        local_time,
        time_zone,
        request_id: None,
        owner,
    }
}

/// This number of minutes after a moment; negative: before it.
pub fn moment_at(base: Timestamp, offset_minutes: i32) -> Timestamp {
    base.plus(i64::from(offset_minutes) * MINUTE_MS)
}

/// The same from the start or end of a meeting.
pub fn moment_of(booking: &Booking, anchor: Anchor, offset_minutes: i32) -> Timestamp {
    moment_at(if anchor == Anchor::End { booking.ends_at } else { booking.starts_at }, offset_minutes)
}
