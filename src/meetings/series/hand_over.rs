//! Makes another account the organizer of a meeting; of one that repeats, of its whole series.

use crate::{
    accounts::actor_of,
    app_state::AppState,
    meetings::{change, present},
    services::{internal_error, write_error},
    tasks::{
        query,
        unit_of_work::{UnitOfWork, find_idempotent_result},
    },
};
use domain::{
    AccountId, Actor, DomainError, MeetingId, Role, RoomId, Version, error::ValidationError,
    meetings::Meeting,
};
use serde_json::json;
use store::{
    account,
    event::NewEvent,
    meeting, reminder, room,
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
    if !current.is_owner {
        return Err(DomainError::NotAllowed);
    }
    if find_idempotent_result(&mut unit, id.0).await?.is_some() {
        return present::meeting(unit.tx.conn(), &unit.presenter, id).await;
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
        check_room(&mut unit, current.booking.room_id, role).await?;
        write(&mut unit, (&meetings, &all_series), from, (to, name)).await?;
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

/// Refuses an organizer with a role that may not book the room, unless an admin chose the person.
async fn check_room(unit: &mut UnitOfWork<'_>, room: Option<RoomId>, role: Role) -> Result<(), DomainError> {
    let Some(room) = room.filter(|_| !unit.presenter.actor.is_admin()) else { return Ok(()) };
    let found = room::find(unit.tx.conn(), room).await.map_err(internal_error)?;
    let settings = found.map(|row| row.settings()).transpose().map_err(internal_error)?;
    match settings.is_some_and(|settings| role < settings.booked_by) {
        true => Err(DomainError::NotAllowed),
        false => Ok(()),
    }
}

/// Writes the new organizer and the events, which name the organizer unless it is the actor.
async fn write(
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
