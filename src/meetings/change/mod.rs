//! Changes the state of a meeting: each change is one compare-and-set with its tasks and its event.

pub mod bulk;
pub mod disabled_owner;

use super::{
    book::wish,
    check::{self, Times},
    invite::by_user,
    kinds::offer,
    may_decide, present,
    write::{self, LockedRoom},
};
use crate::{
    app_state::AppState,
    services::internal_error,
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, DomainError, MeetingId, Version,
    meetings::{Booking, Meeting, MeetingChange, decide, waiting},
};
use store::{
    meeting::{self, MeetingRow, MeetingUpdate},
    target,
};

/// A meeting that is being changed. Its target is locked.
pub struct Current {
    pub row: MeetingRow,
    pub booking: Booking,
    /// Whether the actor organizes it or is an admin.
    pub is_owner: bool,
    /// Whether the actor may decide requests of its organizer.
    pub decides: bool,
}

/// What a change makes of a meeting.
pub struct Next {
    pub verb: &'static str,
    pub booking: Booking,
    pub title: String,
    pub description: String,
    pub link: Option<String>,
    pub zone: String,
    pub reason: String,
    /// Whether the change can be undone.
    pub can_undo: bool,
}

impl Next {
    /// A change of the booking alone.
    pub fn new(current: &Current, verb: &'static str, booking: Booking) -> Self {
        let row = &current.row;
        Self {
            verb,
            booking,
            title: row.title.clone(),
            description: row.description.clone(),
            link: row.link.clone(),
            zone: row.time_zone.clone(),
            reason: row.reason.clone(),
            can_undo: true,
        }
    }
}

/// Changes the state of a meeting if it still has the version the actor saw.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
    change: MeetingChange,
    seen: Version,
) -> Result<Meeting, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let is_changed = change_in(&mut unit, id, change, seen).await?;
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    if is_changed {
        unit.commit().await?;
    }
    Ok(meeting)
}

/// Changes a meeting in the transaction. `false`: the same request did it before, or nothing is to be
/// changed.
pub async fn change_in(
    unit: &mut UnitOfWork<'_>,
    id: MeetingId,
    change: MeetingChange,
    seen: Version,
) -> Result<bool, DomainError> {
    let current = load(unit, id).await?;
    // A change that frees a room, takes it or waits for it has it locked.
    let rooms = lock_rooms(unit, &current, &change).await?;
    check_rights(&current, &change)?;
    if find_idempotent_result(unit, id.0).await?.is_some() {
        return Ok(false);
    }
    check_seen(&current, seen)?;
    let Some(next) = decided(unit, &current, change, &rooms)? else { return Ok(false) };
    if next.booking.takes_more_than(&current.booking) {
        if let Some(room) = next.booking.room_id {
            let room = rooms.iter().find(|one| one.id == room).ok_or_else(write::unknown_room)?;
            check_extension(room, &next)?;
        }
        write::check_free(unit, id, &next.booking).await?;
    }
    apply(unit, &current, next).await?;
    Ok(true)
}

/// Locks the rooms of a meeting before and after a change, in id order.
async fn lock_rooms(
    unit: &mut UnitOfWork<'_>,
    current: &Current,
    change: &MeetingChange,
) -> Result<Vec<LockedRoom>, DomainError> {
    let was = match change {
        MeetingChange::Undo => current.row.undo().and_then(|(_, _, was)| was.room_id),
        _ => None,
    };
    write::lock_rooms(unit, [current.booking.room_id, was].into_iter().flatten()).await
}

/// Locks and loads a meeting.
pub async fn load(unit: &mut UnitOfWork<'_>, id: MeetingId) -> Result<Current, DomainError> {
    let found = target::lock(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    if !found.iter().any(|target| target.kind == "meeting") {
        return Err(DomainError::no_such("meeting"));
    }
    let row = meeting::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let row = row.ok_or_else(|| DomainError::no_such("meeting"))?;
    let (actor, organizer) = (unit.presenter.actor, row.organizer());
    Ok(Current {
        booking: row.booking().map_err(internal_error)?,
        is_owner: actor.may_change(organizer),
        decides: may_decide(actor, organizer),
        row,
    })
}

/// Refuses a change by a version that is not the current one.
pub fn check_seen(current: &Current, seen: Version) -> Result<(), DomainError> {
    if current.row.version == seen.0 { Ok(()) } else { Err(DomainError::Changed) }
}

/// Everybody with an account may check in: the person at the door need not be the organizer.
fn check_rights(current: &Current, change: &MeetingChange) -> Result<(), DomainError> {
    let may = match change {
        MeetingChange::Approve | MeetingChange::Reject { .. } => current.decides,
        MeetingChange::CheckIn => true,
        MeetingChange::Cancel { .. }
        | MeetingChange::Accept
        | MeetingChange::Decline
        | MeetingChange::End
        | MeetingChange::Extend { .. } => current.is_owner,
        MeetingChange::Undo => {
            let verb = current.row.undo_verb.as_deref().unwrap_or_default();
            present::may_undo(verb, current.is_owner, current.decides)
        }
    };
    if may { Ok(()) } else { Err(DomainError::NotAllowed) }
}

/// Decides what the change makes of the meeting; `None`: nothing is to be changed.
fn decided(
    unit: &UnitOfWork<'_>,
    current: &Current,
    change: MeetingChange,
    rooms: &[LockedRoom],
) -> Result<Option<Next>, DomainError> {
    let (now, before) = (unit.now(), &current.booking);
    let next = |verb, booking| Next::new(current, verb, booking);
    Ok(Some(match change {
        MeetingChange::Accept => {
            let room = rooms.iter().find(|room| before.room_id == Some(room.id));
            let (starts_at, ends_at, local) = (before.starts_at, before.ends_at, before.local.clone());
            let times = Times { starts_at, ends_at, local, zone: None, fields: ("starts_at", "ends_at") };
            let booking = waiting::accept(before, wish(&times, room), now)?;
            Next { can_undo: false, ..next("accept", booking) }
        }
        MeetingChange::Decline => next("decline", waiting::decline(before)?),
        MeetingChange::Approve => next("approve", decide::approve(before, now)?),
        MeetingChange::Reject { reason } => {
            let reason = check::reason(&reason)?;
            Next { reason, ..next("reject", decide::reject(before)?) }
        }
        MeetingChange::Cancel { reason } => {
            let reason = check::reason(&reason)?;
            Next { reason, ..next("cancel", decide::cancel(before)?) }
        }
        MeetingChange::CheckIn => {
            let booking = decide::check_in(before, now)?;
            if booking == *before {
                return Ok(None);
            }
            next("check_in", booking)
        }
        MeetingChange::End => next("end", decide::end(before, now)?),
        MeetingChange::Extend { minutes } => next("extend", decide::extend(before, minutes, now)?),
        MeetingChange::Undo => {
            let (verb, _, was) = current.row.undo().ok_or(DomainError::CannotUndo)?;
            if decide::is_of_series(verb) {
                return Err(DomainError::CannotUndo);
            }
            let booking = decide::undo(verb, before, &was, now).ok_or(DomainError::CannotUndo)?;
            let zone = booking.local.as_ref().map(|local| local.zone.clone());
            let plain = next("undo", booking);
            let zone = zone.unwrap_or_else(|| plain.zone.clone());
            Next { zone, reason: String::new(), can_undo: false, ..plain }
        }
    }))
}

/// A meeting that is extended must stay within the opening hours.
fn check_extension(room: &LockedRoom, next: &Next) -> Result<(), DomainError> {
    if next.verb != "extend" {
        return Ok(());
    }
    room.check_open(&Times {
        starts_at: next.booking.starts_at,
        ends_at: next.booking.ends_at,
        local: None,
        zone: None,
        fields: ("minutes", "minutes"),
    })
}

/// Writes the change with its tasks and its event. What the booking takes of its room must be free.
pub async fn apply(unit: &mut UnitOfWork<'_>, current: &Current, next: Next) -> Result<(), DomainError> {
    let id = MeetingId(current.row.id);
    let update = MeetingUpdate {
        title: &next.title,
        description: &next.description,
        link: next.link.as_deref(),
        zone: &next.zone,
        booking: &next.booking,
        reason: &next.reason,
        undo: next.can_undo.then_some((next.verb, unit.now(), &current.booking)),
    };
    let changed = meeting::update(unit.tx.conn(), id, Version(current.row.version), &update).await;
    let version = changed.map_err(write::refused_write(unit))?.ok_or(DomainError::Changed)?;
    let bookings = (Some(&current.booking), &next.booking);
    let event = write::event(unit, id, next.verb, bookings, (version.0, &next.reason));
    unit.record_events([event]);
    write::follow(unit, (id, current.row.organizer()), &next.booking, true).await?;
    by_user::send(unit, &[id]).await?;
    write::offer_freed(unit, &offer::freed(&current.booking, &next.booking)).await
}
