//! `/rooms`.

use super::{
    required,
    room_body::{BusyPage, FreeRoomPage, RoomBody, RoomFields, RoomPage},
};
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, instant},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    DomainError, RoomId, Timestamp, Version,
    error::ValidationError,
    meetings::{FreeQuery, RoomSettings, equipment_of},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Creates a room. Admins only.
#[utoipa::path(post, path = "/rooms", tag = "rooms", request_body = RoomFields, responses(
    (status = 201, description = "The room", body = RoomBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "The name is taken", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<RoomFields>,
) -> Result<(StatusCode, Json<RoomBody>), ApiError> {
    let new = new.apply_to(RoomSettings::default())?;
    let room = web.services.rooms.add(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(room.into())))
}

/// Lists all rooms that can be booked, in their order.
#[utoipa::path(get, path = "/rooms", tag = "rooms", responses(
    (status = 200, description = "The rooms", body = RoomPage)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<RoomPage>, ApiError> {
    let items = web.services.rooms.list(&actor, false).await?;
    Ok(Json(RoomPage { items: items.into_iter().map(RoomBody::from).collect() }))
}

/// Returns a room, also an archived one.
#[utoipa::path(get, path = "/rooms/{id}", tag = "rooms",
    params(("id" = String, Path, description = "Id of the room")), responses(
    (status = 200, description = "The room", body = RoomBody),
    (status = 404, description = "No such room", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(room): Path<String>,
) -> Result<Json<RoomBody>, ApiError> {
    Ok(Json(web.services.rooms.find(&actor, id(&room, "room")?).await?.into()))
}

/// Changes a room. Existing bookings stay as they are. Admins only.
#[utoipa::path(patch, path = "/rooms/{id}", tag = "rooms", request_body = RoomFields,
    params(("id" = String, Path, description = "Id of the room")), responses(
    (status = 200, description = "The room", body = RoomBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such room", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or the name is taken", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(room): Path<String>,
    AuthJson(actor, edit): AuthJson<RoomFields>,
) -> Result<Json<RoomBody>, ApiError> {
    let id: RoomId = id(&room, "room")?;
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed.into());
    }
    let seen = Version(edit.seen_version.ok_or_else(|| required("seen_version"))?);
    let (current, is_archived) = (web.services.rooms.find(&actor, id).await?, edit.is_archived);
    let settings = edit.apply_to(current.settings.clone())?;
    let mut changed = match settings == current.settings && is_archived.is_some() {
        true => domain::meetings::Room { version: seen, ..current },
        false => web.services.rooms.edit(&actor, id, settings, seen).await?,
    };
    if let Some(is_archived) = is_archived {
        changed = web.services.rooms.archive(&actor, id, is_archived, changed.version).await?;
    }
    Ok(Json(changed.into()))
}

/// A range of time, and what the room must offer.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FreeRoomsQuery {
    /// Start of the meeting, RFC 3339.
    #[param(required = true)]
    from: Option<String>,
    /// End of the meeting, RFC 3339; at most 62 days later. Needed, or `to`; if both are sent, they must be
    /// the same.
    until: Option<String>,
    /// The same as `until`.
    to: Option<String>,
    /// Only rooms for at least this number of persons.
    #[param(value_type = Option<i32>)]
    seats: Option<String>,
    /// The same as `seats`.
    #[param(value_type = Option<i32>)]
    capacity: Option<String>,
    /// Only rooms that have all of this equipment, separated by commas.
    equipment: Option<String>,
}

/// Lists the rooms that the caller may book and that are free and open in the whole range, smallest first.
#[utoipa::path(get, path = "/rooms/free", tag = "rooms", params(FreeRoomsQuery), responses(
    (status = 200, description = "The free rooms", body = FreeRoomPage),
    (status = 422, description = "The range is invalid", body = ErrorBody)))]
pub async fn free(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<FreeRoomsQuery>,
) -> Result<Json<FreeRoomPage>, ApiError> {
    let FreeRoomsQuery { from, until, to, .. } = &query;
    let (from, to) = free_range(from.as_deref(), until.as_deref(), to.as_deref())?;
    let seats = query.seats.map(|seats| whole("seats", &seats)).transpose()?;
    let capacity = query.capacity.map(|capacity| whole("capacity", &capacity)).transpose()?;
    let equipment = equipment_of(&query.equipment.unwrap_or_default());
    let query = FreeQuery { from, to, capacity: seats.max(capacity), equipment };
    let items = web.services.rooms.free(&actor, query).await?;
    Ok(Json(FreeRoomPage { items: items.into_iter().map(Into::into).collect() }))
}

/// A range of time.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BusyQuery {
    /// Begin of the range, RFC 3339.
    #[param(required = true)]
    from: Option<String>,
    /// End of the range, RFC 3339; at most 62 days later.
    #[param(required = true)]
    to: Option<String>,
}

/// Lists what holds a room in a range of time, by start.
#[utoipa::path(get, path = "/rooms/{id}/busy", tag = "rooms",
    params(("id" = String, Path, description = "Id of the room"), BusyQuery), responses(
    (status = 200, description = "The bookings", body = BusyPage),
    (status = 404, description = "No such room", body = ErrorBody),
    (status = 422, description = "The range is invalid", body = ErrorBody)))]
pub async fn busy(
    State(web): State<Web>,
    Path(room): Path<String>,
    AuthQuery(actor, query): AuthQuery<BusyQuery>,
) -> Result<Json<BusyPage>, ApiError> {
    let id = id(&room, "room")?;
    let (from, to) = range(query.from, query.to)?;
    let items = web.services.rooms.busy(&actor, id, from, to).await?;
    Ok(Json(BusyPage { items: items.into_iter().map(Into::into).collect() }))
}

/// The range of free rooms. `until` and `to` mean the same: if both are sent, they must.
fn free_range(
    from: Option<&str>,
    until: Option<&str>,
    to: Option<&str>,
) -> Result<(Timestamp, Timestamp), DomainError> {
    let from = instant("from", from.ok_or_else(|| required("from"))?)?;
    let until = until.map(|text| instant("until", text)).transpose()?;
    let to = to.map(|text| instant("to", text)).transpose()?;
    if until.is_some() && to.is_some() && until != to {
        let why = "is not the same as to, which means the same; send one of them".to_owned();
        return Err(DomainError::invalid("until", ValidationError::Unreadable { why }));
    }
    Ok((from, until.or(to).ok_or_else(|| required("until"))?))
}

fn range(from: Option<String>, to: Option<String>) -> Result<(Timestamp, Timestamp), DomainError> {
    let from = from.ok_or_else(|| required("from"))?;
    let to = to.ok_or_else(|| required("to"))?;
    Ok((instant("from", &from)?, instant("to", &to)?))
}

fn whole(field: &str, text: &str) -> Result<i32, DomainError> {
    let why = "is not a whole number".to_owned();
    text.parse().map_err(|_| DomainError::invalid(field, ValidationError::Unreadable { why }))
}

/// How a room can be used at its door.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDoorBody {
    /// PIN with which the room is booked at the door, 4 to 8 digits; null: it cannot be booked there.
    #[schema(pattern = "^[0-9]{4,8}$")]
    pin: Option<String>,
}

/// The secret link of a door page.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorBody {
    /// Its address. A client that knows it can read the page until it is revoked.
    url: String,
}

/// Creates the secret link of the room's door page, in place of the one before. Admins only.
#[utoipa::path(post, path = "/rooms/{id}/door", tag = "rooms", request_body = NewDoorBody,
    params(("id" = String, Path, description = "Id of the room")), responses(
    (status = 201, description = "The link, which is shown once", body = DoorBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such room", body = ErrorBody),
    (status = 422, description = "The PIN is invalid", body = ErrorBody)))]
pub async fn create_door(
    State(web): State<Web>,
    Path(room): Path<String>,
    AuthJson(actor, new): AuthJson<NewDoorBody>,
) -> Result<(StatusCode, Json<DoorBody>), ApiError> {
    let pin = new.pin.unwrap_or_default();
    let path = web.services.doors.create(&actor, id(&room, "room")?, &pin).await?;
    Ok((StatusCode::CREATED, Json(DoorBody { url: format!("{}{path}", web.address.public_url) })))
}

/// Revokes the secret link of the room's door page. Admins only.
#[utoipa::path(delete, path = "/rooms/{id}/door", tag = "rooms",
    params(("id" = String, Path, description = "Id of the room")), responses(
    (status = 204, description = "It was revoked"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such room, or it has no link", body = ErrorBody)))]
pub async fn revoke_door(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(room): Path<String>,
) -> Result<StatusCode, ApiError> {
    web.services.doors.revoke(&actor, id(&room, "room")?).await?;
    Ok(StatusCode::NO_CONTENT)
}
