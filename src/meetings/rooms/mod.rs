//! Rooms: list, change, archive, order.

pub mod door;
pub mod grid;
pub mod locked;

use super::{check, present};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, DomainError, RoomId, Version,
    error::ValidationError,
    meetings::{MAX_ROOMS, Room, RoomSettings},
};
use std::collections::HashSet;
use store::{PoolRole, StoreError, event::NewEvent, room, setting};

/// Returns all rooms in their order.
pub async fn list(parts: &AppState, actor: &Actor, with_archived: bool) -> Result<Vec<Room>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = room::list(lease.conn(), with_archived).await.map_err(internal_error)?;
    rows.iter().map(|row| present::room(&presenter, row)).collect()
}

/// Returns one room.
pub async fn find(parts: &AppState, actor: &Actor, id: RoomId) -> Result<Room, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = room::find(lease.conn(), id).await.map_err(internal_error)?;
    present::room(&presenter, &row.ok_or_else(|| DomainError::no_such("room"))?)
}

/// Creates a room.
pub async fn add(parts: &AppState, actor: &Actor, new: RoomSettings) -> Result<Room, DomainError> {
    admin_only(actor)?;
    let new = check::room(new)?;
    let id = RoomId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return load(&mut unit, RoomId(done)).await;
    }
    let count = room::count(unit.tx.conn()).await.map_err(internal_error)?;
    if usize::try_from(count).unwrap_or(usize::MAX) >= MAX_ROOMS {
        let max = u32::try_from(MAX_ROOMS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("name", ValidationError::TooMany { max }));
    }
    let new = with_zone(&mut unit, new).await?;
    let now = unit.now();
    let stored = room::insert(unit.tx.conn(), id, &new, now).await;
    stored.map_err(|error| name_taken(parts, error))?;
    finish(unit, id, "add", 1).await
}

/// Changes a room.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: RoomId,
    settings: RoomSettings,
    seen: Version,
) -> Result<Room, DomainError> {
    admin_only(actor)?;
    let settings = check::room(settings)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    lock(&mut unit, id).await?;
    let settings = with_zone(&mut unit, settings).await?;
    let changed = room::update(unit.tx.conn(), id, &settings, seen).await;
    let version = changed.map_err(|error| name_taken(parts, error))?.ok_or(DomainError::Changed)?;
    finish(unit, id, "edit", version.0).await
}

/// Archives a room, or brings it back.
pub async fn archive(
    parts: &AppState,
    actor: &Actor,
    id: RoomId,
    is_archived: bool,
    seen: Version,
) -> Result<Room, DomainError> {
    admin_only(actor)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    lock(&mut unit, id).await?;
    let at = is_archived.then(|| unit.now());
    let changed = room::archive(unit.tx.conn(), id, at, seen).await.map_err(write_error(parts))?;
    let version = changed.ok_or(DomainError::Changed)?;
    finish(unit, id, if is_archived { "archive" } else { "unarchive" }, version.0).await
}

/// Puts the rooms into this order.
pub async fn reorder(parts: &AppState, actor: &Actor, order: Vec<RoomId>) -> Result<Vec<Room>, DomainError> {
    admin_only(actor)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let all = room::list(unit.tx.conn(), true).await.map_err(internal_error)?;
    let known: HashSet<RoomId> = all.iter().map(|row| RoomId(row.id)).collect();
    let (mut seen, mut wanted) = (HashSet::new(), Vec::with_capacity(all.len()));
    for id in order.into_iter().chain(all.iter().map(|row| RoomId(row.id))) {
        if !known.contains(&id) {
            return Err(DomainError::no_such("room"));
        }
        if seen.insert(id) {
            wanted.push(id);
        }
    }
    room::lock(unit.tx.conn(), &wanted).await.map_err(internal_error)?;
    room::reorder(unit.tx.conn(), &wanted).await.map_err(write_error(parts))?;
    if let Some(first) = wanted.first() {
        let by = Some(actor.account);
        unit.record_events([NewEvent::simple(unit.now(), by, "room", first.0, "reorder")]);
    }
    let rows = room::list(unit.tx.conn(), true).await.map_err(internal_error)?;
    let rooms = rows.iter().map(|row| present::room(&unit.presenter, row)).collect::<Result<_, _>>()?;
    unit.commit().await?;
    Ok(rooms)
}

async fn lock(unit: &mut UnitOfWork<'_>, id: RoomId) -> Result<(), DomainError> {
    let found = room::lock(unit.tx.conn(), &[id]).await.map_err(internal_error)?;
    if found.is_empty() { Err(DomainError::no_such("room")) } else { Ok(()) }
}

async fn load(unit: &mut UnitOfWork<'_>, id: RoomId) -> Result<Room, DomainError> {
    let row = room::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    present::room(&unit.presenter, &row.ok_or_else(|| DomainError::no_such("room"))?)
}

/// Records the event, commits and returns the room.
async fn finish(
    mut unit: UnitOfWork<'_>,
    id: RoomId,
    verb: &'static str,
    version: i32,
) -> Result<Room, DomainError> {
    let by = Some(unit.presenter.actor.account);
    let event = NewEvent::simple(unit.now(), by, "room", id.0, verb);
    unit.record_events([NewEvent { version: Some(version), ..event }]);
    let room = load(&mut unit, id).await?;
    unit.commit().await?;
    Ok(room)
}

/// A room without a zone gets that of the site.
async fn with_zone(unit: &mut UnitOfWork<'_>, settings: RoomSettings) -> Result<RoomSettings, DomainError> {
    if settings.zone.is_some() {
        return Ok(settings);
    }
    let site = setting::site_settings(unit.tx.conn()).await.map_err(internal_error)?;
    Ok(RoomSettings { zone: Some(site.zone), ..settings })
}

fn name_taken(parts: &AppState, error: StoreError) -> DomainError {
    if error.is_unique_violation() {
        return DomainError::Taken { what: "name".to_owned() };
    }
    write_error(parts)(error)
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}
