//! What a person does at the door: check in, or book the room now.

use super::{Door, link::hash_of_pin};
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
use texts::meetings::door::DoorTexts;

/// Wrong PINs of a client: five, then one a minute.
const CLIENT_LIMIT: TokenBucket = TokenBucket { cost_ms: 60_000, capacity: 5 };
/// Wrong PINs of a room by all clients: thirty, then three a minute. One client cannot use them up.
const ROOM_LIMIT: TokenBucket = TokenBucket { cost_ms: 20_000, capacity: 30 };
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

/// A booking as it is typed at the door.
pub struct TypedBooking<'t> {
    /// For how many minutes.
    pub minutes: i64,
    /// The PIN.
    pub pin: &'t str,
    /// Key of the client, whose wrong PINs are counted.
    pub client: &'t str,
}

/// Books the room from now on.
pub async fn book(
    parts: &AppState,
    door: &Door,
    typed: &TypedBooking<'_>,
    texts: DoorTexts,
) -> Result<(), DomainError> {
    let minutes = typed.minutes;
    if !MINUTES.contains(&minutes) {
        let words = "15, 30, 60".to_owned();
        return Err(DomainError::invalid("minutes", ValidationError::NotOneOf { words }));
    }
    if !door.can_book() {
        return Err(DomainError::Changed);
    }
    check_pin(parts, door, typed).await?;
    let starts_at = door.now.plus(-door.now.millis().rem_euclid(MINUTE_MS));
    let new = NewMeeting {
        title: texts.booked_here().to_owned(),
        description: String::new(),
        room_id: Some(RoomId(door.row.room_id)),
        link: None,
        time: MeetingTime::At {
            starts_at,
            ends_at: starts_at.plus(minutes * MINUTE_MS),
            zone: Some(door.zone.name().to_owned()),
        },
        attendees: Vec::new(),
        reminders: Some(Vec::new()),
    };
    book::book(parts, &door.actor, new, IfTaken::Refuse).await.map(drop)
}

/// Refuses a wrong PIN, and any PIN of a client after too many wrong ones.
async fn check_pin(parts: &AppState, door: &Door, typed: &TypedBooking<'_>) -> Result<(), DomainError> {
    let room = RoomId(door.row.room_id);
    let buckets =
        [(format!("door:{room}:{}", typed.client), CLIENT_LIMIT), (format!("door:{room}"), ROOM_LIMIT)];
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    for (name, limit) in &buckets {
        let wait = login_rate_limit::acquire(tx.conn(), name, *limit, door.now).await;
        // Without a commit, no bucket is charged.
        if let Some(millis) = wait.map_err(internal_error)? {
            let seconds = u32::try_from(millis.saturating_add(999) / 1_000).unwrap_or(u32::MAX);
            return Err(DomainError::TooMany { seconds });
        }
    }
    let is_right = door.row.pin_hash.as_deref() == Some(hash_of_pin(room, typed.pin.trim()).as_str());
    if is_right {
        for (name, limit) in &buckets {
            login_rate_limit::refund(tx.conn(), name, *limit).await.map_err(internal_error)?;
        }
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
