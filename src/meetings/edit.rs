//! Changes text, attendees, time and room of a meeting.

use super::{
    book::wish,
    change::{self, Current, Next},
    check::{self, Times},
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
    Actor, DomainError, MeetingId, RoomId, Version,
    meetings::{Booking, Meeting, MeetingEdit, decide},
    reminders::MeetingReminder,
};
use store::attendee;

/// Changes a meeting if it still has the version the actor saw.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
    edit: MeetingEdit,
    seen: Version,
) -> Result<Meeting, DomainError> {
    let edit = Checked::of(edit)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let is_changed = edit_in(&mut unit, id, edit, seen).await?;
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    if is_changed {
        unit.commit().await?;
    }
    Ok(meeting)
}

/// A valid edit. `None`: unchanged.
#[derive(Default)]
pub struct Checked {
    title: Option<String>,
    description: Option<String>,
    link: Option<Option<String>>,
    room_id: Option<Option<RoomId>>,
    times: Option<Times>,
    attendees: Option<Vec<(String, String)>>,
    reminders: Option<Vec<MeetingReminder>>,
}

impl Checked {
    /// Another time alone.
    pub fn of_time(times: Option<Times>) -> Self {
        Self { times, ..Self::default() }
    }

    /// Validates an edit.
    pub fn of(edit: MeetingEdit) -> Result<Self, DomainError> {
        Ok(Self {
            title: edit.title.as_deref().map(check::title).transpose()?,
            description: edit.description.as_deref().map(check::description).transpose()?,
            link: edit.link.map(check::link).transpose()?,
            room_id: edit.room_id,
            attendees: edit.attendees.map(check::attendees).transpose()?,
            times: edit.time.map(check::times).transpose()?,
            reminders: edit.reminders.map(reminders::meeting::checked).transpose()?,
        })
    }
}

/// Changes a meeting in the transaction. `false`: the same request did it before, or nothing is to be
/// changed.
pub async fn edit_in(
    unit: &mut UnitOfWork<'_>,
    id: MeetingId,
    edit: Checked,
    seen: Version,
) -> Result<bool, DomainError> {
    let current = change::load(unit, id).await?;
    if !current.is_owner {
        return Err(DomainError::NotAllowed);
    }
    if find_idempotent_result(unit, id.0).await?.is_some() {
        return Ok(false);
    }
    change::check_seen(&current, seen)?;
    let state = current.booking.state;
    if !state.is_open() && !state.is_on_waiting_list() {
        let state = current.booking.state.to_string();
        return Err(DomainError::WrongState { what: "meeting".to_owned(), state });
    }
    let named_zone = edit.times.as_ref().and_then(|times| times.zone.clone());
    let wanted = Wanted {
        times: edit.times,
        room_id: edit.room_id.unwrap_or(current.booking.room_id),
        persons: edit.attendees.as_ref().map(Vec::len),
    };
    let booking = moved(unit, &current, wanted).await?;
    let is_moved = booking != current.booking;
    let plain = Next::new(&current, "edit", booking);
    let zone = named_zone.or_else(|| plain.booking.local.as_ref().map(|local| local.zone.clone()));
    let mut next = Next {
        title: edit.title.unwrap_or(plain.title),
        description: edit.description.unwrap_or(plain.description),
        link: edit.link.unwrap_or(plain.link),
        zone: zone.unwrap_or(plain.zone),
        can_undo: is_moved,
        ..plain
    };
    let has_other_attendees = match edit.attendees {
        Some(attendees) => attendee::replace(unit.tx.conn(), id, &attendees).await.map_err(internal_error)?,
        None => false,
    };
    let has_other_reminders = match edit.reminders {
        Some(reminders) => {
            let owner = current.row.organizer();
            reminders::meeting::choose(unit, owner, &[(id, &next.booking)], &reminders).await?
        }
        None => false,
    };
    next.verb = match () {
        () if is_moved => "move",
        () if has_other_attendees || has_other_text(&current, &next) => "edit",
        () if has_other_reminders => "remind",
        () => return Ok(false),
    };
    change::apply(unit, &current, next).await?;
    Ok(true)
}

/// Whether title, description, link or zone differ from those that are stored.
fn has_other_text(current: &Current, next: &Next) -> bool {
    let row = &current.row;
    let before = (&row.title, &row.description, &row.link, &row.time_zone);
    before != (&next.title, &next.description, &next.link, &next.zone)
}

/// What an edit asks for.
struct Wanted {
    /// New start and end; `None`: unchanged.
    times: Option<Times>,
    room_id: Option<RoomId>,
    /// New number of attendees; `None`: unchanged.
    persons: Option<usize>,
}

/// Returns the booking after the edit: at the new time, in the new room, if both are possible.
async fn moved(unit: &mut UnitOfWork<'_>, current: &Current, wanted: Wanted) -> Result<Booking, DomainError> {
    let before = &current.booking;
    let is_other_room = wanted.room_id != before.room_id;
    let is_other_time = wanted.times.is_some();
    let times = wanted.times.clone().unwrap_or_else(|| Times {
        starts_at: before.starts_at,
        ends_at: before.ends_at,
        local: before.local.clone(),
        zone: None,
        fields: ("starts_at", "ends_at"),
    });
    if is_other_time {
        let new_start = (times.starts_at != before.starts_at).then_some(times.starts_at);
        decide::check_times(times.starts_at, times.ends_at, unit.now(), times.fields)?;
        decide::check_not_past(new_start, times.ends_at, unit.now(), times.fields)?;
    }
    let rooms = [wanted.room_id, before.room_id].into_iter().flatten();
    let rooms = write::lock_rooms(unit, rooms).await?;
    let room = match wanted.room_id {
        Some(id) => Some(rooms.into_iter().find(|room| room.id == id).ok_or_else(write::unknown_room)?),
        None => None,
    };
    if let Some(room) = &room {
        check_room(unit, current, room, &wanted, &times).await?;
    }
    if !is_other_room && !is_other_time {
        return Ok(before.clone());
    }
    let booking = decide::move_to(before, wish(&times, room.as_ref()), current.decides, unit.now())?;
    if booking.takes_more_than(before) {
        write::check_free(unit, MeetingId(current.row.id), &booking).await?;
    }
    Ok(booking)
}

/// Checks what the edit changes against the room.
async fn check_room(
    unit: &mut UnitOfWork<'_>,
    current: &Current,
    room: &LockedRoom,
    wanted: &Wanted,
    times: &Times,
) -> Result<(), DomainError> {
    let is_other_room = current.booking.room_id != Some(room.id);
    if is_other_room {
        room.check_bookable(unit.presenter.actor.role)?;
    }
    match wanted.persons {
        Some(persons) => room.check_capacity(persons)?,
        None if is_other_room => {
            let id = MeetingId(current.row.id);
            let stored = attendee::list(unit.tx.conn(), id).await.map_err(internal_error)?;
            room.check_capacity(stored.len())?;
        }
        None => {}
    }
    if is_other_room || wanted.times.is_some() { room.check_open(times) } else { Ok(()) }
}
