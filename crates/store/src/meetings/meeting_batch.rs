//! Many meetings in one statement: occurrences of series. Rows are one JSON text on both engines.

use super::meeting::{ConflictRow, MeetingUpdate, NewMeetingRow, json, millis};
use crate::{Conn, StoreError, json_rows::encode, row::row};
use domain::{
    RoomId, Timestamp, Version,
    meetings::{Booking, MAX_CONFLICTS_EACH},
};
use serde::Serialize;
use uuid::{Uuid, fmt::Simple};

/// The values of a meeting.
#[derive(Serialize)]
struct Packed<'a> {
    id: Simple,
    seen: i32,
    title: &'a str,
    description: &'a str,
    link: Option<&'a str>,
    room_id: Option<Simple>,
    organizer_id: Option<Simple>,
    state: &'a str,
    starts_at: i64,
    ends_at: i64,
    free_at: i64,
    local_start: Option<&'a str>,
    local_end: Option<&'a str>,
    time_zone: &'a str,
    holds: i32,
    checked_in_at: Option<i64>,
    release_at: Option<i64>,
    decide_at: Option<i64>,
    decision: &'a str,
    is_held: i32,
    reason: &'a str,
    undo_verb: Option<&'a str>,
    undo_at: Option<i64>,
    undo_before: Option<String>,
    series_id: Option<Simple>,
    original_local: Option<&'a str>,
}

impl<'a> Packed<'a> {
    fn of(id: Uuid, zone: &'a str, booking: &'a Booking) -> Self {
        let local = booking.local.as_ref();
        Self {
            id: id.simple(),
            seen: 0,
            title: "",
            description: "",
            link: None,
            room_id: booking.room_id.map(|id| id.0.simple()),
            organizer_id: None,
            state: booking.state.as_str(),
            starts_at: booking.starts_at.millis(),
            ends_at: booking.ends_at.millis(),
            free_at: booking.free_at.millis(),
            local_start: local.map(|local| local.start.as_str()),
            local_end: local.map(|local| local.end.as_str()),
            time_zone: zone,
            holds: i32::from(booking.holds),
            checked_in_at: millis(booking.checked_in_at),
            release_at: millis(booking.release_at),
            decide_at: millis(booking.decide_at),
            decision: booking.decision.as_str(),
            is_held: i32::from(booking.is_held),
            reason: "",
            undo_verb: None,
            undo_at: None,
            undo_before: None,
            series_id: None,
            original_local: None,
        }
    }

    fn new(row: &'a NewMeetingRow<'a>, undo_verb: Option<&'a str>) -> Result<Self, StoreError> {
        Ok(Self {
            title: row.title,
            description: row.description,
            link: row.link,
            organizer_id: Some(row.organizer.0.simple()),
            undo_verb,
            undo_at: undo_verb.map(|_| row.created_at.millis()),
            undo_before: undo_verb.map(|_| json(row.booking)).transpose()?,
            series_id: row.occurrence.map(|(series, _)| series.simple()),
            original_local: row.occurrence.map(|(_, local)| local),
            ..Self::of(row.id.0, row.zone, row.booking)
        })
    }

    fn changed(row: &'a ChangedMeeting<'a>) -> Result<Self, StoreError> {
        let ChangedMeeting { id, seen, series, to } = row;
        Ok(Self {
            seen: seen.0,
            title: to.title,
            description: to.description,
            link: to.link,
            reason: to.reason,
            undo_verb: to.undo.map(|(verb, _, _)| verb),
            undo_at: to.undo.map(|(_, at, _)| at.millis()),
            undo_before: to.undo.map(|(_, _, before)| json(before)).transpose()?,
            series_id: Some(series.0.simple()),
            original_local: Some(series.1),
            ..Self::of(*id, to.zone, to.booking)
        })
    }
}

/// The columns of the JSON rows on PostgreSQL.
macro_rules! recordset {
    () => {
        "json_to_recordset($1::json) as e
            (id uuid, seen integer, title text, description text, link text, room_id uuid, organizer_id uuid, state text,
             starts_at bigint, ends_at bigint, free_at bigint, local_start text, local_end text, time_zone text,
             holds integer, checked_in_at bigint, release_at bigint, decide_at bigint, decision text, is_held integer,
             reason text, undo_verb text, undo_at bigint, undo_before text, series_id uuid, original_local text)"
    };
}

/// The JSON rows on SQLite.
macro_rules! json_rows {
    () => {
        "(select unhex(value ->> 'id') as id, value ->> 'seen' as seen, value ->> 'title' as title,
                 value ->> 'description' as description, value ->> 'link' as link, unhex(value ->> 'room_id') as room_id,
                 unhex(value ->> 'organizer_id') as organizer_id, value ->> 'state' as state,
                 value ->> 'starts_at' as starts_at, value ->> 'ends_at' as ends_at, value ->> 'free_at' as free_at,
                 value ->> 'local_start' as local_start, value ->> 'local_end' as local_end,
                 value ->> 'time_zone' as time_zone, value ->> 'holds' as holds,
                 value ->> 'checked_in_at' as checked_in_at, value ->> 'release_at' as release_at,
                 value ->> 'decide_at' as decide_at, value ->> 'decision' as decision, value ->> 'is_held' as is_held,
                 value ->> 'reason' as reason, value ->> 'undo_verb' as undo_verb, value ->> 'undo_at' as undo_at,
                 value ->> 'undo_before' as undo_before, unhex(value ->> 'series_id') as series_id,
                 value ->> 'original_local' as original_local
            from jsonb_each($1)) as e"
    };
}

macro_rules! insert {
    ($rows:expr) => {
        concat!(
            "insert into meeting (id, title, description, link, room_id, organizer_id, state, starts_at, ends_at, free_at,
                                  local_start, local_end, time_zone, holds, checked_in_at, release_at, decide_at,
                                  decision, undo_verb, undo_at, undo_before, series_id, original_local, created_at)
             select e.id, e.title, e.description, e.link, e.room_id, e.organizer_id, e.state, e.starts_at, e.ends_at,
                    e.free_at, e.local_start, e.local_end, e.time_zone, e.holds, e.checked_in_at, e.release_at,
                    e.decide_at, e.decision, e.undo_verb, e.undo_at, e.undo_before, e.series_id, e.original_local, $2
               from ",
            $rows
        )
    };
}

macro_rules! update {
    ($rows:expr) => {
        concat!(
            "update meeting
                set title = e.title, description = e.description, link = e.link, room_id = e.room_id, state = e.state,
                    starts_at = e.starts_at, ends_at = e.ends_at, free_at = e.free_at, local_start = e.local_start,
                    local_end = e.local_end, time_zone = e.time_zone, holds = e.holds, checked_in_at = e.checked_in_at,
                    release_at = e.release_at, decide_at = e.decide_at, decision = e.decision, is_held = e.is_held,
                    reason = e.reason, undo_verb = e.undo_verb, undo_at = e.undo_at, undo_before = e.undo_before,
                    series_id = e.series_id, original_local = e.original_local, version = meeting.version + 1
               from ",
            $rows,
            " where meeting.id = e.id and meeting.version = e.seen"
        )
    };
}

/// Stores meetings. `undo_verb`: the change that can be undone; `None`: none. Their times must not
/// overlap. [`StoreError::is_overlap`]: a room is not free.
pub async fn insert(
    conn: Conn<'_>,
    all: &[NewMeetingRow<'_>],
    undo_verb: Option<&str>,
    at: Timestamp,
) -> Result<(), StoreError> {
    if all.is_empty() {
        return Ok(());
    }
    let rows = encode(all.iter().map(|row| Packed::new(row, undo_verb)).collect::<Result<Vec<_>, _>>()?)?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(insert!(json_rows!())).bind(rows).bind(at.millis()).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(insert!(recordset!())).bind(rows).bind(at.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// An occurrence with new values.
#[derive(Debug, Clone)]
pub struct ChangedMeeting<'a> {
    /// The meeting.
    pub id: Uuid,
    /// Its version before.
    pub seen: Version,
    /// Its series and the local time by the rule, after the change.
    pub series: (Uuid, &'a str),
    /// The new values.
    pub to: MeetingUpdate<'a>,
}

/// Changes meetings that still have the seen versions. Returns how many were changed: fewer than
/// given means that one was changed meanwhile. First none of them holds its room, so that they may
/// move to times of one another. [`StoreError::is_overlap`]: a room is not free.
pub async fn update(mut conn: Conn<'_>, all: &[ChangedMeeting<'_>]) -> Result<u64, StoreError> {
    if all.is_empty() {
        return Ok(0);
    }
    let rows = encode(all.iter().map(Packed::changed).collect::<Result<Vec<_>, _>>()?)?;
    let ids = all.iter().map(|one| one.id);
    Ok(match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query("update meeting set holds = 0 where id in (select unhex(value) from jsonb_each($1))")
                .bind(encode(ids.map(Uuid::simple))?)
                .execute(&mut *c)
                .await?;
            sqlx::query(update!(json_rows!())).bind(rows).execute(c).await?.rows_affected()
        }
        Conn::Postgres(c) => {
            sqlx::query("update meeting set holds = 0 where id = any($1)")
                .bind(ids.collect::<Vec<_>>())
                .execute(&mut *c)
                .await?;
            sqlx::query(update!(recordset!())).bind(rows).execute(c).await?.rows_affected()
        }
    })
}

/// A time that a booking would hold a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedTime {
    /// The room.
    pub room: RoomId,
    /// From this moment.
    pub from: Timestamp,
    /// To this moment.
    pub to: Timestamp,
}

row! {
    /// A booking that is in the way of one of several times.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct PlacedConflict {
        place: i64,
        id: Uuid,
        title: String,
        starts_at: i64,
        ends_at: i64,
    }
}

macro_rules! conflicts {
    ($wanted:expr, $except:expr) => {
        concat!(
            "select e.place, m.id, m.title, m.starts_at, m.ends_at
               from ",
            $wanted,
            " join meeting m
                on m.holds = 1 and m.room_id = e.room_id and m.starts_at < e.free_at and m.starts_at > e.starts_at - $3
                   and m.free_at > e.starts_at
              where m.id ",
            $except,
            " order by e.place, m.starts_at"
        )
    };
}

/// Returns for each of these times, by its place, the bookings that hold its room, by start, without
/// the meetings `except`; at most [`MAX_CONFLICTS_EACH`] each. The rooms must be locked, so that the
/// result stays valid until the commit.
pub async fn conflicts(
    conn: Conn<'_>,
    wanted: &[WantedTime],
    except: &[Uuid],
) -> Result<Vec<Vec<ConflictRow>>, StoreError> {
    let mut all = vec![Vec::new(); wanted.len()];
    if wanted.is_empty() {
        return Ok(all);
    }
    let times = wanted.iter().enumerate().map(|(place, one)| {
        serde_json::json!({"place": place, "room_id": one.room.0.simple(), "starts_at": one.from.millis(),
                           "free_at": one.to.millis()})
    });
    let times = encode(times)?;
    let rows: Vec<PlacedConflict> = match conn {
        Conn::Sqlite(c) => sqlx::query_as(conflicts!(
            "(select value ->> 'place' as place, unhex(value ->> 'room_id') as room_id, value ->> 'starts_at' as starts_at,
                     value ->> 'free_at' as free_at from jsonb_each($1)) as e",
            "not in (select unhex(value) from jsonb_each($2))"
        ))
        .bind(times)
        .bind(encode(except.iter().map(Uuid::as_simple))?)
        .bind(super::MAX_BOOKING_MS)
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => sqlx::query_as(conflicts!(
            "json_to_recordset($1::json) as e (place bigint, room_id uuid, starts_at bigint, free_at bigint)",
            "<> all($2)"
        ))
        .bind(times)
        .bind(except)
        .bind(super::MAX_BOOKING_MS)
        .fetch_all(c)
        .await?,
    };
    for PlacedConflict { place, id, title, starts_at, ends_at } in rows {
        let list = usize::try_from(place).ok().and_then(|place| all.get_mut(place));
        if let Some(list) = list.filter(|list| list.len() < MAX_CONFLICTS_EACH) {
            list.push(ConflictRow { id, title, starts_at, ends_at });
        }
    }
    Ok(all)
}

/// Adds attendees to meetings: the meeting, address and name of each.
pub async fn add_attendees(conn: Conn<'_>, all: &[(Uuid, &str, &str)]) -> Result<(), StoreError> {
    if all.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into attendee (meeting_id, email, name)
                 select unhex(value ->> 0), value ->> 1, value ->> 2 from jsonb_each($1)",
            )
            .bind(encode(all.iter().map(|(id, email, name)| (id.simple(), email, name)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into attendee (meeting_id, email, name)
                 select * from unnest($1::uuid[], $2::text[], $3::text[])",
            )
            .bind(all.iter().map(|one| one.0).collect::<Vec<_>>())
            .bind(all.iter().map(|one| one.1).collect::<Vec<_>>())
            .bind(all.iter().map(|one| one.2).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
