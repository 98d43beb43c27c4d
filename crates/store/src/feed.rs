//! What the feeder loads: the waiting tasks of the coming window, in the order of their moments.

use crate::{Conn, StoreError, batch::pack, db::on};
use domain::{Lane, TaskId, Timestamp, Version};
use uuid::Uuid;

/// What a hint of a waiting task says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The task.
    pub task: TaskId,
    /// Its version now.
    pub version: Version,
    /// Its moment: its place in the order.
    pub due_at: Timestamp,
    /// When it may run: its moment, or later if a try was put off.
    pub runs_at: Timestamp,
    /// Its lane.
    pub lane: Lane,
}

/// A place in the order of moments: everything up to and including it has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    due_at: i64,
    id: Uuid,
}

impl Place {
    /// After everything due at that moment.
    #[must_use]
    pub fn after(moment: Timestamp) -> Self {
        Self { due_at: moment.millis(), id: Uuid::max() }
    }

    /// Before everything.
    #[must_use]
    pub fn start() -> Self {
        Self { due_at: i64::MIN, id: Uuid::nil() }
    }
}

impl From<&Waiting> for Place {
    fn from(task: &Waiting) -> Self {
        Self { due_at: task.due_at.millis(), id: task.task.0 }
    }
}

type Row = (Uuid, i32, i64, String, Option<i64>);

/// The waiting tasks after `place` that are due by `until`, at most `limit`, earliest first.
pub async fn page(
    conn: Conn<'_>,
    place: Place,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Waiting>, StoreError> {
    let rows: Vec<Row> = on!(conn, c => sqlx::query_as(
        "select id, version, due_at, lane, not_before
           from task
          where state = 'scheduled'
            and (due_at, id) > ($1, $2)
            and due_at <= $3
          order by due_at, id
          limit $4")
        .bind(place.due_at).bind(place.id).bind(until.millis()).bind(i64::from(limit)).fetch_all(c).await)?;
    rows.into_iter().map(read).collect()
}

/// Those of the tasks that wait and are due by `until`.
pub async fn of(conn: Conn<'_>, ids: &[Uuid], until: Timestamp) -> Result<Vec<Waiting>, StoreError> {
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(OF_SQLITE)
                .bind(pack(ids.iter().map(Uuid::as_simple))?)
                .bind(until.millis())
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(OF_POSTGRES).bind(ids).bind(until.millis()).fetch_all(c).await?,
    };
    rows.into_iter().map(read).collect()
}

const OF_SQLITE: &str = "
    select id, version, due_at, lane, not_before
      from task
     where state = 'scheduled'
       and id in (select unhex(value) from jsonb_each($1))
       and due_at <= $2";

const OF_POSTGRES: &str = "
    select id, version, due_at, lane, not_before
      from task
     where state || '' = 'scheduled'
       and id = any($1)
       and due_at <= $2";

fn read((id, version, due_at, lane, not_before): Row) -> Result<Waiting, StoreError> {
    Ok(Waiting {
        task: TaskId(id),
        version: Version(version),
        due_at: Timestamp::from_millis(due_at),
        runs_at: Timestamp::from_millis(not_before.map_or(due_at, |other| other.max(due_at))),
        lane: lane.parse().map_err(|odd| StoreError::Corrupt(format!("lane of task {id}: {odd}")))?,
    })
}
