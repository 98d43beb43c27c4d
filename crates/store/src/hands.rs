//! What a node has in its hands: written before it begins, so that the tasks of a node that died are suspects.

use crate::{
    Conn, Store, StoreError, Who,
    db::on,
    execute::{self, Claim},
    literal::Call,
};
use domain::{Lane, TaskId, Timestamp, Version};
use std::collections::HashSet;
use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

// Both engines: the row of one place of a node.
macro_rules! put {
    ($from:literal) => {
        concat!(
            "insert into in_hand (node_id, place, tasks) select $1, $2, $3 ",
            $from,
            " on conflict (node_id, place) do update set tasks = excluded.tasks"
        )
    };
}

macro_rules! note {
    () => {
        concat!("with quick as (select set_config('synchronous_commit', 'off', true)) ", put!("from quick"))
    };
}

const FULL: &str = "pragma synchronous = full";
// One call, so that SQLite's thread is asked once. It ends where an error is met: then with FULL. (`where true`: or what follows
// would be read as the condition of a join.)
const NOTE_SQLITE: &str =
    concat!("pragma synchronous = normal; ", put!("where true"), "; pragma synchronous = full");

/// Silence for so long, and what a node had in its hands is struck: longer than a pause, milliseconds.
pub const DEAD_MS: i64 = 10_000;

/// Bytes of an identity, and of it with a version.
const ID: usize = 16;
const TASK: usize = ID + 4;

/// The tasks as they are noted.
#[must_use]
pub fn packed<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for claim in claims {
        bytes.extend(claim.task.0.as_bytes());
        bytes.extend(claim.version.0.to_be_bytes());
    }
    bytes
}

/// The other way.
fn unpacked(tasks: &[u8]) -> impl Iterator<Item = (TaskId, Version)> {
    tasks.chunks_exact(TASK).filter_map(|task| {
        let (id, version) = task.split_at(ID);
        let version = i32::from_be_bytes(version.try_into().ok()?);
        Some((TaskId(Uuid::from_slice(id).ok()?), Version(version)))
    })
}

/// What a node begins, to be written where others see it.
pub struct Note {
    node: Uuid,
    place: i32,
    tasks: Vec<u8>,
    /// What stands there.
    last: OwnedMutexGuard<Vec<u8>>,
}

impl Note {
    /// Of one place of the node; `tasks` is of [`packed`], `last` what was written there last. `None`: the same stands there already.
    #[must_use]
    pub fn new(node: Uuid, place: usize, tasks: Vec<u8>, last: OwnedMutexGuard<Vec<u8>>) -> Option<Self> {
        let place = i32::try_from(place).ok()?;
        (*last != tasks).then_some(Self { node, place, tasks, last })
    }

    /// Writes it. It outlives the process, not the machine: no disk is waited for.
    pub async fn write(self, store: &Store) -> Result<(), StoreError> {
        let Self { node, place, tasks, .. } = &self;
        match store {
            Store::Sqlite { writer, gate, .. } => {
                let _permit = gate.enter(true).await;
                let mut c = writer.acquire().await?;
                let note = sqlx::query(NOTE_SQLITE).bind(node).bind(place).bind(tasks.as_slice());
                let noted = note.execute(&mut *c).await;
                if noted.is_err() {
                    sqlx::query(FULL).execute(&mut *c).await?;
                }
                noted?;
            }
            Store::Postgres { engine, .. } => {
                let note = sqlx::query(note!()).bind(node).bind(place).bind(tasks.as_slice());
                note.execute(&mut engine.line().await?).await?;
            }
        }
        self.written();
        Ok(())
    }

    /// The statement that writes it, over a connection that knows [`STATEMENT`]; then [`Note::written`].
    pub(crate) fn sql(&self) -> String {
        let call = Call::of("presstime_note").text(&self.node.to_string());
        call.number(self.place.into()).bytes(&self.tasks).sql()
    }

    /// It stands there.
    pub(crate) fn written(mut self) {
        *self.last = self.tasks;
    }
}

/// Makes the statement of [`Note::sql`] known to a connection to PostgreSQL.
pub(crate) const STATEMENT: &str = concat!("prepare presstime_note (uuid, integer, bytea) as ", note!());

/// Gives a strike to each task that a dead node had in its hands and that waits in the same version still. Returns how many
/// strikes there were. `now` is the database's clock, by which nodes beat; tasks rest by the earlier of it and `here`, this
/// node's: while one of them is ahead, they would rest for as long as it is.
pub async fn strike_the_dead(store: &Store, now: Timestamp, here: Timestamp) -> Result<u64, StoreError> {
    let mut lease = store.read(Who::Dispatch).await?;
    let dead: Vec<Uuid> = on!(lease.conn(), c => sqlx::query_scalar(
        "select id
           from node
          where state = 'lost'
            and beat_at < $1
            and exists (select 1 from in_hand where node_id = node.id)")
        .bind(now.millis() - DEAD_MS).fetch_all(c).await)?;
    drop(lease);
    let mut strikes = 0;
    for node in dead {
        for (task, version) in let_go(store, node).await? {
            let claim = Claim {
                task,
                version,
                lane: Lane::Normal,
                bucket: 0,
                hinted_at: None,
                moved_at: None,
                popped_at: None,
            };
            let struck = execute::strike(store, &claim, now.min(here)).await?;
            strikes += u64::from(struck != execute::Strike::Changed);
        }
    }
    Ok(strikes)
}

/// Empties the hands of a dead node and answers what was in them; nothing, if another node was first or it came back.
async fn let_go(store: &Store, node: Uuid) -> Result<Vec<(TaskId, Version)>, StoreError> {
    let mut tx = store.begin(Who::Dispatch).await?;
    // Nothing changes, but it stays lost until the commit.
    let is_lost = on!(tx.conn(), c => sqlx::query("update node set state = 'lost' where id = $1 and state = 'lost'")
        .bind(node).execute(c).await?.rows_affected());
    if is_lost == 0 {
        return Ok(Vec::new());
    }
    let held: Vec<Vec<u8>> = on!(tx.conn(), c => sqlx::query_scalar("delete from in_hand where node_id = $1 returning tasks")
        .bind(node).fetch_all(c).await)?;
    tx.commit().await?;
    Ok(held.iter().flat_map(|tasks| unpacked(tasks)).collect())
}

/// Forgets the hands of nodes that are forgotten.
pub(crate) async fn forget(conn: Conn<'_>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from in_hand where node_id not in (select id from node)")
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Tasks that wait and were in the hands of two nodes, or more, that died: they run alone.
pub async fn suspects(conn: Conn<'_>) -> Result<HashSet<TaskId>, StoreError> {
    // Either would rather look through all that waits: SQLite always, PostgreSQL where its statistics know of nothing that waits. To
    // look for the same twice seems longer to it than to read the index of suspects; it is looked for once.
    let ids: Vec<Uuid> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select id from task indexed by task_suspect where strikes >= 2 and state = 'scheduled'",
            )
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select id from task where strikes >= 2 and state = any('{scheduled,scheduled}')",
            )
            .fetch_all(c)
            .await?
        }
    };
    Ok(ids.into_iter().map(TaskId).collect())
}
