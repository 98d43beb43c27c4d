//! Meetings whose tasks are due: one statement for each slice, in the transaction that executes the
//! tasks. The targets are locked.

use super::meeting::{MeetingRow, json, meeting_columns, millis, stored_state};
use crate::{
    Conn, StoreError,
    json_rows::{column, decode, encode},
    row::row,
};
use domain::{
    TaskId, Timestamp,
    meetings::{Booking, MeetingState},
};
use uuid::Uuid;

/// Moves those of the meetings that are in one state to another, and returns them with their new
/// versions. An earlier change can no longer be undone.
pub async fn advance(
    conn: Conn<'_>,
    ids: &[Uuid],
    from: MeetingState,
    to: MeetingState,
) -> Result<Vec<(Uuid, i32)>, StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            let ids = encode(ids.iter().map(Uuid::as_simple))?;
            // One row instead of one for each meeting.
            let packed: String = sqlx::query_scalar(
                "select json_group_array(json_array(hex(id), version + 1))
                   from meeting
                  where id in (select unhex(value) from jsonb_each($1)) and state = $2",
            )
            .bind(&ids)
            .bind(from.as_str())
            .fetch_one(&mut *c)
            .await?;
            sqlx::query(
                "update meeting
                    set state = $3, version = version + 1, undo_verb = null, undo_at = null, undo_before = null
                  where id in (select unhex(value) from jsonb_each($1)) and state = $2",
            )
            .bind(ids)
            .bind(from.as_str())
            .bind(to.as_str())
            .execute(c)
            .await?;
            decode(&packed)
        }
        Conn::Postgres(c) => Ok(sqlx::query_as(
            "update meeting
                set state = $3, version = version + 1, undo_verb = null, undo_at = null, undo_before = null
              where id = any($1) and state = $2
             returning id, version",
        )
        .bind(ids)
        .bind(from.as_str())
        .bind(to.as_str())
        .fetch_all(c)
        .await?),
    }
}

/// Returns these meetings, by id.
pub async fn load(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<MeetingRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(concat!(
                "select ",
                meeting_columns!(),
                " from meeting m where m.id in (select unhex(value) from jsonb_each($1)) order by m.id"
            ))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(concat!(
                "select ",
                meeting_columns!(),
                " from meeting m where m.id = any($1) order by m.id"
            ))
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}

/// What the engine makes of a meeting. Its room and times stay.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The meeting.
    pub id: Uuid,
    /// Its version before.
    pub version: i32,
    /// The booking after.
    pub booking: Booking,
    /// Why, as a code; empty: no reason.
    pub reason: &'static str,
    /// Verb of the change and the booking before it; `None`: it cannot be undone.
    pub undo: Option<(&'static str, Booking)>,
}

/// A row of JSON for SQLite.
type Packed<'a> = (
    uuid::fmt::Simple,
    i32,
    &'a str,
    i32,
    Option<i64>,
    Option<i64>,
    i32,
    &'a str,
    Option<&'a str>,
    Option<String>,
);

/// Writes the decisions.
pub async fn decide(conn: Conn<'_>, all: &[Decided], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            let rows = all.iter().map(packed).collect::<Result<Vec<_>, _>>()?;
            sqlx::query(concat!(
                "update meeting
                    set state = ",
                stored_state!("e.value ->> 2"),
                ", waits = ",
                stored_state!(waits of "e.value ->> 2"),
                ", holds = e.value ->> 3, checked_in_at = e.value ->> 4,
                        decide_at = e.value ->> 5, is_held = e.value ->> 6, reason = e.value ->> 7,
                        undo_verb = e.value ->> 8, undo_before = e.value ->> 9,
                        undo_at = iif(e.value ->> 8 is null, null, $2), version = version + 1
                   from jsonb_each($1) e
                  where meeting.id = unhex(e.value ->> 0) and meeting.version = e.value ->> 1",
            ))
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => decide_postgres(c, all, at).await?,
    }
    Ok(())
}

fn packed(one: &Decided) -> Result<Packed<'_>, StoreError> {
    let Booking { state, holds, checked_in_at, decide_at, is_held, .. } = &one.booking;
    Ok((
        one.id.simple(),
        one.version,
        state.as_str(),
        i32::from(*holds),
        millis(*checked_in_at),
        millis(*decide_at),
        i32::from(*is_held),
        one.reason,
        one.undo.as_ref().map(|(verb, _)| *verb),
        one.undo.as_ref().map(|(_, before)| json(before)).transpose()?,
    ))
}

async fn decide_postgres(c: &mut crate::PgConn, all: &[Decided], at: Timestamp) -> Result<(), StoreError> {
    let befores = all.iter().map(|one| one.undo.as_ref().map(|(_, before)| json(before)).transpose());
    sqlx::query(concat!(
        "update meeting m
            set state = ",
        stored_state!("e.state"),
        ", waits = ",
        stored_state!(waits of "e.state"),
        ", holds = e.holds, checked_in_at = e.checked_in_at, decide_at = e.decide_at,
                is_held = e.is_held, reason = e.reason, undo_verb = e.undo_verb, undo_before = e.undo_before,
                undo_at = case when e.undo_verb is null then null else $11::bigint end, version = m.version + 1
           from unnest($1::uuid[], $2::integer[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::integer[],
                       $8::text[], $9::text[], $10::text[])
                as e (id, version, state, holds, checked_in_at, decide_at, is_held, reason, undo_verb, undo_before)
          where m.id = e.id and m.version = e.version",
    ))
    .bind(column(all, |one| one.id))
    .bind(column(all, |one| one.version))
    .bind(column(all, |one| one.booking.state.as_str()))
    .bind(column(all, |one| i32::from(one.booking.holds)))
    .bind(column(all, |one| millis(one.booking.checked_in_at)))
    .bind(column(all, |one| millis(one.booking.decide_at)))
    .bind(column(all, |one| i32::from(one.booking.is_held)))
    .bind(column(all, |one| one.reason))
    .bind(column(all, |one| one.undo.as_ref().map(|(verb, _)| *verb)))
    .bind(befores.collect::<Result<Vec<_>, _>>()?)
    .bind(at.millis())
    .execute(c)
    .await?;
    Ok(())
}

/// Returns those of the meetings whose room another booking holds at some time of theirs. The rooms
/// must be locked.
pub async fn taken(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    macro_rules! taken {
        ($chosen:literal) => {
            concat!(
                "select m.id from meeting m
                  where ",
                $chosen,
                "   and exists (select 1 from meeting o
                                 where o.holds = 1 and o.room_id = m.room_id and o.id <> m.id
                                   and o.starts_at < m.free_at and o.starts_at > m.starts_at - $2
                                   and o.free_at > m.starts_at)"
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(taken!("m.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .bind(super::MAX_BOOKING_MS)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(taken!("m.id = any($1)"))
                .bind(ids)
                .bind(super::MAX_BOOKING_MS)
                .fetch_all(c)
                .await?
        }
    })
}

row! {
    /// What new tasks of a meeting take over from the task that creates them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskOrigin {
        /// Id of the task.
        pub id: Uuid,
        /// Priority.
        pub priority: String,
        /// Shard of its hints.
        pub bucket: i32,
        /// Owner.
        pub owner_id: Uuid,
    }
}

/// Returns what new tasks take over from these.
pub async fn origins(conn: Conn<'_>, tasks: &[TaskId]) -> Result<Vec<TaskOrigin>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, priority, bucket, owner_id from task where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(tasks.iter().map(|task| task.0.simple()))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select id, priority, bucket, owner_id from task where id = any($1)")
                .bind(tasks.iter().map(|task| task.0).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    })
}

row! {
    /// A task that was cancelled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CancelledTask {
        /// Id of the task.
        pub id: Uuid,
        /// Its new version.
        pub version: i32,
    }
}

/// Cancels the scheduled tasks of these targets and returns them.
pub async fn cancel_tasks(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<CancelledTask>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update task set state = 'cancelled', version = version + 1, not_before = null
                  where +state = 'scheduled' and target_id in (select unhex(value) from jsonb_each($1))
                 returning id, version",
            )
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update task set state = 'cancelled', version = version + 1, not_before = null
                  where state || '' = 'scheduled' and target_id = any($1)
                 returning id, version",
            )
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}
