//! What happens to meetings by themselves: the deadline of an approval with its warnings, start,
//! no-show release with its warning, end, the end of a wait for a room or of its offer, and the next occurrences of a series.

mod advance;
mod decide;
mod extend_series;
mod mail_changes;
pub(super) mod offer;
mod release;
mod wait_ends;
mod warn;
mod warn_release;

pub use advance::{END, START};
pub use decide::Decide;
pub use extend_series::{EXTEND_SERIES, ExtendSeries};
pub use mail_changes::{MAIL_CHANGES, MailChanges};
pub use release::Release;
pub use wait_ends::{OFFER, WAIT};
pub use warn::{WARN, WARN_AGAIN};
pub use warn_release::WarnRelease;

use crate::kinds::new_tasks::store_tasks;
use domain::{
    State, TaskId, Timestamp,
    kind::MANAGED_GRACE_MS,
    meetings::{Booking, MeetingState},
    task::reason,
};
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx,
    due_meetings::{self, TaskOrigin},
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    task::NewTaskRow,
};
use uuid::Uuid;

/// What the targets are.
const MEETING: &str = "meeting";

/// Returns the event of a change by the engine.
fn event(
    at: Timestamp,
    meeting: Uuid,
    verb: &'static str,
    (from, to): (MeetingState, MeetingState),
    version: i32,
) -> NewEvent {
    NewEvent {
        from_state: Some(from.as_str()),
        to_state: Some(to.as_str()),
        version: Some(version),
        ..NewEvent::simple(at, None, MEETING, meeting, verb)
    }
}

/// *Done* for the meetings that were changed; the others are not in a state that allows it.
fn verdicts(tasks: &[ClaimedTask], changed: &HashSet<Uuid>) -> Vec<Verdict> {
    let verdict = |task: &ClaimedTask| match changed.contains(&task.target_id) {
        true => Verdict::Done,
        false => Verdict::Dead(reason::TARGET_GONE),
    };
    tasks.iter().map(verdict).collect()
}

/// Schedules the tasks that these bookings need, each created by the executed task.
async fn schedule(
    tx: &mut Tx,
    bookings: &[(TaskId, Uuid, &Booking)],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    if bookings.is_empty() {
        return Ok(());
    }
    let by: Vec<TaskId> = bookings.iter().map(|(task, _, _)| *task).collect();
    let origins = due_meetings::origins(tx.conn(), &by).await?;
    let origins: HashMap<Uuid, TaskOrigin> = origins.into_iter().map(|one| (one.id, one)).collect();
    let mut new = Vec::new();
    for (task, meeting, booking) in bookings {
        let Some(origin) = origins.get(&task.0) else { continue };
        for wanted in booking.tasks(at) {
            new.push(new_task(origin, *meeting, wanted.task.as_str(), wanted.due_at)?);
        }
    }
    store_tasks(tx, &new, at, after).await
}

fn new_task(
    origin: &TaskOrigin,
    meeting: Uuid,
    kind: &'static str,
    due_at: Timestamp,
) -> Result<NewTaskRow, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of the task {}", origin.id));
    Ok(NewTaskRow {
        id: TaskId::generate(),
        kind,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: Some(format!("{kind}:{meeting}")),
        priority: origin.priority.parse().map_err(|_| corrupt("priority"))?,
        bucket: u16::try_from(origin.bucket).map_err(|_| corrupt("bucket"))?,
        target_id: meeting,
        revision_id: None,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: domain::AccountId(origin.owner_id),
    })
}

/// Cancels the scheduled tasks of these meetings.
async fn cancel_tasks(
    tx: &mut Tx,
    meetings: &[Uuid],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    if meetings.is_empty() {
        return Ok(());
    }
    let cancelled = due_meetings::cancel_tasks(tx.conn(), meetings).await?;
    after.log.extend(cancelled.into_iter().map(|task| NewEvent {
        from_state: Some(State::Scheduled.as_str()),
        to_state: Some(State::Cancelled.as_str()),
        version: Some(task.version),
        ..NewEvent::simple(at, None, "task", task.id, "cancel")
    }));
    Ok(())
}
