//! The processes that serve this database: each beats, and each looks whether the others still do. No leader.

use crate::{
    Conn, Store, StoreError, Who,
    db::on,
    event::{self, NewEvent},
    row::row,
};
use domain::{Clock, Timestamp, engine::NodeRole};
use serde_json::json;
use uuid::Uuid;

/// Silence for so long, and a node counts as lost, milliseconds.
pub const SILENT_MS: i64 = 3_500;
/// Nodes that are gone are listed for a day, milliseconds.
const FORGOTTEN_MS: i64 = 24 * 3_600_000;

/// What a node says of itself each second.
#[derive(Debug, Clone, Copy)]
pub struct Beat<'a> {
    /// Which process.
    pub id: Uuid,
    /// Its name.
    pub name: &'a str,
    /// What it does.
    pub role: NodeRole,
    /// Of the program.
    pub version: &'a str,
    /// Whether its consumer showed life a moment ago; `None`: it runs no engine.
    pub works: Option<bool>,
    /// How long ago it looked for what is overdue, milliseconds; `None`: not yet.
    pub looked: Option<i64>,
    /// The timeline on which it has compared what it was told, see [`crate::takeover`].
    pub timeline: Option<i32>,
}

row! {
    /// A node as it stands in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NodeRow {
        /// Which process.
        pub id: Uuid,
        /// Its name.
        pub name: String,
        /// `web`, `work`, `all`.
        pub role: String,
        /// Of the program.
        pub version: String,
        /// `alive`, `stopped`, `lost`.
        pub state: String,
        /// By the database's clock, milliseconds.
        pub started_at: i64,
        /// When it last beat.
        pub beat_at: i64,
        /// When its consumer last showed life.
        pub worked_at: Option<i64>,
        /// When it stopped, if it said so.
        pub ended_at: Option<i64>,
    }
}

/// What a beat brought to light.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beaten {
    /// The database's clock.
    pub now: Timestamp,
    /// Milliseconds it is ahead of this process's.
    pub offset_ms: i64,
    /// When an engine last showed life, on any node.
    pub worked_at: Option<Timestamp>,
    /// All that live, with their names.
    pub living: Vec<(Uuid, String)>,
    /// Names of those this beat found lost.
    pub lost: Vec<String>,
    /// Whether this node had been taken for lost.
    pub is_back: bool,
}

/// Notes that a node lives, and which others do not any more. Each loss and each return is one line of the log.
pub async fn beat(store: &Store, beat: Beat<'_>, clock: &dyn Clock) -> Result<Beaten, StoreError> {
    let clocks = store.clocks(clock).await?;
    let now = clocks.database;
    let mut tx = store.begin(Who::Dispatch).await?;
    let is_back = come_back(tx.conn(), beat.id).await?;
    show(tx.conn(), beat, now).await?;
    let lost = lose(tx.conn(), now).await?;
    let mut log: Vec<NewEvent> =
        lost.iter().map(|(id, name)| line(now, *id, name, beat.name, "lose")).collect();
    if is_back {
        log.push(line(now, beat.id, beat.name, beat.name, "return"));
    }
    event::append(tx.conn(), &log).await?;
    let living = living(tx.conn()).await?;
    tx.commit().await?;
    let worked_at = living.iter().filter_map(|one| one.2).max().map(Timestamp::from_millis);
    let living = living.into_iter().map(|(id, name, _)| (id, name)).collect();
    let lost = lost.into_iter().map(|(_, name)| name).collect();
    Ok(Beaten { now, offset_ms: now.since(clocks.node), worked_at, living, lost, is_back })
}

fn line(now: Timestamp, id: Uuid, name: &str, seen_by: &str, verb: &'static str) -> NewEvent {
    NewEvent {
        detail: json!({"name": name, "seen_by": seen_by}).to_string(),
        ..NewEvent::plain(now, None, "node", id, verb)
    }
}

async fn come_back(conn: Conn<'_>, id: Uuid) -> Result<bool, StoreError> {
    let changed = on!(conn, c => sqlx::query("update node set state = 'alive' where id = $1 and state = 'lost'")
        .bind(id).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

async fn show(conn: Conn<'_>, beat: Beat<'_>, now: Timestamp) -> Result<(), StoreError> {
    let worked = beat.works.unwrap_or(false).then(|| now.millis());
    let looked = beat.looked.map(|ago| now.millis() - ago.max(0));
    on!(conn, c => sqlx::query(
        "insert into node (id, name, role, version, started_at, beat_at, worked_at, looked_at, timeline_id)
         values ($1, $2, $3, $4, $5, $5, $6, $7, $8)
         on conflict (id) do update
            set beat_at = excluded.beat_at,
                worked_at = coalesce(excluded.worked_at, node.worked_at),
                looked_at = coalesce(excluded.looked_at, node.looked_at),
                timeline_id = coalesce(excluded.timeline_id, node.timeline_id),
                state = 'alive',
                ended_at = null")
        .bind(beat.id).bind(beat.name).bind(beat.role.as_str()).bind(beat.version)
        .bind(now.millis()).bind(worked).bind(looked).bind(beat.timeline)
        .execute(c).await?.rows_affected());
    Ok(())
}

async fn lose(conn: Conn<'_>, now: Timestamp) -> Result<Vec<(Uuid, String)>, StoreError> {
    let before = now.millis() - SILENT_MS;
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as("update node set state = 'lost' where state = 'alive' and beat_at < $1 returning id, name")
                .bind(before)
                .fetch_all(c)
                .await?
        }
        // Who is being written is alive. To wait for them, while they may wait for us, would be a deadlock: when the database's
        // clock is set, all nodes look lost to all others.
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update node
                    set state = 'lost'
                  where id in (select id from node where state = 'alive' and beat_at < $1 order by id for update skip locked)
                 returning id, name",
            )
            .bind(before)
            .fetch_all(c)
            .await?
        }
    })
}

/// Who lives, and when its engine last showed life.
async fn living(conn: Conn<'_>) -> Result<Vec<(Uuid, String, Option<i64>)>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as("select id, name, worked_at from node where state = 'alive' order by name, id")
        .fetch_all(c).await)?,
    )
}

/// When an engine of another process than `own` last showed life, by the database's clock; `None`: none is listed.
pub async fn worked_before(conn: Conn<'_>, own: Uuid) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<i64> = on!(conn, c => sqlx::query_scalar("select max(worked_at) from node where id <> $1")
        .bind(own).fetch_one(c).await)?;
    Ok(at.map(Timestamp::from_millis))
}

/// Notes that a node has stopped of its own will: nobody need look for it.
pub async fn leave(store: &Store, id: Uuid, clock: &dyn Clock) -> Result<(), StoreError> {
    let now = store.clocks(clock).await?.database;
    let mut tx = store.begin(Who::Dispatch).await?;
    on!(tx.conn(), c => sqlx::query(
        "update node set state = 'stopped', beat_at = $2, ended_at = $2 where id = $1")
        .bind(id).bind(now.millis()).execute(c).await?.rows_affected());
    tx.commit().await
}

/// All nodes that are listed, those that live first, then the newest; and the database's clock to compare them with.
pub async fn list(
    store: &Store,
    who: Who,
    clock: &dyn Clock,
) -> Result<(Timestamp, Vec<NodeRow>), StoreError> {
    let now = store.clocks(clock).await?.database;
    let mut lease = store.read(who).await?;
    let rows = on!(lease.conn(), c => sqlx::query_as(
        "select id, name, role, version, state, started_at, beat_at, worked_at, ended_at
           from node
          order by case state when 'alive' then 0 when 'lost' then 1 else 2 end, started_at desc, id
          limit 100")
        .fetch_all(c).await)?;
    Ok((now, rows))
}

/// Forgets those that have been gone for a day.
pub async fn forget(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from node where state <> 'alive' and beat_at < $1")
        .bind(now.millis() - FORGOTTEN_MS).execute(c).await?.rows_affected());
    Ok(())
}
