//! What a node has in its hands: written before it begins, so that the tasks of a node that died are suspects.

use crate::{
    Conn, Store, StoreError, Who,
    db::on,
    execute::{self, Claim},
    literal::Call,
};
use domain::{Lane, TaskId, Timestamp, Version};
use std::collections::HashSet;
use tokio::sync::MutexGuard;
use uuid::Uuid;

macro_rules! note {
    () => {
        "with quick as (select set_config('synchronous_commit', 'off', true))
         update node set in_flight = $2 from quick where id = $1"
    };
}

const FULL: &str = "pragma synchronous = full";
// One call, so that SQLite's thread is asked once. It ends where an error is met: then with FULL.
const NOTE_SQLITE: &str = "
    pragma synchronous = normal;
    update node set in_flight = $2 where id = $1;
    pragma synchronous = full";

/// Silence for so long, and what a node had in its hands is struck: longer than a pause, milliseconds.
pub const DEAD_MS: i64 = 10_000;

/// The tasks as they stand in the node's row. None at all is `[]`, what the row begins with.
pub fn text<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Result<String, StoreError> {
    execute::packed(claims)
}

/// What a node begins, to be written where others see it.
pub struct Note<'a> {
    node: Uuid,
    text: String,
    /// What stands there.
    last: MutexGuard<'a, String>,
}

impl<'a> Note<'a> {
    /// Of the node; `text` is of [`text`], `last` what it wrote last. `None`: the same stands there already.
    #[must_use]
    pub fn new(node: Uuid, text: String, last: MutexGuard<'a, String>) -> Option<Self> {
        (*last != text).then_some(Self { node, text, last })
    }

    /// Writes it.
    pub async fn write(self, store: &Store) -> Result<(), StoreError> {
        write(store, self.node, &self.text).await?;
        self.written();
        Ok(())
    }

    /// The statement that writes it, over a connection that knows [`STATEMENT`]; then [`Note::written`].
    pub(crate) fn sql(&self) -> String {
        Call::of("presstime_note").text(&self.node.to_string()).text(&self.text).sql()
    }

    /// It stands there.
    pub(crate) fn written(mut self) {
        *self.last = self.text;
    }
}

/// Writes what the node begins. It outlives the process, not the machine: no disk is waited for.
pub async fn write(store: &Store, node: Uuid, text: &str) -> Result<(), StoreError> {
    match store {
        Store::Sqlite { writer, gate, .. } => {
            let _permit = gate.enter(true).await;
            let mut c = writer.acquire().await?;
            let noted = sqlx::query(NOTE_SQLITE).bind(node).bind(text).execute(&mut *c).await;
            if noted.is_err() {
                sqlx::query(FULL).execute(&mut *c).await?;
            }
            noted?;
        }
        Store::Postgres { engine, .. } => {
            sqlx::query(note!()).bind(node).bind(text).execute(&mut engine.line().await?).await?;
        }
    }
    Ok(())
}

/// Makes the statement of [`Note::sql`] known to a connection to PostgreSQL.
pub(crate) const STATEMENT: &str = concat!("prepare presstime_note (uuid, text) as ", note!());

/// Gives a strike to each task that a dead node had in its hands and that waits in the same version still. Returns how many
/// strikes there were. `now` is the database's clock, by which nodes beat; tasks rest by the earlier of it and `here`, this
/// node's: while one of them is ahead, they would rest for as long as it is.
pub async fn strike_the_dead(store: &Store, now: Timestamp, here: Timestamp) -> Result<u64, StoreError> {
    let mut lease = store.read(Who::Dispatch).await?;
    let dead: Vec<(Uuid, String)> = on!(lease.conn(), c => sqlx::query_as(
        "select id, in_flight from node where state = 'lost' and in_flight <> '[]' and beat_at < $1")
        .bind(now.millis() - DEAD_MS).fetch_all(c).await)?;
    drop(lease);
    let mut strikes = 0;
    for (node, held) in dead {
        if !let_go(store, node, &held).await? {
            continue;
        }
        let held: Vec<(Uuid, i32)> = serde_json::from_str(&held).unwrap_or_default();
        for (task, version) in held {
            let claim = Claim {
                task: TaskId(task),
                version: Version(version),
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

/// Empties the hands of a dead node; false: another node was first.
async fn let_go(store: &Store, node: Uuid, held: &str) -> Result<bool, StoreError> {
    let mut tx = store.begin(Who::Dispatch).await?;
    let changed = on!(tx.conn(), c => sqlx::query(
        "update node set in_flight = '[]' where id = $1 and in_flight = $2 and state = 'lost'")
        .bind(node).bind(held).execute(c).await?.rows_affected());
    tx.commit().await?;
    Ok(changed > 0)
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
