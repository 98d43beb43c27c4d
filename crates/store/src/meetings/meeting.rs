//! Meetings: stored and changed as a whole, by compare-and-set.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{
    AccountId, MeetingId, RoomId, Timestamp, Version,
    meetings::{Booking, LocalSpan, MAX_CONFLICTS},
};
use uuid::Uuid;

row! {
    /// A meeting as stored. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MeetingRow {
        /// Id.
        pub id: Uuid,
        /// Title.
        pub title: String,
        /// Plain text.
        pub description: String,
        /// Address of an online meeting.
        pub link: Option<String>,
        /// Its room; `None`: it has none.
        pub room_id: Option<Uuid>,
        /// Account that organizes it.
        pub organizer_id: Uuid,
        /// State.
        pub state: String,
        /// Grows with every change.
        pub version: i32,
        /// When it starts.
        pub starts_at: i64,
        /// When it ends.
        pub ends_at: i64,
        /// When the room is free again.
        pub free_at: i64,
        /// Local start as entered.
        pub local_start: Option<String>,
        /// Local end as entered.
        pub local_end: Option<String>,
        /// IANA time zone in which it was planned.
        pub time_zone: String,
        /// 1: no user else can book the room.
        pub holds: i32,
        /// When a user checked in.
        pub checked_in_at: Option<i64>,
        /// When the room is released unless a user checks in.
        pub release_at: Option<i64>,
        /// When a request is decided by itself.
        pub decide_at: Option<i64>,
        /// What happens then.
        pub decision: String,
        /// 1: the deadline has passed, and the request waits for an admin.
        pub is_held: i32,
        /// Why it was rejected or cancelled.
        pub reason: String,
        /// Verb of the last change; `None`: it cannot be undone.
        pub undo_verb: Option<String>,
        /// When it was made.
        pub undo_at: Option<i64>,
        /// The booking before it, JSON.
        pub undo_before: Option<String>,
        /// Its series.
        pub series_id: Option<Uuid>,
        /// When it was booked.
        pub created_at: i64,
    }
}

impl MeetingRow {
    /// Returns its booking.
    pub fn booking(&self) -> Result<Booking, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of the meeting {}", self.id));
        let local = self.local_start.clone().zip(self.local_end.clone());
        let zone = &self.time_zone;
        Ok(Booking {
            state: self.state.parse().map_err(|_| corrupt("state"))?,
            room_id: self.room_id.map(RoomId),
            starts_at: self.starts_at.into(),
            ends_at: self.ends_at.into(),
            free_at: self.free_at.into(),
            local: local.map(|(start, end)| LocalSpan { start, end, zone: zone.clone() }),
            holds: self.holds == 1,
            checked_in_at: self.checked_in_at.map(Timestamp::from_millis),
            release_at: self.release_at.map(Timestamp::from_millis),
            decide_at: self.decide_at.map(Timestamp::from_millis),
            decision: self.decision.parse().map_err(|_| corrupt("decision"))?,
            is_held: self.is_held == 1,
        })
    }

    /// Returns the last change: its verb, its moment and the booking before. `None`: it cannot be
    /// undone.
    #[must_use]
    pub fn undo(&self) -> Option<(&str, Timestamp, Booking)> {
        let before = serde_json::from_str(self.undo_before.as_deref()?).ok()?;
        Some((self.undo_verb.as_deref()?, self.undo_at?.into(), before))
    }

    /// Organizer.
    #[must_use]
    pub fn organizer(&self) -> AccountId {
        AccountId(self.organizer_id)
    }
}

/// The state of a meeting, or of the meeting `m`. One that waits for its room is stored as a request.
macro_rules! meeting_state {
    () => {
        "case when m.state = 'requested' then coalesce(m.waits, m.state) else m.state end"
    };
    ($m:literal) => {
        concat!(
            "case when ",
            $m,
            ".state = 'requested' then coalesce(",
            $m,
            ".waits, ",
            $m,
            ".state) else ",
            $m,
            ".state end"
        )
    };
}
pub(crate) use meeting_state;

/// The columns `state` and `waits` of a state.
macro_rules! stored_state {
    ($state:literal) => {
        concat!("case when ", $state, " in ('waiting', 'offered') then 'requested' else ", $state, " end")
    };
    (waits of $state:literal) => {
        concat!("case when ", $state, " in ('waiting', 'offered') then ", $state, " end")
    };
}
pub(crate) use stored_state;

/// The columns of [`MeetingRow`], of the table `m`.
macro_rules! meeting_columns {
    () => {
        "m.id, m.title, m.description, m.link, m.room_id, m.organizer_id,
         case when m.state = 'requested' then coalesce(m.waits, m.state) else m.state end as state,
         m.version, m.starts_at, m.ends_at, m.free_at, m.local_start, m.local_end, m.time_zone, m.holds, m.checked_in_at, m.release_at, m.decide_at,
         m.decision, m.is_held, m.reason, m.undo_verb, m.undo_at, m.undo_before, m.series_id, m.created_at"
    };
}
pub(crate) use meeting_columns;

/// Returns one meeting; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: MeetingId) -> Result<Option<MeetingRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        concat!("select ", meeting_columns!(), " from meeting m where m.id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// A meeting before it is stored; it gets version 1.
#[derive(Debug, Clone)]
pub struct NewMeetingRow<'a> {
    /// Id.
    pub id: MeetingId,
    /// Title.
    pub title: &'a str,
    /// Plain text.
    pub description: &'a str,
    /// Address of an online meeting.
    pub link: Option<&'a str>,
    /// Account that organizes it.
    pub organizer: AccountId,
    /// IANA time zone in which it is planned.
    pub zone: &'a str,
    /// State, room and times.
    pub booking: &'a Booking,
    /// Its series and the local time by its rule; `None`: it does not repeat.
    pub occurrence: Option<(Uuid, &'a str)>,
    /// When it was booked.
    pub created_at: Timestamp,
}

/// Stores a meeting that can be undone. [`StoreError::is_overlap`]: the room is not free.
pub async fn insert(conn: Conn<'_>, new: &NewMeetingRow<'_>) -> Result<(), StoreError> {
    let Booking { state, room_id, starts_at, ends_at, free_at, local, .. } = new.booking;
    let booking = new.booking;
    let before = json(booking)?;
    with_conn!(conn, c => sqlx::query(
        concat!(
        "insert into meeting (id, title, description, link, room_id, organizer_id, state, waits, starts_at, ends_at,
                              free_at, local_start, local_end, time_zone, holds, checked_in_at, release_at, decide_at,
                              decision, undo_verb, undo_at, undo_before, series_id, original_local, created_at)
         values ($1, $2, $3, $4, $5, $6, ", stored_state!("$7"), ", ", stored_state!(waits of "$7"), ",
                 $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 'book', $19, $20, $21, $22, $19)"))
        .bind(new.id.0).bind(new.title).bind(new.description).bind(new.link).bind(room_id.map(|id| id.0))
        .bind(new.organizer.0).bind(state.as_str()).bind(starts_at.millis()).bind(ends_at.millis())
        .bind(free_at.millis()).bind(local.as_ref().map(|local| &local.start))
        .bind(local.as_ref().map(|local| &local.end)).bind(new.zone).bind(i32::from(booking.holds))
        .bind(millis(booking.checked_in_at)).bind(millis(booking.release_at)).bind(millis(booking.decide_at))
        .bind(booking.decision.as_str()).bind(new.created_at.millis()).bind(before)
        .bind(new.occurrence.map(|(series, _)| series)).bind(new.occurrence.map(|(_, local)| local))
        .execute(c).await.map(drop))?;
    Ok(())
}

/// New values of a meeting.
#[derive(Debug, Clone)]
pub struct MeetingUpdate<'a> {
    /// Title.
    pub title: &'a str,
    /// Plain text.
    pub description: &'a str,
    /// Address of an online meeting.
    pub link: Option<&'a str>,
    /// IANA time zone in which it is planned.
    pub zone: &'a str,
    /// State, room and times.
    pub booking: &'a Booking,
    /// Why it was rejected or cancelled.
    pub reason: &'a str,
    /// Verb of this change, its moment, and the booking before it; `None`: it cannot be undone.
    pub undo: Option<(&'a str, Timestamp, &'a Booking)>,
}

/// Changes a meeting that still has the seen version. Returns the new version; `None`: it was
/// changed meanwhile. [`StoreError::is_overlap`]: the room is not free.
pub async fn update(
    conn: Conn<'_>,
    id: MeetingId,
    seen: Version,
    to: &MeetingUpdate<'_>,
) -> Result<Option<Version>, StoreError> {
    let Booking { state, room_id, starts_at, ends_at, free_at, local, .. } = to.booking;
    let booking = to.booking;
    let before = to.undo.map(|(_, _, before)| json(before)).transpose()?;
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        concat!(
        "update meeting
            set title = $3, description = $4, link = $5, room_id = $6, state = ", stored_state!("$7"), ",
                waits = ", stored_state!(waits of "$7"), ", starts_at = $8, ends_at = $9, free_at = $10, local_start = $11, local_end = $12, time_zone = $13, holds = $14, checked_in_at = $15,
                release_at = $16, decide_at = $17, decision = $18, is_held = $19, reason = $20, undo_verb = $21,
                undo_at = $22, undo_before = $23, version = version + 1
          where id = $1 and version = $2
         returning version"))
        .bind(id.0).bind(seen.0).bind(to.title).bind(to.description).bind(to.link).bind(room_id.map(|id| id.0))
        .bind(state.as_str()).bind(starts_at.millis()).bind(ends_at.millis()).bind(free_at.millis())
        .bind(local.as_ref().map(|local| &local.start)).bind(local.as_ref().map(|local| &local.end))
        .bind(to.zone).bind(i32::from(booking.holds)).bind(millis(booking.checked_in_at))
        .bind(millis(booking.release_at)).bind(millis(booking.decide_at)).bind(booking.decision.as_str())
        .bind(i32::from(booking.is_held)).bind(to.reason).bind(to.undo.map(|(verb, _, _)| verb))
        .bind(to.undo.map(|(_, at, _)| at.millis())).bind(before)
        .fetch_optional(c).await)?;
    Ok(version.map(Version))
}

row! {
    /// A booking that is in the way. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ConflictRow {
        /// The meeting.
        pub id: Uuid,
        /// Its title.
        pub title: String,
        /// When it starts.
        pub starts_at: i64,
        /// When it ends.
        pub ends_at: i64,
    }
}

/// Returns the bookings that hold the room at some time between two moments, by start, without the
/// meeting `except`. The room must be locked, so that the result stays valid until the commit.
pub async fn conflicts(
    conn: Conn<'_>,
    room: RoomId,
    (from, to): (Timestamp, Timestamp),
    except: MeetingId,
) -> Result<Vec<ConflictRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, title, starts_at, ends_at
           from meeting
          where holds = 1 and room_id = $1 and starts_at < $3 and starts_at > $4 and free_at > $2 and id <> $5
          order by starts_at
          limit $6")
        .bind(room.0).bind(from.millis()).bind(to.millis()).bind(from.millis() - super::MAX_BOOKING_MS)
        .bind(except.0).bind(i64::try_from(MAX_CONFLICTS).unwrap_or(i64::MAX))
        .fetch_all(c).await)?)
}

pub(crate) fn millis(at: Option<Timestamp>) -> Option<i64> {
    at.map(Timestamp::millis)
}

pub(crate) fn json(booking: &Booking) -> Result<String, StoreError> {
    serde_json::to_string(booking).map_err(|error| StoreError::Corrupt(error.to_string()))
}
