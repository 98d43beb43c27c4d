//! Door pages of rooms, and links to check in. Only hashes of their secrets and PINs are stored.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, RoomId, Timestamp};
use uuid::Uuid;

row! {
    /// The door page of a room.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DoorRow {
        /// The room.
        pub room_id: Uuid,
        /// Its name.
        pub name: String,
        /// IANA time zone of the room.
        pub time_zone: String,
        /// What the room requires, JSON.
        pub policy: String,
        /// Hash of the PIN with which it is booked; `None`: it cannot be booked at the door.
        pub pin_hash: Option<String>,
        /// The admin who created the page, in whose name it acts.
        pub created_by: Uuid,
        /// Hash of the secret of its link.
        pub secret_hash: String,
    }
}

/// Stores the door page of a room, in place of the one before.
pub async fn set(
    conn: Conn<'_>,
    room: RoomId,
    (secret_hash, pin_hash): (&str, Option<&str>),
    by: AccountId,
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into door (room_id, secret_hash, pin_hash, created_by, created_at) values ($1, $2, $3, $4, $5)
             on conflict (room_id) do update
            set secret_hash = excluded.secret_hash, pin_hash = excluded.pin_hash, created_by = excluded.created_by,
                created_at = excluded.created_at")
        .bind(room.0).bind(secret_hash).bind(pin_hash).bind(by.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes the door page of a room; false: it has none.
pub async fn delete(conn: Conn<'_>, room: RoomId) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query("delete from door where room_id = $1")
        .bind(room.0).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Returns the door page with this secret; `None`: it was revoked, or the room is archived.
pub async fn find(conn: Conn<'_>, room: RoomId, secret_hash: &str) -> Result<Option<DoorRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select d.room_id, r.name, r.time_zone, r.policy, d.pin_hash, d.created_by, d.secret_hash
           from door d
           join room r on r.id = d.room_id
          where d.room_id = $1 and d.secret_hash = $2 and r.archived_at is null")
        .bind(room.0).bind(secret_hash).fetch_optional(c).await)?)
}

/// Returns the hash of the secret of the door page of a room; `None`: it was revoked, the room is archived, or the
/// account that created it is no admin any more.
pub async fn secret_hash(conn: Conn<'_>, room: RoomId) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select d.secret_hash
           from door d
           join room r on r.id = d.room_id
           join account a on a.id = d.created_by
          where d.room_id = $1 and r.archived_at is null and a.is_disabled = 0 and a.role = 'admin'")
        .bind(room.0).fetch_optional(c).await)?)
}

row! {
    /// A link by which a person checks in to a meeting.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CheckInLinkRow {
        /// The meeting.
        pub meeting_id: Uuid,
        /// Its organizer, in whose name the link acts.
        pub organizer_id: Uuid,
        /// Language of the account with the address of the link; `None`: there is none.
        pub language: Option<String>,
    }
}

/// Returns the link of an organizer or attendee with this secret; `None`: there is none, the person is no
/// attendee any more, or the account of the organizer is disabled.
pub async fn find_check_in_link(
    conn: Conn<'_>,
    secret_hash: &str,
) -> Result<Option<CheckInLinkRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select m.id as meeting_id, m.organizer_id, p.language
           from answer_link l
           join meeting m on m.id = l.meeting_id
           join account o on o.id = m.organizer_id and o.is_disabled = 0
           left join account p on p.email = l.email
          where l.secret_hash = $1 and l.series_uid is null
            and (o.email = l.email
                 or exists (select 1 from attendee a where a.meeting_id = m.id and a.email = l.email))")
        .bind(secret_hash).fetch_optional(c).await)?)
}
