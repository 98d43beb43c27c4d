//! Meetings that wait for a room.

use super::{
    meeting::{MeetingRow, meeting_columns},
    meeting_batch::WantedTime,
};
use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::{AccountId, MeetingId, Timestamp, meetings::Booking};
use uuid::Uuid;

/// Maximum number of meetings that one change can make offers to.
const MAX_CANDIDATES: i64 = 1_000;

macro_rules! candidates {
    ($freed:expr) => {
        concat!(
            "select ",
            meeting_columns!(),
            " from meeting m
              where m.waits = 'waiting' and m.state = 'requested' and m.starts_at > $2
                and exists (select 1 from ",
            $freed,
            "            where e.room_id = m.room_id and m.starts_at < e.free_at and m.free_at > e.starts_at)
                and not exists (select 1 from meeting o
                                 where o.holds = 1 and o.room_id = m.room_id and o.id <> m.id
                                   and o.starts_at < m.free_at and o.starts_at > m.starts_at - $3
                                   and o.free_at > m.starts_at)
              order by m.created_at, m.id
              limit $4"
        )
    };
}

/// Returns the waiting meetings that could have their rooms now and overlap one of the freed times,
/// those that wait longest first. The rooms must be locked, so that the result stays valid until the
/// commit.
pub async fn candidates(
    conn: Conn<'_>,
    freed: &[WantedTime],
    now: Timestamp,
) -> Result<Vec<MeetingRow>, StoreError> {
    let times = freed.iter().map(|one| {
        serde_json::json!({"room_id": one.room.0.simple(), "starts_at": one.from.millis(),
                           "free_at": one.to.millis()})
    });
    let times = encode(times)?;
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(candidates!(
                "(select unhex(value ->> 'room_id') as room_id, value ->> 'starts_at' as starts_at,
                         value ->> 'free_at' as free_at from jsonb_each($1)) as e"
            ))
            .bind(times)
            .bind(now.millis())
            .bind(super::MAX_BOOKING_MS)
            .bind(MAX_CANDIDATES)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(candidates!(
                "json_to_recordset($1::json) as e (room_id uuid, starts_at bigint, free_at bigint)"
            ))
            .bind(times)
            .bind(now.millis())
            .bind(super::MAX_BOOKING_MS)
            .bind(MAX_CANDIDATES)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns how many meetings wait for the room at some time of this one, and the meeting of this
/// organizer with this title that waits for exactly this time.
pub async fn queue(
    conn: Conn<'_>,
    booking: &Booking,
    (organizer, title): (AccountId, &str),
) -> Result<(i64, Option<MeetingId>), StoreError> {
    let room = booking.room_id.map(|room| room.0);
    let rows: Vec<(Uuid, i32)> = with_conn!(conn, c => sqlx::query_as(
        "select id, case when organizer_id = $4 and title = $5 and starts_at = $2 and ends_at = $6 then 1 else 0 end
           from meeting
          where waits = 'waiting' and state = 'requested' and room_id = $1 and starts_at < $3 and free_at > $2
          order by created_at, id")
        .bind(room).bind(booking.starts_at.millis()).bind(booking.free_at.millis()).bind(organizer.0).bind(title)
        .bind(booking.ends_at.millis()).fetch_all(c).await)?;
    let same = rows.iter().find(|(_, is_same)| *is_same == 1).map(|(id, _)| MeetingId(*id));
    Ok((i64::try_from(rows.len()).unwrap_or(i64::MAX), same))
}
