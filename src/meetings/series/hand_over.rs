//! Makes another account the organizer of a meeting; of one that repeats, of its whole series.

use crate::{
    accounts::actor_of,
    app_state::AppState,
    meetings::{change, present, write},
    services::{internal_error, write_error},
    tasks::{
        query,
        unit_of_work::{UnitOfWork, find_idempotent_result, parsed},
    },
};
use domain::{
    AccountId, Actor, DomainError, MeetingId, Role, RoomId, Version,
    error::ValidationError,
    meetings::{Meeting, MeetingState},
};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use store::{
    account,
    event::NewEvent,
    meeting::{self, MeetingRow},
    reminder,
    series::{self, hand_over::reassign},
    series_invite, target,
};
use uuid::Uuid;

/// Makes another account the organizer of a meeting and of those of its series that have not ended, if the
/// meeting still has the version the actor saw. `to`: id or name of the new organizer, or `me`.
pub async fn hand_over(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
    to: &str,
    seen: Version,
) -> Result<Meeting, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let (meetings, all_series) = lock(&mut unit, id).await?;
    let current = change::load(&mut unit, id).await?;
    // Before the rights: who handed it over is no longer its organizer.
    if find_idempotent_result(&mut unit, id.0).await?.is_some() {
        return present::meeting(unit.tx.conn(), &unit.presenter, id).await;
    }
    if !current.is_owner {
        return Err(DomainError::NotAllowed);
    }
    change::check_seen(&current, seen)?;
    let state = current.booking.state;
    if !state.is_open() && !state.is_on_waiting_list() {
        return Err(DomainError::WrongState { what: "meeting".to_owned(), state: state.to_string() });
    }
    // It may have become part of another series before the lock.
    if current.row.series_id.is_some_and(|own| !all_series.contains(&own)) {
        return Err(DomainError::Changed);
    }
    let (from, (to, name, role)) = (current.row.organizer(), new_organizer(&mut unit, to).await?);
    let is_other = from != to;
    if is_other {
        let rooms = rooms(&mut unit, &current.row, (&meetings, &all_series)).await?;
        check_rooms(&mut unit, rooms, role).await?;
        store(&mut unit, (&meetings, &all_series), from, (to, name)).await?;
    }
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    if is_other {
        unit.commit().await?;
    }
    Ok(meeting)
}

/// Locks the meeting, its series, those that it continues or that continue it, their meetings, and the reminders
/// about these: all at once, in the order of ids. Returns the meetings and the series.
async fn lock(unit: &mut UnitOfWork<'_>, id: MeetingId) -> Result<(Vec<Uuid>, Vec<Uuid>), DomainError> {
    let row = meeting::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let row = row.ok_or_else(|| DomainError::no_such("meeting"))?;
    let mut all: Vec<Uuid> = row.series_id.into_iter().collect();
    loop {
        let related = series_invite::related(unit.tx.conn(), &all).await.map_err(internal_error)?;
        if related.len() <= all.len() {
            break;
        }
        all = related;
    }
    let mut meetings = vec![id.0];
    for one in &all {
        meetings.extend(series::meeting_ids(unit.tx.conn(), *one).await.map_err(internal_error)?);
    }
    let reminders = reminder::ids_about(unit.tx.conn(), &meetings).await.map_err(internal_error)?;
    let targets: Vec<Uuid> = meetings.iter().chain(&all).chain(&reminders).copied().collect();
    target::lock(unit.tx.conn(), &targets).await.map_err(internal_error)?;
    Ok((meetings, all))
}

/// An account that exists and is not disabled, its name and its role.
async fn new_organizer(
    unit: &mut UnitOfWork<'_>,
    to: &str,
) -> Result<(AccountId, String, Role), DomainError> {
    let (actor, to) = (unit.presenter.actor, to.trim());
    let id = match to.parse::<AccountId>() {
        Ok(id) => id,
        Err(_) => AccountId(query::owner(unit.tx.conn(), actor, to, "organizer").await?),
    };
    let found = account::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let found = found.filter(|account| account.is_disabled == 0);
    let found = found.ok_or_else(|| DomainError::invalid("organizer", ValidationError::Unknown))?;
    let role = actor_of(&found).map_err(internal_error)?.role;
    Ok((id, found.name, role))
}

/// The rooms of what is handed over with a meeting: its own, those of the meetings of the series that have not
/// ended, and those that a series will book. `Changed` if a meeting was added before the lock.
async fn rooms(
    unit: &mut UnitOfWork<'_>,
    current: &MeetingRow,
    (meetings, all_series): (&[Uuid], &[Uuid]),
) -> Result<BTreeSet<Uuid>, DomainError> {
    let (from, locked) = (current.organizer_id, meetings.iter().collect::<HashSet<_>>());
    let mut rooms: BTreeSet<Uuid> = current.room_id.into_iter().collect();
    for one in series_invite::meetings(unit.tx.conn(), all_series).await.map_err(internal_error)? {
        let row = one.meeting;
        if !locked.contains(&row.id) {
            return Err(DomainError::Changed);
        }
        let state: MeetingState = parsed(&row.state)?;
        if row.organizer_id == from && (state.is_open() || state.is_on_waiting_list()) {
            rooms.extend(row.room_id);
        }
    }
    let extending = series_invite::extending(unit.tx.conn(), all_series).await.map_err(internal_error)?;
    for row in series::load(unit.tx.conn(), all_series).await.map_err(internal_error)? {
        if row.owner_id == from && extending.contains(&row.id) {
            rooms.extend(row.template().map_err(internal_error)?.room_id.map(|room| room.0));
        }
    }
    Ok(rooms)
}

/// Refuses an organizer with a role that may not book one of these rooms, unless an admin chose the person. When
/// rooms are open does not matter: no booking changes its time.
async fn check_rooms(
    unit: &mut UnitOfWork<'_>,
    rooms: BTreeSet<Uuid>,
    role: Role,
) -> Result<(), DomainError> {
    if unit.presenter.actor.is_admin() {
        return Ok(());
    }
    let rooms = write::lock_rooms(unit, rooms.into_iter().map(RoomId)).await?;
    match rooms.iter().any(|room| role < room.settings.booked_by) {
        true => Err(DomainError::NotAllowed),
        false => Ok(()),
    }
}

/// Stores the new organizer and the events, which name the organizer unless it is the actor.
async fn store(
    unit: &mut UnitOfWork<'_>,
    (meetings, all_series): (&[Uuid], &[Uuid]),
    from: AccountId,
    (to, name): (AccountId, String),
) -> Result<(), DomainError> {
    // Those that were set before the meetings were locked.
    let reminders = reminder::ids_about(unit.tx.conn(), meetings).await.map_err(internal_error)?;
    target::lock(unit.tx.conn(), &reminders).await.map_err(internal_error)?;
    let handed = reassign(unit.tx.conn(), (meetings, all_series), (from, to)).await;
    let handed = handed.map_err(write_error(unit.parts))?;
    let (now, actor) = (unit.now(), unit.presenter.actor.account);
    let detail = match to == actor {
        true => json!({ "owner_id": to, "was_owner_id": from }),
        false => json!({ "to": name, "owner_id": to, "was_owner_id": from }),
    };
    let event = |entity: &'static str, (id, version): (Uuid, i32)| NewEvent {
        version: Some(version),
        detail: detail.to_string(),
        ..NewEvent::simple(now, Some(actor), entity, id, "hand_over")
    };
    let of_meetings = handed.meetings.into_iter().map(|one| event("meeting", one));
    let of_series = handed.series.into_iter().map(|one| event("series", one));
    let events: Vec<NewEvent> = of_meetings.chain(of_series).collect();
    unit.record_events(events);
    unit.write_events().await
}
