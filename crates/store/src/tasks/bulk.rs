//! Changes many tasks in one statement, with the same compare-and-set as for one task.

use crate::{
    Conn, StoreError,
    approval::is_approved,
    commit_log::AckedEvent,
    event::{self, NewEvent},
    json_rows::{column, encode},
};
use domain::{State, TaskId, Timestamp, Version};
use sqlx::Row as _;
use std::collections::HashSet;
use uuid::Uuid;

/// New state of a task in a bulk change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// A scheduled task stays scheduled.
    Scheduled,
    /// A scheduled task is cancelled.
    Cancelled,
    /// A failed or missed task is scheduled again, with attempts reset, approved by the user who
    /// requests it.
    Reschedule(FailedState),
    /// A failed or missed task is cancelled.
    Dismissed(FailedState),
    /// A cancelled task is scheduled again, as it was.
    Restored,
    /// A dismissed task is failed or missed again.
    Reopened(FailedState),
}

/// State of a task that was not executed and can be scheduled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedState {
    /// The task failed.
    Failed,
    /// The task was missed.
    Missed,
}

impl Transition {
    /// The required state before the change.
    #[must_use]
    pub fn from_state(self) -> State {
        match self {
            Self::Scheduled | Self::Cancelled => State::Scheduled,
            Self::Reschedule(FailedState::Failed) | Self::Dismissed(FailedState::Failed) => State::Failed,
            Self::Reschedule(FailedState::Missed) | Self::Dismissed(FailedState::Missed) => State::Missed,
            Self::Restored | Self::Reopened(_) => State::Cancelled,
        }
    }

    /// The state after the change.
    #[must_use]
    pub fn to_state(self) -> State {
        match self {
            Self::Scheduled | Self::Restored | Self::Reschedule(_) => State::Scheduled,
            Self::Cancelled | Self::Dismissed(_) => State::Cancelled,
            Self::Reopened(FailedState::Failed) => State::Failed,
            Self::Reopened(FailedState::Missed) => State::Missed,
        }
    }
}

/// A requested change of a task that the user saw in a given version.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionRequest {
    /// Id of the task.
    pub id: TaskId,
    /// The version that the user saw.
    pub seen: Version,
    /// The change.
    pub transition: Transition,
    /// When it is due afterwards.
    pub due_at: Timestamp,
    /// Wall-clock time as the user typed it.
    pub local_time: Option<String>,
    /// Time zone of that time.
    pub time_zone: Option<String>,
    /// Why it failed or was missed, if it is so again.
    pub reason: Option<String>,
    /// Event to append if the task is changed.
    pub event: NewEvent,
}

/// Changes the tasks that are still in the seen state and version, and appends their events; each
/// task at most once. Returns the changed tasks, which have their next version now. The others stay
/// unchanged, on PostgreSQL also those that another transaction has locked: no lock is waited for.
/// Must be the last call in the transaction, see [`event::append`]; on PostgreSQL it is one
/// statement.
pub async fn change_all(
    conn: Conn<'_>,
    requests: &[TransitionRequest],
) -> Result<HashSet<TaskId>, StoreError> {
    change_some(conn, requests, true).await
}

/// The same, without the tasks that reminders follow: their change is not one statement.
pub async fn change_unfollowed(
    conn: Conn<'_>,
    requests: &[TransitionRequest],
) -> Result<HashSet<TaskId>, StoreError> {
    change_some(conn, requests, false).await
}

async fn change_some(
    mut conn: Conn<'_>,
    requests: &[TransitionRequest],
    with_followed: bool,
) -> Result<HashSet<TaskId>, StoreError> {
    let changed: HashSet<TaskId> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            let requests = encode(requests.iter().map(|request| {
                let (from_state, to_state) =
                    (request.transition.from_state().as_str(), request.transition.to_state().as_str());
                (
                    request.id.0.simple(),
                    request.seen.0,
                    from_state,
                    to_state,
                    request.due_at.millis(),
                    &request.local_time,
                    &request.time_zone,
                    &request.reason,
                )
            }))?;
            let ids: Vec<Uuid> =
                sqlx::query_scalar(SQLITE).bind(requests).bind(i32::from(with_followed)).fetch_all(c).await?;
            ids.into_iter().map(TaskId).collect()
        }
        Conn::Postgres(c) => return change_postgres(c, requests, with_followed).await,
    };
    let made = requests.iter().filter(|request| changed.contains(&request.id));
    event::append(conn, &made.map(|request| request.event.clone()).collect::<Vec<_>>()).await?;
    Ok(changed)
}

const SQLITE: &str = concat!("
    update task
       set state = request.state, due_at = request.due_at, local_time = request.local_time,
           time_zone = request.time_zone, not_before = null,
           version = task.version + 1,
           approved_version = case when not ", is_approved!("task.revision_id"), " then null
                                   when from_state in ('failed', 'missed') or approved_version = task.version then task.version + 1
                                   else approved_version end,
           attempts = case when request.state = 'scheduled' and from_state in ('failed', 'missed') then 0 else attempts end,
           crash_count = case when request.state = 'scheduled' and from_state in ('failed', 'missed') then 0 else crash_count end,
           reason = request.reason
      from (select unhex(value ->> 0) as id, value ->> 1 as version, value ->> 2 as from_state, value ->> 3 as state,
                   value ->> 4 as due_at, value ->> 5 as local_time, value ->> 6 as time_zone, value ->> 7 as reason
              from jsonb_each($1)) as request
     where task.id = request.id
       and task.version = request.version
       and +task.state = request.from_state
       and ($2 = 1 or task.is_followed = 0)
    returning id");

// `|| ''`: look rows up by id and not by state, whatever the statistics say about a table that has
// just grown. `is true`: probe a hash of the unlocked ids instead of comparing each pair.
const POSTGRES: &str = event::logged!(of concat!(
    "with free as materialized (
       select id
         from task
        where id = any($10)
          and state || '' <> 'executed'
        order by id
          for no key update skip locked)
     update task t
        set state = request.state, due_at = request.due_at, local_time = request.local_time,
            time_zone = request.time_zone, not_before = null,
            version = t.version + 1,
            approved_version = case when not ", is_approved!("t.revision_id"), " then null
                                    when from_state in ('failed', 'missed') or t.approved_version = t.version then t.version + 1
                                    else t.approved_version end,
            attempts = case when request.state = 'scheduled' and from_state in ('failed', 'missed') then 0 else t.attempts end,
            crash_count = case when request.state = 'scheduled' and from_state in ('failed', 'missed') then 0 else t.crash_count end,
            reason = request.reason
       from unnest($10::uuid[], $11::integer[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[],
                   $17::text[])
            as request (id, version, from_state, state, due_at, local_time, time_zone, reason)
      where t.id = request.id
        and t.version = request.version
        and t.state || '' = request.from_state
        and ($18::integer = 1 or t.is_followed = 0)
        and (t.id in (select id from free)) is true
     returning t.id"
));

async fn change_postgres(
    c: &mut crate::PgConn,
    requests: &[TransitionRequest],
    with_followed: bool,
) -> Result<HashSet<TaskId>, StoreError> {
    let events: Vec<NewEvent> = requests.iter().map(|request| request.event.clone()).collect();
    let rows = event::bind(POSTGRES, &events)
        .bind(column(requests, |request| request.id.0))
        .bind(column(requests, |request| request.seen.0))
        .bind(column(requests, |request| request.transition.from_state().as_str()))
        .bind(column(requests, |request| request.transition.to_state().as_str()))
        .bind(column(requests, |request| request.due_at.millis()))
        .bind(column(requests, |request| request.local_time.as_deref()))
        .bind(column(requests, |request| request.time_zone.as_deref()))
        .bind(column(requests, |request| request.reason.as_deref()))
        .bind(i32::from(with_followed))
        .fetch_all(&mut *c)
        .await?;
    let changed: HashSet<TaskId> =
        rows.iter().map(|row| Ok(TaskId(row.try_get(0)?))).collect::<Result<_, StoreError>>()?;
    c.record_events(
        requests
            .iter()
            .filter(|request| changed.contains(&request.id))
            .map(|request| AckedEvent::from(&request.event)),
    );
    Ok(changed)
}
