//! What holds rooms, and until when they are free.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{RoomId, Timestamp};
use uuid::Uuid;

row! {
    /// A booking that holds a room. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BusyRow {
        /// The room.
        pub room_id: Uuid,
        /// The meeting.
        pub id: Uuid,
        /// Its title.
        pub title: String,
        /// Its state.
        pub state: String,
        /// Its organizer.
        pub organizer_id: Uuid,
        /// Name of the organizer.
        pub organizer: String,
        /// When it starts.
        pub starts_at: i64,
        /// When it ends.
        pub ends_at: i64,
        /// When the room is free again.
        pub free_at: i64,
    }
}

macro_rules! busy {
    ($rooms:literal) => {
        concat!(
            "select m.room_id, m.id, m.title,
                    case when m.state = 'requested' then coalesce(m.waits, m.state) else m.state end as state, m.organizer_id, coalesce(p.name, '') as organizer,
                    m.starts_at, m.ends_at, m.free_at
               from meeting m
               left join account p on p.id = m.organizer_id
              where m.holds = 1 and m.room_id ",
            $rooms,
            "   and m.starts_at < $3 and m.starts_at > $4 and m.free_at > $2
              order by m.starts_at"
        )
    };
}

/// Returns what holds these rooms at some time between two moments, by start.
pub async fn busy(
    conn: Conn<'_>,
    rooms: &[RoomId],
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<BusyRow>, StoreError> {
    let first = from.millis() - super::MAX_BOOKING_MS;
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(busy!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(rooms.iter().map(|room| room.0.simple()))?)
                .bind(from.millis())
                .bind(to.millis())
                .bind(first)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(busy!("= any($1)"))
                .bind(rooms.iter().map(|room| room.0).collect::<Vec<_>>())
                .bind(from.millis())
                .bind(to.millis())
                .bind(first)
                .fetch_all(c)
                .await?
        }
    })
}

row! {
    /// A person of the desk with the first meeting in a range of time. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PersonRow {
        /// The account.
        pub id: Uuid,
        /// Display name.
        pub name: String,
        /// Address.
        pub email: String,
        /// When the meeting starts; `None`: there is none.
        pub starts_at: Option<i64>,
        /// When it ends.
        pub ends_at: Option<i64>,
    }
}

/// Returns the active accounts by name, each with its first meeting at some time between two moments.
pub async fn people(
    conn: Conn<'_>,
    (from, to): (Timestamp, Timestamp),
    limit: i64,
) -> Result<Vec<PersonRow>, StoreError> {
    let first = from.millis() - super::MAX_BOOKING_MS;
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select p.id, p.name, p.email, m.starts_at, m.ends_at
           from account p
           left join meeting m on m.id =
                (select b.id from meeting b
                  where b.starts_at < $2 and b.starts_at > $3 and b.ends_at > $1
                    and b.state in ('requested', 'confirmed', 'in_progress') and b.waits is null
                    and (b.organizer_id = p.id
                         or exists (select 1 from attendee a
                                     where a.meeting_id = b.id and a.email = p.email and a.answer <> 'declined'))
                  order by b.starts_at, b.id
                  limit 1)
          where p.is_disabled = 0
          order by p.name, p.id
          limit $4")
        .bind(from.millis()).bind(to.millis()).bind(first).bind(limit).fetch_all(c).await)?)
}

/// Returns for each of these rooms the start of its first booking at or after a moment; `None`:
/// there is none.
pub async fn next_starts(
    conn: Conn<'_>,
    rooms: &[RoomId],
    from: Timestamp,
) -> Result<Vec<(Uuid, Option<i64>)>, StoreError> {
    macro_rules! next {
        ($rooms:literal) => {
            concat!(
                "select r.id, (select min(m.starts_at) from meeting m
                                where m.holds = 1 and m.room_id = r.id and m.starts_at >= $2)
                   from room r where r.id ",
                $rooms
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(next!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(rooms.iter().map(|room| room.0.simple()))?)
                .bind(from.millis())
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(next!("= any($1)"))
                .bind(rooms.iter().map(|room| room.0).collect::<Vec<_>>())
                .bind(from.millis())
                .fetch_all(c)
                .await?
        }
    })
}
