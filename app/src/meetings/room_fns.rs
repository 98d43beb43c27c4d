//! Rooms: the grid, free rooms, and the settings.

use super::form_values::TypedTime;
#[cfg(feature = "ssr")]
use super::form_values::room_of;
use super::room_form::RoomForm;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::{
    Actor, Services, Timestamp, Version,
    error::ValidationError,
    meetings::{FreeQuery, equipment_of, use_cases::GridQuery},
};
use domain::{
    DomainError, LocalizedTime, MeetingId, RoomId,
    meetings::{Busy, FreeRoom, Room, use_cases::RoomGrid},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// All rooms in their order.
#[server(name = ListRooms, prefix = "/fn", endpoint = "rooms", output = JsonOutput)]
pub async fn list_rooms(with_archived: bool) -> Result<Vec<Room>, Refused> {
    ssr::respond(async { ssr::services()?.rooms.list(&ssr::actor()?, with_archived).await }.await)
}

/// Free and busy times of rooms. An invalid date means today. `room`: id of the only room.
#[server(name = ReadRoomGrid, prefix = "/fn", endpoint = "room_grid", output = JsonOutput)]
pub async fn room_grid(date: Option<String>, days: u8, room: Option<String>) -> Result<RoomGrid, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let room_id = match room {
                Some(id) => Some(id.parse::<RoomId>().map_err(|_| DomainError::no_such("room"))?),
                None => None,
            };
            let query = GridQuery { date, days, room_id };
            match services.rooms.grid(&actor, query.clone()).await {
                Err(DomainError::Invalid { .. }) => {
                    services.rooms.grid(&actor, GridQuery { date: None, ..query }).await
                }
                other => other,
            }
        }
        .await,
    )
}

/// The question for a free room, as it is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomSearch {
    /// `YYYY-MM-DD`, in the user's time zone.
    pub date: String,
    /// `HH:MM`.
    pub start: String,
    /// `HH:MM`.
    pub end: String,
    /// Number of persons; empty: any.
    pub people: String,
    /// Equipment, separated by commas; empty: any.
    #[serde(default)]
    pub equipment: String,
}

/// The free rooms, and the time for which they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundRooms {
    /// The start.
    pub start: LocalizedTime,
    /// The end.
    pub end: LocalizedTime,
    /// The rooms that are free in between.
    pub rooms: Vec<FreeRoom>,
}

/// Finds free rooms; `None` for an incomplete question.
#[server(name = FindRooms, prefix = "/fn", endpoint = "free_rooms", output = JsonOutput)]
pub async fn find_rooms(search: Option<RoomSearch>) -> Result<Option<FoundRooms>, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let Some(search) = search else { return Ok(None) };
            let zone = actor.zone.clone();
            let (date, time, end) = (search.date, search.start, search.end);
            let typed = TypedTime { date, time, end, zone, ..TypedTime::default() };
            let (start, end) = resolve(&services, &actor, &typed).await?;
            let people = search.people.trim();
            let capacity = match people.parse() {
                Ok(number) => Some(number),
                Err(_) if people.is_empty() => None,
                Err(_) => return Err(not_a_count("people")),
            };
            let query = FreeQuery {
                from: start.at,
                to: end.at,
                capacity,
                equipment: equipment_of(&search.equipment),
            };
            Ok(Some(FoundRooms { start, end, rooms: services.rooms.free(&actor, query).await? }))
        }
        .await,
    )
}

/// Whether the chosen room is free, and which others are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Checked {
    /// Start or end is missing.
    Incomplete,
    /// The times are invalid.
    Refused(DomainError),
    /// The times are valid.
    Known(Box<Availability>),
}

/// What is free at the chosen time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Availability {
    /// The start.
    pub start: LocalizedTime,
    /// The end.
    pub end: LocalizedTime,
    /// The chosen room; `None`: none is chosen.
    pub room: Option<RoomAvailability>,
    /// The rooms that are free.
    pub free: Vec<FreeRoom>,
    /// Whether the desk has rooms.
    pub has_rooms: bool,
    /// The other people of the desk, for a new meeting.
    pub people: Vec<PersonChoice>,
}

/// A person whom a new meeting can invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonChoice {
    /// Id of the account.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Start and end of what the person has then; `None`: the person is free.
    pub busy: Option<(LocalizedTime, LocalizedTime)>,
}

/// Whether the chosen room is free.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoomAvailability {
    /// The room.
    pub room: Room,
    /// Whether it is free.
    pub is_free: bool,
    /// What is in the way.
    pub busy: Vec<Busy>,
    /// When it is free for the same duration.
    pub next_free: Option<LocalizedTime>,
}

/// Checks the times of a form. `except`: the meeting that is moved.
#[server(name = CheckMeeting, prefix = "/fn", endpoint = "check_meeting", output = JsonOutput)]
pub async fn check_meeting(
    room_id: String,
    time: TypedTime,
    except: Option<MeetingId>,
) -> Result<Checked, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let is_missing = |text: &String| text.trim().is_empty();
            if [&time.date, &time.time, &time.zone, &time.end].into_iter().any(is_missing) {
                return Ok(Checked::Incomplete);
            }
            let (start, end) = match resolve(&services, &actor, &time).await {
                Ok(span) => span,
                Err(refusal) if refusal.status() < 500 => return Ok(Checked::Refused(refusal)),
                Err(failure) => return Err(failure),
            };
            let query = FreeQuery { from: start.at, to: end.at, ..FreeQuery::default() };
            let free = services.rooms.free(&actor, query).await?;
            let room = match room_of(&room_id)? {
                Some(id) => {
                    Some(check_room(&services, &actor, (id, except), (start.at, end.at), &free).await?)
                }
                None => None,
            };
            let has_rooms = !free.is_empty() || !services.rooms.list(&actor, false).await?.is_empty();
            let people = match except {
                Some(_) => Vec::new(),
                None => other_people(&services, &actor, (start.at, end.at)).await?,
            };
            Ok(Checked::Known(Box::new(Availability { start, end, room, free, has_rooms, people })))
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn other_people(
    services: &Services,
    actor: &Actor,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<PersonChoice>, DomainError> {
    let people = services.meetings.people(actor, from, to).await?.into_iter();
    let others = people.filter(|person| person.account != actor.account);
    Ok(others
        .map(|person| PersonChoice { id: person.account.to_string(), name: person.name, busy: person.busy })
        .collect())
}

#[cfg(feature = "ssr")]
async fn check_room(
    services: &Services,
    actor: &Actor,
    (id, except): (RoomId, Option<MeetingId>),
    (from, to): (Timestamp, Timestamp),
    free: &[FreeRoom],
) -> Result<RoomAvailability, DomainError> {
    if let Some(found) = free.iter().find(|found| found.room.id == id) {
        return Ok(RoomAvailability {
            room: found.room.clone(),
            is_free: true,
            busy: Vec::new(),
            next_free: None,
        });
    }
    let room = services.rooms.find(actor, id).await?;
    let all = services.rooms.busy(actor, id, from, to).await?;
    let has_own = all.iter().any(|busy| Some(busy.meeting_id) == except);
    let busy: Vec<Busy> = all.into_iter().filter(|busy| Some(busy.meeting_id) != except).collect();
    if has_own && busy.is_empty() {
        return Ok(RoomAvailability { room, is_free: true, busy, next_free: None });
    }
    let minutes = i32::try_from(to.since(from) / 60_000).unwrap_or(i32::MAX);
    let next_free = services.rooms.next_free(actor, id, from, minutes).await?;
    Ok(RoomAvailability { room, is_free: false, busy, next_free })
}

/// Resolves start and end.
#[cfg(feature = "ssr")]
async fn resolve(
    services: &Services,
    actor: &Actor,
    typed: &TypedTime,
) -> Result<(LocalizedTime, LocalizedTime), DomainError> {
    let (start, end) = typed.ends();
    let start = services.tasks.resolve(actor, &start).await?;
    let end = services.tasks.resolve(actor, &end).await?;
    if end.at <= start.at {
        return Err(DomainError::invalid("local_end", ValidationError::NotAfterStart));
    }
    Ok((start, end))
}

#[cfg(feature = "ssr")]
fn not_a_count(field: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::NotBetween { min: 1, max: domain::meetings::MAX_CAPACITY })
}

/// Adds a room.
#[server(name = AddRoom, prefix = "/fn", endpoint = "add_room", output = JsonOutput)]
pub async fn add_room(room: RoomForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.rooms.add(&ssr::actor()?, room.read(None)?).await?;
            ssr::redirect("/settings/rooms?done=add");
            Ok(())
        }
        .await,
    )
}

/// Changes the settings of a room.
#[server(name = EditRoom, prefix = "/fn", endpoint = "edit_room", output = JsonOutput)]
pub async fn edit_room(id: RoomId, seen: i32, room: RoomForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let before = services.rooms.find(&actor, id).await?;
            services.rooms.edit(&actor, id, room.read(Some(before.settings))?, Version(seen)).await?;
            ssr::redirect("/settings/rooms?done=save");
            Ok(())
        }
        .await,
    )
}

/// Archives a room, or restores it.
#[server(name = ArchiveRoom, prefix = "/fn", endpoint = "archive_room", output = JsonOutput)]
pub async fn archive_room(id: RoomId, seen: i32, is_archived: bool) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.rooms.archive(&ssr::actor()?, id, is_archived, Version(seen)).await?;
            let done = if is_archived { "archive" } else { "restore" };
            ssr::redirect(&with_done("/settings/rooms", done));
            Ok(())
        }
        .await,
    )
}

/// Moves a room one place up or down in the order.
#[server(name = OrderRoom, prefix = "/fn", endpoint = "order_room", output = JsonOutput)]
pub async fn order_room(id: RoomId, is_up: bool) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let rooms = services.rooms.list(&actor, false).await?;
            let mut order: Vec<RoomId> = rooms.iter().map(|room| room.id).collect();
            let place = order.iter().position(|other| *other == id);
            let place = place.ok_or_else(|| DomainError::no_such("room"))?;
            let other = if is_up { place.checked_sub(1) } else { Some(place + 1) };
            if let Some(other) = other.filter(|other| *other < order.len()) {
                order.swap(place, other);
            }
            services.rooms.reorder(&actor, order).await?;
            ssr::redirect(&with_done("/settings/rooms", "order"));
            Ok(())
        }
        .await,
    )
}

/// Creates the secret link of a room's door page and returns it. `pin`: empty: the room cannot be
/// booked at the door.
#[server(name = CreateDoor, prefix = "/fn", endpoint = "create_door", output = JsonOutput)]
pub async fn create_door(id: RoomId, #[server(default)] pin: String) -> Result<String, Refused> {
    ssr::respond(
        async {
            let path = ssr::services()?.doors.create(&ssr::actor()?, id, &pin).await?;
            let url = format!("{}{path}", ssr::caller()?.public_url);
            ssr::show_once("door", &url, "/settings/rooms");
            Ok(url)
        }
        .await,
    )
}

/// Returns the link that a form without JavaScript has just created; `None` after the first call.
#[server(name = TakeNewDoor, prefix = "/fn", endpoint = "new_door", output = JsonOutput)]
pub async fn new_door() -> Result<Option<String>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("door")))
}

/// Revokes the secret link of a room's door page.
#[server(name = RevokeDoor, prefix = "/fn", endpoint = "revoke_door", output = JsonOutput)]
pub async fn revoke_door(id: RoomId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.doors.revoke(&ssr::actor()?, id).await?;
            ssr::redirect(&with_done("/settings/rooms", "revoke_door"));
            Ok(())
        }
        .await,
    )
}
