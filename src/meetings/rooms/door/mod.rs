//! `/rooms/{id}/door`: what a screen at the door of a room shows. It needs no log-in but a secret
//! link, and acts in the name of the admin who created the link.

mod act;
pub mod check_in;
pub mod link;
pub mod live;
mod page;
pub mod route;

use crate::{
    accounts::actor_of, app_state::AppState, security::tokens, services::internal_error, zone::Zone,
};
use domain::{
    AccountId, Actor, DomainError, RoomId, Timestamp, Version,
    meetings::{Approval, MeetingState, RoomPolicy, decide},
};
use store::{
    PoolRole, account,
    availability::{self, BusyRow},
    door::{self, DoorRow},
    meeting,
};

/// How far ahead the page looks, milliseconds: a day.
const AHEAD_MS: i64 = 24 * 3_600_000;
/// Maximum length of a secret in a request, in bytes.
const MAX_SECRET_BYTES: usize = 100;

/// What the page shows.
pub struct Door {
    /// The room and its secret link.
    pub row: DoorRow,
    /// The admin in whose name it acts.
    pub actor: Actor,
    /// Zone of the room.
    pub zone: Zone,
    /// The present.
    pub now: Timestamp,
    /// The meeting that takes place.
    pub current: Option<DoorMeeting>,
    /// The meeting after it, within a day.
    pub next: Option<DoorMeeting>,
}

/// A meeting on the page.
pub struct DoorMeeting {
    /// Id and version, for a check-in.
    pub id: domain::MeetingId,
    pub version: Version,
    pub title: String,
    pub organizer: String,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    /// Until when a user must check in; `None`: none must.
    pub check_in_until: Option<Timestamp>,
}

impl Door {
    /// Until when the room is free; `None`: it is not free, or for more than a day.
    pub fn free_until(&self) -> Option<Timestamp> {
        self.next.as_ref().filter(|_| self.current.is_none()).map(|next| next.starts_at)
    }

    /// Whether the room is free for this number of minutes.
    pub fn is_free_for(&self, minutes: i64) -> bool {
        let end = self.now.plus(minutes * 60_000);
        self.current.is_none() && self.next.as_ref().is_none_or(|next| next.starts_at >= end)
    }

    /// The meeting to which a person can check in now.
    pub fn to_check_in(&self) -> Option<&DoorMeeting> {
        let next = self.next.iter().filter(|next| decide::is_check_in_open(next.starts_at, self.now));
        self.current.iter().chain(next).find(|one| one.check_in_until.is_some())
    }

    /// Whether it can be booked here: not a room whose bookings need an approval.
    pub fn can_book(&self) -> bool {
        let policy = serde_json::from_str::<RoomPolicy>(&self.row.policy);
        let is_open = policy.is_ok_and(|policy| policy.approval == Approval::None);
        is_open && self.row.pin_hash.is_some() && self.current.is_none()
    }
}

/// Loads the page. `NoSuch` if the link is wrong or revoked, or its creator is not an admin any more.
pub async fn load(parts: &AppState, room: RoomId, secret: &str) -> Result<Door, DomainError> {
    let unknown = || DomainError::no_such("page");
    if secret.len() > MAX_SECRET_BYTES {
        return Err(unknown());
    }
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = door::find(lease.conn(), room, &tokens::hash(secret)).await.map_err(internal_error)?;
    let row = found.ok_or_else(unknown)?;
    let by = account::find(lease.conn(), AccountId(row.created_by)).await.map_err(internal_error)?;
    let by = by.filter(|by| by.is_disabled == 0).ok_or_else(unknown)?;
    let zone = Zone::stored(&row.time_zone);
    let actor = Actor { zone: zone.name().to_owned(), ..actor_of(&by).map_err(internal_error)? };
    if !actor.is_admin() {
        return Err(unknown());
    }
    let until = now.plus(AHEAD_MS);
    let busy = availability::busy(lease.conn(), &[room], (now, until)).await.map_err(internal_error)?;
    let mut takes_place =
        busy.into_iter().filter(|row| row.ends_at > now.millis() && row.state != "requested");
    let first = takes_place.next();
    let (current, next) = match first {
        Some(row) if row.starts_at <= now.millis() => (Some(row), takes_place.next()),
        other => (None, other),
    };
    let current = shown(&mut lease, current).await?;
    let next = shown(&mut lease, next).await?;
    Ok(Door { row, actor, zone, now, current, next })
}

async fn shown(
    lease: &mut store::ReadConn,
    row: Option<BusyRow>,
) -> Result<Option<DoorMeeting>, DomainError> {
    let Some(row) = row else { return Ok(None) };
    let found = meeting::find(lease.conn(), domain::MeetingId(row.id)).await.map_err(internal_error)?;
    let Some(meeting) = found else { return Ok(None) };
    let booking = meeting.booking().map_err(internal_error)?;
    let is_running = matches!(booking.state, MeetingState::Confirmed | MeetingState::InProgress);
    let waits = is_running && booking.checked_in_at.is_none();
    Ok(Some(DoorMeeting {
        id: domain::MeetingId(row.id),
        version: Version(meeting.version),
        title: row.title,
        organizer: row.organizer,
        starts_at: booking.starts_at,
        ends_at: booking.ends_at,
        check_in_until: booking.release_at.filter(|_| waits),
    }))
}
