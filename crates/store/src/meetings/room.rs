//! Rooms.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{RoomId, Timestamp, Version, meetings::RoomSettings};
use uuid::Uuid;

row! {
    /// A room as stored. Lists and the policy are JSON.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RoomRow {
        /// Id.
        pub id: Uuid,
        /// Name.
        pub name: String,
        /// Grows with every change.
        pub version: i32,
        /// Place in the list.
        pub position: i32,
        /// Number of persons; `None`: unknown.
        pub capacity: Option<i32>,
        /// Where it is.
        pub place: String,
        /// What it has, JSON.
        pub equipment: String,
        /// IANA time zone.
        pub time_zone: String,
        /// Lowest role that may book it.
        pub booked_by: String,
        /// What it requires of bookings, JSON.
        pub policy: String,
        /// When it was archived, milliseconds; `None`: it can be booked.
        pub archived_at: Option<i64>,
    }
}

impl RoomRow {
    /// Returns the settings.
    pub fn settings(&self) -> Result<RoomSettings, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of the room {}", self.id));
        Ok(RoomSettings {
            name: self.name.clone(),
            capacity: self.capacity,
            place: self.place.clone(),
            equipment: serde_json::from_str(&self.equipment).map_err(|_| corrupt("equipment"))?,
            zone: Some(self.time_zone.clone()),
            booked_by: self.booked_by.parse().map_err(|_| corrupt("role"))?,
            policy: serde_json::from_str(&self.policy).map_err(|_| corrupt("policy"))?,
        })
    }
}

macro_rules! rooms {
    ($rest:literal) => {
        concat!(
            "select id, name, version, position, capacity, place, equipment, time_zone, booked_by, policy, archived_at
               from room ",
            $rest
        )
    };
}

/// Returns all rooms in their order; `with_archived`: archived ones too.
pub async fn list(conn: Conn<'_>, with_archived: bool) -> Result<Vec<RoomRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        rooms!("where archived_at is null or $1 = 1 order by position, id"))
        .bind(i32::from(with_archived)).fetch_all(c).await)?)
}

/// Returns one room; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: RoomId) -> Result<Option<RoomRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(rooms!("where id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Locks rooms in id order until the transaction ends: bookings of a room are written one after the
/// other, and each sees those before. On SQLite the transaction already has the only writer. Targets
/// are locked before.
pub async fn lock(conn: Conn<'_>, ids: &[RoomId]) -> Result<Vec<RoomRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(rooms!("where id in (select unhex(value) from jsonb_each($1)) order by id"))
                .bind(encode(ids.iter().map(|id| id.0.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(rooms!("where id = any($1) order by id for no key update"))
                .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    })
}

/// Stores a new room, last in the order. [`StoreError::is_unique_violation`]: another room has this
/// name.
pub async fn insert(
    conn: Conn<'_>,
    id: RoomId,
    settings: &RoomSettings,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (equipment, policy) = texts(settings)?;
    with_conn!(conn, c => sqlx::query(
        "insert into room (id, name, position, capacity, place, equipment, time_zone, booked_by, policy, created_at)
         select $1, $2, coalesce(max(position), -1) + 1, $3, $4, $5, $6, $7, $8, $9 from room")
        .bind(id.0).bind(&settings.name).bind(settings.capacity).bind(&settings.place).bind(equipment)
        .bind(settings.zone.as_deref().unwrap_or("UTC")).bind(settings.booked_by.as_str()).bind(policy)
        .bind(now.millis())
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the number of rooms, archived ones included.
pub async fn count(conn: Conn<'_>) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select count(*) from room").fetch_one(c).await)?)
}

/// Changes a room that still has the seen version. Returns the new version; `None`: it was changed
/// meanwhile. [`StoreError::is_unique_violation`]: another room has this name.
pub async fn update(
    conn: Conn<'_>,
    id: RoomId,
    settings: &RoomSettings,
    seen: Version,
) -> Result<Option<Version>, StoreError> {
    let (equipment, policy) = texts(settings)?;
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update room
            set name = $3, capacity = $4, place = $5, equipment = $6, time_zone = $7, booked_by = $8, policy = $9,
                version = version + 1
          where id = $1 and version = $2
         returning version")
        .bind(id.0).bind(seen.0).bind(&settings.name).bind(settings.capacity).bind(&settings.place).bind(equipment)
        .bind(settings.zone.as_deref().unwrap_or("UTC")).bind(settings.booked_by.as_str()).bind(policy)
        .fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// Archives a room that still has the seen version, or brings it back. Returns the new version;
/// `None`: it was changed meanwhile.
pub async fn archive(
    conn: Conn<'_>,
    id: RoomId,
    archived_at: Option<Timestamp>,
    seen: Version,
) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update room set archived_at = $3, version = version + 1 where id = $1 and version = $2 returning version")
        .bind(id.0).bind(seen.0).bind(archived_at.map(Timestamp::millis)).fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// Gives rooms their places in the list, in this order from 0. Their versions stay.
pub async fn reorder(conn: Conn<'_>, order: &[RoomId]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update room
                    set position = placed.position
                   from (select unhex(value ->> 0) as id, value ->> 1 as position from jsonb_each($1)) as placed
                  where room.id = placed.id",
            )
            .bind(encode(order.iter().enumerate().map(|(place, id)| (id.0.simple(), place)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update room r
                    set position = placed.position - 1
                   from unnest($1::uuid[]) with ordinality as placed (id, position)
                  where r.id = placed.id",
            )
            .bind(order.iter().map(|id| id.0).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Whether the database itself refuses overlapping bookings: see the migration. False only on
/// PostgreSQL without the extension `btree_gist`.
pub async fn has_overlap_constraint(conn: Conn<'_>) -> Result<bool, StoreError> {
    Ok(match conn {
        Conn::Sqlite(_) => true,
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select exists (select 1 from pg_constraint
                                 where conname = 'meeting_no_overlap' and conrelid = to_regclass('meeting'))",
            )
            .fetch_one(c)
            .await?
        }
    })
}

/// Equipment and policy as JSON.
fn texts(settings: &RoomSettings) -> Result<(String, String), StoreError> {
    let corrupt = |error: serde_json::Error| StoreError::Corrupt(error.to_string());
    let equipment = serde_json::to_string(&settings.equipment).map_err(corrupt)?;
    Ok((equipment, serde_json::to_string(&settings.policy).map_err(corrupt)?))
}
