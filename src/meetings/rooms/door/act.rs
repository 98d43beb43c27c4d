//! What a person does at the door: check in, or book the room now.

use super::{Door, link::hash_of_pin, texts::DoorTexts};
use crate::{
    app_state::AppState,
    meetings::{
        book::{self, IfTaken},
        change,
    },
    services::internal_error,
};
use domain::{
    DomainError, MeetingId, RoomId, Version,
    error::ValidationError,
    meetings::{MeetingChange, MeetingTime, NewMeeting},
};
use store::{
    PoolRole,
    login_rate_limit::{self, TokenBucket},
};

/// Wrong PINs of a room: five, then one a minute.
const PIN_LIMIT: TokenBucket = TokenBucket { cost_ms: 60_000, capacity: 5 };
/// For how many minutes the room can be booked.
pub const MINUTES: [i64; 3] = [15, 30, 60];
/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// Checks in to a meeting.
pub async fn check_in(
    parts: &AppState,
    door: &Door,
    (meeting, seen): (MeetingId, Version),
) -> Result<(), DomainError> {
    if door.to_check_in().is_none_or(|one| one.id != meeting) {
        return Err(DomainError::Changed);
    }
    change::change(parts, &door.actor, meeting, MeetingChange::CheckIn, seen).await.map(drop)
}

/// Books the room from now on.
pub async fn book(
    parts: &AppState,
    door: &Door,
    (minutes, pin): (i64, &str),
    texts: &DoorTexts,
) -> Result<(), DomainError> {
    if !MINUTES.contains(&minutes) {
        let words = "15, 30, 60".to_owned();
        return Err(DomainError::invalid("minutes", ValidationError::NotOneOf { words }));
    }
    if !door.can_book() {
        return Err(DomainError::Changed);
    }
    check_pin(parts, door, pin).await?;
    let starts_at = door.now.plus(-door.now.millis().rem_euclid(MINUTE_MS));
    let new = NewMeeting {
        title: texts.booked_here.to_owned(),
        description: String::new(),
        room_id: Some(RoomId(door.row.room_id)),
        link: None,
        time: MeetingTime::At {
            starts_at,
            ends_at: starts_at.plus(minutes * MINUTE_MS),
            zone: Some(door.zone.name().to_owned()),
        },
        attendees: Vec::new(),
        reminders: Vec::new(),
    };
    book::book(parts, &door.actor, new, IfTaken::Refuse).await.map(drop)
}

/// Refuses a wrong PIN, and any PIN after too many wrong ones.
async fn check_pin(parts: &AppState, door: &Door, pin: &str) -> Result<(), DomainError> {
    let room = RoomId(door.row.room_id);
    let name = format!("door:{room}");
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let wait =
        login_rate_limit::acquire(tx.conn(), &name, PIN_LIMIT, door.now).await.map_err(internal_error)?;
    if let Some(millis) = wait {
        let seconds = u32::try_from(millis.saturating_add(999) / 1_000).unwrap_or(u32::MAX);
        return Err(DomainError::TooMany { seconds });
    }
    let is_right = door.row.pin_hash.as_deref() == Some(hash_of_pin(room, pin.trim()).as_str());
    if is_right {
        login_rate_limit::refund(tx.conn(), &name, PIN_LIMIT).await.map_err(internal_error)?;
    }
    tx.commit().await.map_err(internal_error)?;
    match is_right {
        true => Ok(()),
        false => {
            let why = "is not the PIN of this room".to_owned();
            Err(DomainError::invalid("pin", ValidationError::Unreadable { why }))
        }
    }
}
