//! Books a meeting.

use super::{
    check::{self, Times},
    invite::by_user,
    present,
    write::{self, LockedRoom},
};
use crate::{
    app_state::AppState,
    reminders,
    services::internal_error,
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, DomainError, MeetingId,
    meetings::{
        Booking, MAX_WAITING, Meeting, NewMeeting,
        decide::{self, RoomFacts, Wish},
        waiting,
    },
    reminders::MeetingReminder,
};
use store::{
    announcement, attendee, due_reminder,
    meeting::{self, NewMeetingRow},
};

/// What happens if the room is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfTaken {
    /// The meeting is refused.
    Refuse,
    /// The meeting waits for the room.
    Wait,
}

/// Books a meeting: checks the input, locks the room, and writes the meeting with its tasks.
pub async fn book(
    parts: &AppState,
    actor: &Actor,
    new: NewMeeting,
    if_taken: IfTaken,
) -> Result<Meeting, DomainError> {
    let title = check::title(&new.title)?;
    let description = check::description(&new.description)?;
    let link = check::link(new.link)?;
    let attendees = check::attendees(new.attendees)?;
    let times = check::times(new.time)?;
    let chosen = new.reminders.map(reminders::meeting::checked).transpose()?;
    let id = MeetingId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return present::meeting(unit.tx.conn(), &unit.presenter, MeetingId(done)).await;
    }
    let now = unit.now();
    decide::check_times(times.starts_at, times.ends_at, now, times.fields)?;
    decide::check_not_past(Some(times.starts_at), times.ends_at, now, times.fields)?;
    let room = match new.room_id {
        Some(room) => Some(write::lock_room(&mut unit, room).await?),
        None => None,
    };
    if let Some(room) = &room {
        room.check_bookable(actor.role)?;
        room.check_capacity(attendees.len())?;
        room.check_open(&times)?;
    }
    let zone = times.zone.clone().unwrap_or_else(|| actor.zone.clone());
    let booked = decide::book(wish(&times, room.as_ref()), now);
    let booking = match place(&mut unit, id, booked, (&title, if_taken)).await? {
        Placed::Now(booking) => booking,
        Placed::WaitsAlready(id) => return present::meeting(unit.tx.conn(), &unit.presenter, id).await,
    };
    let row = NewMeetingRow {
        id,
        title: &title,
        description: &description,
        link: link.as_deref(),
        organizer: actor.account,
        zone: &zone,
        booking: &booking,
        occurrence: None,
        created_at: now,
    };
    let written = meeting::insert(unit.tx.conn(), &row).await;
    written.map_err(write::refused_write(&unit))?;
    if !attendees.is_empty() {
        attendee::replace(unit.tx.conn(), id, &attendees).await.map_err(internal_error)?;
    }
    let event = write::event(&unit, id, "book", (None, &booking), (1, ""));
    unit.record_events([event]);
    let wanted = chosen_or_usual(&mut unit, chosen, room.as_ref()).await?;
    reminders::meeting::add(&mut unit, actor.account, &[(id, &booking)], &wanted).await?;
    write::follow(&mut unit, (id, actor.account), &booking, false).await?;
    if !attendees.is_empty() {
        by_user::send(&mut unit, &[id]).await?;
    }
    let booked = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    unit.commit().await?;
    Ok(booked)
}

/// Returns the reminders of a new meeting: those that were chosen, else the usual ones of its room, else of the
/// actor. There are no usual ones without a mail server.
pub async fn chosen_or_usual(
    unit: &mut UnitOfWork<'_>,
    chosen: Option<Vec<MeetingReminder>>,
    room: Option<&LockedRoom>,
) -> Result<Vec<MeetingReminder>, DomainError> {
    if let Some(chosen) = chosen {
        return Ok(chosen);
    }
    let mut minutes = room.map(|room| room.settings.policy.reminder_minutes.clone()).unwrap_or_default();
    if minutes.is_empty() {
        let account = unit.presenter.actor.account;
        let choices = announcement::choices(unit.tx.conn(), account).await.map_err(internal_error)?;
        minutes = choices.usual_minutes();
    }
    if minutes.is_empty() {
        return Ok(Vec::new());
    }
    let (mail_server, _) = due_reminder::channels(unit.tx.conn()).await.map_err(internal_error)?;
    match mail_server {
        Some(_) => reminders::meeting::checked(domain::reminders::usual_reminders(&minutes)),
        None => Ok(Vec::new()),
    }
}

/// Where a new meeting has its place.
enum Placed {
    /// It is written so.
    Now(Booking),
    /// The same meeting waits already: the request was sent twice.
    WaitsAlready(MeetingId),
}

/// Finds the place of a new meeting: in its room or, if that is taken and the caller wants it, on the
/// waiting list.
async fn place(
    unit: &mut UnitOfWork<'_>,
    id: MeetingId,
    booked: Booking,
    (title, if_taken): (&str, IfTaken),
) -> Result<Placed, DomainError> {
    let refusal = match write::check_free(unit, id, &booked).await {
        Err(refusal @ DomainError::RoomTaken { .. }) if if_taken == IfTaken::Wait => refusal,
        other => return other.map(|()| Placed::Now(booked)),
    };
    if booked.starts_at <= unit.now() {
        return Err(refusal);
    }
    let of = (unit.presenter.actor.account, title);
    let (waiting, same) = store::waiting::queue(unit.tx.conn(), &booked, of).await.map_err(internal_error)?;
    match same {
        Some(id) => Ok(Placed::WaitsAlready(id)),
        None if waiting >= MAX_WAITING => Err(refusal),
        None => Ok(Placed::Now(waiting::wait(&booked))),
    }
}

/// When and where the meeting is to take place.
pub fn wish<'w>(times: &Times, room: Option<&'w LockedRoom>) -> Wish<'w> {
    Wish {
        starts_at: times.starts_at,
        ends_at: times.ends_at,
        local: times.local.clone(),
        room: room.map(|room| RoomFacts { id: room.id, policy: &room.settings.policy }),
    }
}
