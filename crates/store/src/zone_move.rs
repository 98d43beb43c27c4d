//! Items in wall-clock time that newer time-zone data moved, until somebody dismisses them.

use crate::{Conn, StoreError, batch::pack, db::on, row::row};
use domain::{PersonId, TaskId, Timestamp};
use uuid::Uuid;

/// The setting: release of the time-zone data of the node that started last.
pub const DATA: &str = "time_zone_data";

row! {
    /// A waiting item that somebody gave in wall-clock time.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Waiting {
        /// Which one.
        pub id: Uuid,
        /// Grows with every change.
        pub version: i32,
        /// When, milliseconds.
        pub due_at: i64,
        /// What the person typed.
        pub local: String,
        /// The zone they typed it in.
        pub zone: String,
        /// Priority.
        pub lane: String,
        /// Shard of its hints.
        pub bucket: i32,
    }
}

/// Where a page of [`waiting`] ended: moment and identity.
pub type Place = (i64, Uuid);

/// Waiting items in wall-clock time, from `after` on, at most `limit`.
pub async fn waiting(conn: Conn<'_>, after: Option<Place>, limit: i64) -> Result<Vec<Waiting>, StoreError> {
    let (due_at, id) = after.unwrap_or((i64::MIN, Uuid::nil()));
    Ok(on!(conn, c => sqlx::query_as(
        "select id, version, due_at, local, zone, lane, bucket
           from task
          where state = 'scheduled' and (due_at, id) > ($1, $2) and local is not null and zone is not null
          order by due_at, id
          limit $3")
        .bind(due_at).bind(id).bind(limit).fetch_all(c).await)?)
}

/// Why an item is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Its local time is another instant now.
    Moved,
    /// Its local time does not exist any more: it goes out at the jump.
    Skipped,
    /// Its local time happens twice.
    Doubled,
}

impl Cause {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Skipped => "skipped",
            Self::Doubled => "doubled",
        }
    }
}

/// An item that is to be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneMove {
    /// Which item.
    pub task: TaskId,
    /// Why.
    pub cause: Cause,
    /// What the person typed.
    pub local: String,
    /// The zone they typed it in.
    pub zone: String,
    /// When it was due.
    pub was_due_at: Timestamp,
    /// When it is due now.
    pub due_at: Timestamp,
}

/// Lists these; of one that is listed already the instant at first stays.
pub async fn list(conn: Conn<'_>, moves: &[ZoneMove], data: &str, now: Timestamp) -> Result<(), StoreError> {
    if moves.is_empty() {
        return Ok(());
    }
    let column = |of: fn(&ZoneMove) -> i64| moves.iter().map(of).collect::<Vec<_>>();
    match conn {
        Conn::Sqlite(c) => {
            let rows = pack(moves.iter().map(|one| {
                let (was, due) = (one.was_due_at.millis(), one.due_at.millis());
                (one.task.0.simple(), one.cause.as_str(), &one.local, &one.zone, was, due)
            }))?;
            sqlx::query(LIST_SQLITE).bind(data).bind(now.millis()).bind(rows).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(LIST_POSTGRES)
                .bind(data)
                .bind(now.millis())
                .bind(moves.iter().map(|one| one.task.0).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.cause.as_str()).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.local.as_str()).collect::<Vec<_>>())
                .bind(moves.iter().map(|one| one.zone.as_str()).collect::<Vec<_>>())
                .bind(column(|one| one.was_due_at.millis()))
                .bind(column(|one| one.due_at.millis()))
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

const LIST_SQLITE: &str = "
    insert into zone_move (task_id, data, cause, local, zone, was_due_at, due_at, found_at)
    select unhex(value ->> 0), $1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2
      from jsonb_each($3)
     where true
        on conflict (task_id) do update
       set data = excluded.data, cause = excluded.cause, due_at = excluded.due_at, found_at = excluded.found_at";

const LIST_POSTGRES: &str = "
    insert into zone_move (task_id, data, cause, local, zone, was_due_at, due_at, found_at)
    select e.task_id, $1, e.cause, e.local, e.zone, e.was_due_at, e.due_at, $2
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
           as e (task_id, cause, local, zone, was_due_at, due_at)
        on conflict (task_id) do update
       set data = excluded.data, cause = excluded.cause, due_at = excluded.due_at, found_at = excluded.found_at";

row! {
    /// A listed item.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Listed {
        /// Which item.
        pub task_id: Uuid,
        /// Release of the data.
        pub data: String,
        /// Why, see [`Cause`].
        pub cause: String,
        /// What the person typed.
        pub local: String,
        /// The zone they typed it in.
        pub zone: String,
        /// When it was due, milliseconds.
        pub was_due_at: i64,
        /// When it is due by the newer data, milliseconds.
        pub due_at: i64,
        /// How many are listed in all.
        pub total: i64,
        /// How many of them are the asker's.
        pub theirs: i64,
    }
}

/// The first `limit` of what is listed. `owner`: whose count as the asker's; `None`: all.
pub async fn listed(conn: Conn<'_>, owner: Option<PersonId>, limit: i64) -> Result<Vec<Listed>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select m.task_id, m.data, m.cause, m.local, m.zone, m.was_due_at, m.due_at, count(*) over () as total,
                count(case when $1 is null or t.owner_id = $1 then 1 end) over () as theirs
           from zone_move m
           join task t on t.id = m.task_id
          order by m.due_at, m.task_id
          limit $2")
        .bind(owner.map(|owner| owner.0)).bind(limit).fetch_all(c).await)?)
}

/// Takes off the list what was found until then, of this owner if there is one. Which items.
pub async fn dismiss(
    conn: Conn<'_>,
    owner: Option<PersonId>,
    until: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "delete from zone_move
          where found_at <= $2 and task_id in (select id from task where $1 is null or owner_id = $1)
         returning task_id")
        .bind(owner.map(|owner| owner.0)).bind(until.millis()).fetch_all(c).await)?)
}
