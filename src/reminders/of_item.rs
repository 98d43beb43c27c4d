//! Reminders that a user hangs on an article or a meeting.

use crate::reminders::{
    apply,
    write_plans::{moment_at, moment_of},
};
use crate::{services::internal_error, tasks::unit_of_work::UnitOfWork};
use domain::{
    DomainError, ReminderId, Timestamp,
    error::ValidationError,
    meetings::MeetingState,
    reminders::{MAX_REMINDERS_ABOUT, Recipient, RelativeTime, Subject, decide},
};
use store::{
    meeting, release,
    reminder::NewReminderRow,
    subject,
    target::{self, Target},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Returns the row of a new reminder and its task. Locks what it is about: from now on the reminder
/// follows it.
pub async fn new_row(
    unit: &mut UnitOfWork<'_>,
    id: ReminderId,
    (text, recipient): (String, Recipient),
    time: RelativeTime,
) -> Result<(NewReminderRow, NewTaskRow), DomainError> {
    decide::check_relative(&time)?;
    let target = lock(unit, &time).await?;
    let open = subject::open_count(unit.tx.conn(), target.id, MAX_REMINDERS_ABOUT).await;
    if open.map_err(internal_error)? >= MAX_REMINDERS_ABOUT {
        let max = u32::try_from(MAX_REMINDERS_ABOUT).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("text", ValidationError::TooMany { max }));
    }
    let due_at = match time.subject {
        Subject::Article => of_article(unit, target.id, time.offset_minutes).await?,
        Subject::Meeting => of_meeting(unit, &time).await?,
    };
    let due_at = due_at.ok_or(DomainError::invalid("offset_minutes", ValidationError::NoMoment))?;
    decide::check_time(due_at, unit.now(), "offset_minutes")?;
    let (owner, plan) = (unit.presenter.actor.account, decide::scheduled(due_at, None));
    let task = apply::new_task(unit.parts, (id, &recipient), owner, &plan);
    let about = Some((target.id, time.anchor.as_str(), time.offset_minutes));
    let row = NewReminderRow { id, text, owner, recipient, plan, about, task: Some(task.id) };
    Ok((row, task))
}

/// Locks what it is about; an article together with its release, in id order, so that no change of the
/// release's moment is missed.
async fn lock(unit: &mut UnitOfWork<'_>, time: &RelativeTime) -> Result<Target, DomainError> {
    let release = open_release(unit, time).await?;
    let ids: Vec<Uuid> = release.into_iter().chain([time.id]).collect();
    let found = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    if open_release(unit, time).await? != release {
        return Err(DomainError::Changed);
    }
    let found = found.into_iter().find(|target| target.kind == time.subject.as_str());
    let target = found.ok_or_else(|| DomainError::no_such(time.subject.as_str()))?;
    if target.deleted_at.is_some() { Err(DomainError::InTrash) } else { Ok(target) }
}

async fn open_release(unit: &mut UnitOfWork<'_>, time: &RelativeTime) -> Result<Option<Uuid>, DomainError> {
    match time.subject {
        Subject::Article => release::open_with(unit.tx.conn(), time.id).await.map_err(internal_error),
        Subject::Meeting => Ok(None),
    }
}

async fn of_article(
    unit: &mut UnitOfWork<'_>,
    article: Uuid,
    offset_minutes: i32,
) -> Result<Option<Timestamp>, DomainError> {
    // Locks the task: a concurrent change of it is either seen here or changes the reminder.
    subject::mark_followed(unit.tx.conn(), &[article]).await.map_err(internal_error)?;
    let found = subject::publications(unit.tx.conn(), &[article]).await.map_err(internal_error)?;
    let base = found.into_iter().find_map(|(_, at)| at);
    Ok(base.map(|base| moment_at(base, offset_minutes)))
}

async fn of_meeting(
    unit: &mut UnitOfWork<'_>,
    time: &RelativeTime,
) -> Result<Option<Timestamp>, DomainError> {
    let found = meeting::find(unit.tx.conn(), time.id.into()).await.map_err(internal_error)?;
    let booking = found.ok_or_else(|| DomainError::no_such("meeting"))?.booking().map_err(internal_error)?;
    let is_after = time.offset_minutes > 0 && booking.state == MeetingState::Ended;
    let is_on = booking.state.is_open() || is_after;
    Ok(is_on.then(|| moment_of(&booking, time.anchor, time.offset_minutes)))
}
