//! Reminders of meetings: chosen by the organizer, and moved or cancelled with the meeting in its own
//! transaction. The target of the meeting must be locked.

use super::{
    apply::{self, PlanChange},
    read,
};
use crate::reminders::{
    meeting_by_engine::{moment, new_row},
    occurrence::created,
    write_plans::moment_of,
};
use crate::{
    services::{Presenter, internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    AccountId, DomainError, MeetingId, Timestamp,
    error::ValidationError,
    meetings::{Booking, MeetingState},
    reminders::{
        Anchor, MAX_MEETING_REMINDERS, MAX_MINUTES_BEFORE, MeetingReminder, Recipient, RemindBy, Reminder,
        ReminderState, decide,
    },
};
use std::collections::HashMap;
use store::{
    Conn, reminder,
    reminder_list::{self, ReminderRow},
    target,
};
use uuid::Uuid;

/// Validates the reminders of a meeting; each once.
pub fn checked(typed: Vec<MeetingReminder>) -> Result<Vec<MeetingReminder>, DomainError> {
    let wrong = |problem| Err(DomainError::invalid("reminders", problem));
    if typed.len() > MAX_MEETING_REMINDERS {
        let max = u32::try_from(MAX_MEETING_REMINDERS).unwrap_or(u32::MAX);
        return wrong(ValidationError::TooMany { max });
    }
    let mut all: Vec<MeetingReminder> = Vec::with_capacity(typed.len());
    for one in typed {
        if !(1..=MAX_MINUTES_BEFORE).contains(&one.minutes) {
            return wrong(ValidationError::NotBetween { min: 1, max: MAX_MINUTES_BEFORE });
        }
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

/// Gives meetings these reminders. Those that stay keep their state; those that are removed are
/// cancelled. The meetings must be open. Returns whether anything is changed.
pub async fn choose(
    unit: &mut UnitOfWork<'_>,
    owner: AccountId,
    meetings: &[(MeetingId, &Booking)],
    wanted: &[MeetingReminder],
) -> Result<bool, DomainError> {
    let ids: Vec<Uuid> = meetings.iter().map(|(id, _)| id.0).collect();
    let rows = locked(unit, &ids).await?;
    let (now, mut changes, mut missing) = (unit.now(), Vec::new(), Vec::new());
    for (meeting, booking) in meetings {
        let mut wanted = wanted.to_vec();
        // Those that a user added for itself or another are not part of the choice.
        let is_chosen = |row: &&ReminderRow| row.about_id == Some(meeting.0) && choice(row).is_some();
        for row in rows.iter().filter(is_chosen) {
            changes.extend(chosen(row, booking, &mut wanted, now)?);
        }
        missing.extend(wanted.into_iter().map(|one| (*meeting, *booking, one)));
    }
    apply::write(unit, &changes).await?;
    insert(unit, owner, &missing).await?;
    Ok(!changes.is_empty() || !missing.is_empty())
}

/// What becomes of a reminder. Takes it out of what is wanted if it is among that.
fn chosen<'r>(
    row: &'r ReminderRow,
    booking: &Booking,
    wanted: &mut Vec<MeetingReminder>,
    now: Timestamp,
) -> Result<Option<PlanChange<'r>>, DomainError> {
    let before = row.plan().map_err(internal_error)?;
    let place = wanted.iter().position(|one| Some(*one) == choice(row));
    let after = match (place, before.state) {
        // It comes back when the meeting has its room.
        (Some(place), ReminderState::Cancelled) if booking.state.is_on_waiting_list() => {
            wanted.remove(place);
            return Ok(None);
        }
        (Some(place), ReminderState::Cancelled) => decide::first(moment(booking, wanted.remove(place)), now),
        (Some(place), _) => {
            wanted.remove(place);
            return Ok(None);
        }
        (None, _) => match decide::cancelled(&before) {
            Ok(after) => after,
            // It was sent.
            Err(_) => return Ok(None),
        },
    };
    let verb = if after.state == ReminderState::Cancelled { "cancel" } else { "create" };
    Ok((after != before).then_some(PlanChange { row, before, after, verb, can_undo: false }))
}

/// Gives new meetings these reminders.
pub async fn add(
    unit: &mut UnitOfWork<'_>,
    owner: AccountId,
    meetings: &[(MeetingId, &Booking)],
    wanted: &[MeetingReminder],
) -> Result<(), DomainError> {
    let all: Vec<_> =
        meetings.iter().flat_map(|(id, booking)| wanted.iter().map(|one| (*id, *booking, *one))).collect();
    insert(unit, owner, &all).await
}

/// Stores new reminders with their tasks.
async fn insert(
    unit: &mut UnitOfWork<'_>,
    owner: AccountId,
    wanted: &[(MeetingId, &Booking, MeetingReminder)],
) -> Result<(), DomainError> {
    let now = unit.now();
    let (mut rows, mut tasks) = (Vec::with_capacity(wanted.len()), Vec::new());
    for (meeting, booking, one) in wanted {
        let mut row = new_row((meeting.0, owner), booking, *one, now);
        let is_scheduled = row.plan.state == ReminderState::Scheduled;
        let of = (row.id, &row.recipient);
        let task = is_scheduled.then(|| apply::new_task(unit.parts, of, owner, &row.plan));
        row.task = task.as_ref().map(|task| task.id);
        rows.push(row);
        tasks.extend(task);
    }
    reminder::insert(unit.tx.conn(), &rows, now).await.map_err(write_error(unit.parts))?;
    let actor = unit.presenter.actor.account;
    unit.record_events(rows.iter().map(|row| created(row, Some(actor), now)));
    apply::add_tasks(unit, tasks);
    Ok(())
}

/// Makes the reminders of meetings follow their bookings: called in each transaction that books,
/// moves or ends meetings.
pub async fn follow(unit: &mut UnitOfWork<'_>, changed: &[(MeetingId, &Booking)]) -> Result<(), DomainError> {
    let meetings: Vec<Uuid> = changed.iter().map(|(id, _)| id.0).collect();
    let rows = locked(unit, &meetings).await?;
    let bookings: HashMap<Uuid, &Booking> = changed.iter().map(|(id, booking)| (id.0, *booking)).collect();
    let (now, mut changes) = (unit.now(), Vec::new());
    for row in &rows {
        let booking = row.about_id.and_then(|id| bookings.get(&id));
        let (Some((anchor, offset)), Some(booking)) = (distance(row), booking) else { continue };
        let before = row.plan().map_err(internal_error)?;
        let is_on = booking.state.is_open() || (offset > 0 && booking.state == MeetingState::Ended);
        let moment = is_on.then(|| moment_of(booking, anchor, offset));
        let after = decide::followed(&before, moment, now);
        if after != before {
            let verb = if after.state == ReminderState::Cancelled { "cancel" } else { "move" };
            changes.push(PlanChange { row, before, after, verb, can_undo: false });
        }
    }
    apply::write(unit, &changes).await
}

/// Returns the reminders that the organizer chose for a meeting, without those that were removed.
pub async fn list(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    meeting: MeetingId,
) -> Result<Vec<Reminder>, DomainError> {
    let rows = reminder_list::about(conn.reborrow(), meeting.0).await.map_err(internal_error)?;
    let is_shown = |row: &ReminderRow| choice(row).is_some() && !read::is_removed(row);
    let shown: Vec<ReminderRow> = rows.into_iter().filter(is_shown).collect();
    read::present_all(conn, presenter, shown).await
}

/// Locks and loads the reminders of meetings.
async fn locked(unit: &mut UnitOfWork<'_>, meetings: &[Uuid]) -> Result<Vec<ReminderRow>, DomainError> {
    let ids = reminder::ids_about(unit.tx.conn(), meetings).await.map_err(internal_error)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    reminder_list::find_many(unit.tx.conn(), &ids).await.map_err(internal_error)
}

/// What the organizer chose; `None`: it is no such reminder.
fn choice(row: &ReminderRow) -> Option<MeetingReminder> {
    let by = match row.recipient().ok()? {
        Recipient::Bell => RemindBy::Bell,
        Recipient::Attendees => RemindBy::Mail,
        Recipient::Sms => RemindBy::Sms,
        _ => return None,
    };
    let (before, offset) = distance(row)?;
    Some(MeetingReminder { before, minutes: -offset, by })
}

/// From where on its moment counts, and the minutes after that; `None`: it is about nothing.
fn distance(row: &ReminderRow) -> Option<(Anchor, i32)> {
    Some((row.anchor.as_deref()?.parse().ok()?, row.offset_minutes?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(minutes: i32) -> MeetingReminder {
        MeetingReminder { before: Anchor::Start, minutes, by: RemindBy::Mail }
    }

    #[test]
    fn reminders_are_limited_and_each_counts_once() {
        assert_eq!(checked(vec![one(10), one(10), one(60)]).unwrap(), [one(10), one(60)]);
        assert!(checked(vec![one(0)]).is_err());
        assert!(checked(vec![one(MAX_MINUTES_BEFORE + 1)]).is_err());
        assert!(checked((1..=11).map(one).collect()).is_err());
    }
}
