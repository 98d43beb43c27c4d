//! The next occurrences of series: their tasks, and those that follow an occurrence whose failed task was
//! dismissed.

use super::SEND;
use crate::{
    kinds::{
        new_tasks::scheduled,
        task_kind::{Followers, MovedBy},
    },
    reminders::occurrence::{self, UnreadableRule},
};
use domain::{
    Priority, ReminderId, TaskId, Timestamp,
    kind::MANAGED_GRACE_MS,
    reminders::{Plan, ReminderState},
};
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    reminder::{self, NewReminderRow, PlanUpdate},
    reminder_list::{self, ReminderRow},
    target,
    task::NewTaskRow,
};
use uuid::Uuid;

/// Returns the task that sends the next occurrence of a series. `bucket`: returns the shard of its hints.
pub fn task_of_next(row: &NewReminderRow, bucket: impl FnOnce(TaskId) -> u16) -> NewTaskRow {
    let (local_time, time_zone) = row.plan.local.clone().map(|local| (local.local, local.zone)).unzip();
    let id = TaskId::generate();
    NewTaskRow {
        id,
        kind: SEND,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: Some(format!("{SEND}:{}", row.id.0)),
        priority: Priority::Normal,
        bucket: bucket(id),
        target_id: row.id.0,
        revision_id: None,
        due_at: row.plan.due_at,
        local_time,
        time_zone,
        request_id: None,
        owner: row.owner,
    }
}

/// The next occurrences of series, by the ids of the coming ones; `None`: the series has ended.
pub type NextOccurrences = HashMap<Uuid, Result<Option<NewReminderRow>, UnreadableRule>>;

/// Returns the next occurrences of these series.
pub async fn of_series(tx: &mut Tx, ids: &[Uuid], at: Timestamp) -> Result<NextOccurrences, StoreError> {
    let rows = reminder_list::find_many(tx.conn(), ids).await?;
    Ok(rows.iter().map(|row| (row.id, occurrence::next(row, at))).collect())
}

/// Lets the next occurrences take over the rules of these reminders, as far as a user has dismissed their failed
/// tasks. Returns what must be stored.
pub async fn after_dismissal(tx: &mut Tx, targets: &[Uuid], by: MovedBy) -> Result<Followers, StoreError> {
    let rows = reminder_list::find_many(tx.conn(), targets).await?;
    let ids: Vec<Uuid> = rows.iter().filter(|row| is_dismissed(row)).map(|row| row.id).collect();
    let mut added = Followers::default();
    if ids.is_empty() {
        return Ok(added);
    }
    target::lock(tx.conn(), &ids).await?;
    let (mut left, mut next) = (Vec::new(), Vec::new());
    for row in reminder_list::find_many(tx.conn(), &ids).await?.iter().filter(|row| is_dismissed(row)) {
        let Ok(Some(mut one)) = occurrence::next(row, by.at) else { continue };
        let task = task_of_next(&one, |task| queue::bucket_of(task, by.buckets));
        one.task = Some(task.id);
        added.events.push(occurrence::created(&one, None, by.at));
        added.events.push(scheduled(&task, by.at));
        added.tasks.push(task);
        next.push(one);
        // Its cancelled task says that it is cancelled.
        let plan = Plan { state: ReminderState::Scheduled, reason: None, repeats: None, ..row.plan()? };
        let (id, version) = (ReminderId(row.id), row.version);
        left.push(PlanUpdate { id, version, plan, task: None, undo: None });
    }
    if reminder::update_plans(tx.conn(), &left).await? != left.len() as u64 {
        return Err(StoreError::Corrupt(format!("one of the locked reminders {ids:?} was changed")));
    }
    reminder::insert(tx.conn(), &next, by.at).await?;
    Ok(added)
}

/// Whether the reminder is the coming occurrence of a series, and only its task was cancelled. A series that a
/// user has cancelled has no task that can be dismissed.
fn is_dismissed(row: &ReminderRow) -> bool {
    row.state == ReminderState::Cancelled.as_str() && row.repeats.is_some()
}
