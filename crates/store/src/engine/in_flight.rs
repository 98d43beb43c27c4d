//! Tasks in flight at each node. They are stored before a node executes them, so that tasks in
//! flight at a node that died are counted as crashed and quarantined.

use super::task_claim::Claim;
use crate::{Conn, Store, StoreError, db::with_conn, prepared_call::PreparedCall};
use domain::{TaskId, Version};
use std::collections::HashSet;
use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

pub use domain::node::NODE_DEAD_AFTER_MS;

// For both engines: upserts the row of one slot of a node.
macro_rules! upsert {
    ($from:literal) => {
        concat!(
            "insert into in_flight (node_id, slot, tasks) select $1, $2, $3 ",
            $from,
            " on conflict (node_id, slot) do update set tasks = excluded.tasks"
        )
    };
}

macro_rules! upsert_without_sync {
    () => {
        concat!(
            "with no_sync as (select set_config('synchronous_commit', 'off', true)) ",
            upsert!("from no_sync")
        )
    };
}

const SYNC_FULL: &str = "pragma synchronous = full";
// One call, so that SQLite's thread is entered once. After an error the rest does not run, so the
// caller restores `full`. (`where true`: without it SQLite parses `on conflict` as a join
// condition.)
const UPSERT_SQLITE: &str =
    concat!("pragma synchronous = normal; ", upsert!("where true"), "; pragma synchronous = full");

/// Bytes of an id, and of an id with a version.
const ID_BYTES: usize = 16;
const TASK_BYTES: usize = ID_BYTES + 4;

/// Encodes the tasks as stored in `in_flight.tasks`.
#[must_use]
pub fn encode<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for claim in claims {
        bytes.extend(claim.task.0.as_bytes());
        bytes.extend(claim.version.0.to_be_bytes());
    }
    bytes
}

/// Decodes `in_flight.tasks`.
pub(super) fn decode(tasks: &[u8]) -> impl Iterator<Item = (TaskId, Version)> {
    tasks.chunks_exact(TASK_BYTES).filter_map(|task| {
        let (id, version) = task.split_at(ID_BYTES);
        let version = i32::from_be_bytes(version.try_into().ok()?);
        Some((TaskId(Uuid::from_slice(id).ok()?), Version(version)))
    })
}

/// A write of the tasks that a batch is about to execute, so that other nodes see them.
pub struct InFlightWrite {
    node: Uuid,
    slot: i32,
    tasks: Vec<u8>,
    /// What was written to this slot last.
    last: OwnedMutexGuard<Vec<u8>>,
}

impl InFlightWrite {
    /// A write to one slot of the node. `tasks` comes from [`encode`], `last` is what was written
    /// to the slot last. `None`: the slot is up to date.
    #[must_use]
    pub fn new(node: Uuid, slot: usize, tasks: Vec<u8>, last: OwnedMutexGuard<Vec<u8>>) -> Option<Self> {
        let slot = i32::try_from(slot).ok()?;
        (*last != tasks).then_some(Self { node, slot, tasks, last })
    }

    /// Writes it without waiting for the disk: the row survives a crash of the process, not of the
    /// machine.
    pub async fn write(self, store: &Store) -> Result<(), StoreError> {
        let Self { node, slot, tasks, .. } = &self;
        match store {
            Store::Sqlite { writer, writer_lock: gate, .. } => {
                let _permit = gate.acquire(true).await;
                let mut c = writer.acquire().await?;
                let write = sqlx::query(UPSERT_SQLITE).bind(node).bind(slot).bind(tasks.as_slice());
                let written = write.execute(&mut *c).await;
                if written.is_err() {
                    sqlx::query(SYNC_FULL).execute(&mut *c).await?;
                }
                written?;
            }
            Store::Postgres { engine, .. } => {
                let write = sqlx::query(upsert_without_sync!()).bind(node).bind(slot).bind(tasks.as_slice());
                write.execute(&mut engine.acquire().await?).await?;
            }
        }
        self.written();
        Ok(())
    }

    /// The statement that writes it, for a connection that has prepared [`STATEMENT`]. Call
    /// [`InFlightWrite::written`] afterwards.
    pub(crate) fn sql(&self) -> String {
        let call = PreparedCall::new("presstime_mark_in_flight").text(&self.node.to_string());
        call.number(self.slot.into()).bytes(&self.tasks).sql()
    }

    /// Remembers that the row was written.
    pub(crate) fn written(mut self) {
        *self.last = self.tasks;
    }
}

/// Prepares the statement of [`InFlightWrite::sql`] on a connection to PostgreSQL.
pub(crate) const STATEMENT: &str =
    concat!("prepare presstime_mark_in_flight (uuid, integer, bytea) as ", upsert_without_sync!());

/// Deletes the rows of nodes that no longer exist.
pub(crate) async fn forget(conn: Conn<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from in_flight where node_id not in (select id from node)")
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the quarantined tasks: scheduled, and crashed at least twice. They run one at a time.
pub async fn quarantined(conn: Conn<'_>) -> Result<HashSet<TaskId>, StoreError> {
    // Forces the partial index: SQLite always prefers to read all scheduled tasks, PostgreSQL does
    // with statistics of a moment without scheduled tasks. The duplicate in the array makes its
    // other plan look more expensive.
    let ids: Vec<Uuid> = match conn {
        Conn::Sqlite(c) => sqlx::query_scalar(
            "select id from task indexed by task_quarantined where crash_count >= 2 and state = 'scheduled'",
        )
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select id from task where crash_count >= 2 and state = any('{scheduled,scheduled}')",
            )
            .fetch_all(c)
            .await?
        }
    };
    Ok(ids.into_iter().map(TaskId).collect())
}
