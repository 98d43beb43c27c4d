//! The nodes of this database: each writes a heartbeat and looks for others that stopped theirs.
//! There is no leader.

use crate::{
    Conn, PoolRole, Store, StoreError,
    db::with_conn,
    event::{self, NewEvent},
    row::row,
};
use domain::{Clock, Timestamp, engine::NodeRole};
use serde_json::json;
use uuid::Uuid;

/// Time without a heartbeat after which a node counts as lost, milliseconds.
pub const NODE_LOST_AFTER_MS: i64 = 3_500;
/// Migration with which nodes can be asked to stop.
pub const DRAIN_STEP: i64 = 53;
/// How long stopped and lost nodes stay listed, milliseconds: a day.
const LISTED_MS: i64 = 24 * 3_600_000;

/// What a node reports each second.
#[derive(Debug, Clone, Copy)]
pub struct HeartbeatInput<'a> {
    /// Id of the process.
    pub id: Uuid,
    /// Name of the node.
    pub name: &'a str,
    /// Which parts it runs.
    pub role: NodeRole,
    /// Version of the program.
    pub version: &'a str,
    /// Whether its consumer made progress lately; `None`: it runs no engine.
    pub is_engine_alive: Option<bool>,
    /// How long ago it looked for overdue tasks, milliseconds; `None`: not yet.
    pub overdue_checked_ago_ms: Option<i64>,
    /// Timeline on which it compared its acknowledged writes, see [`crate::failover`].
    pub timeline: Option<i32>,
}

row! {
    /// A row of `node`. Times are milliseconds by the database's clock.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NodeRow {
        /// Id of the process.
        pub id: Uuid,
        /// Name of the node.
        pub name: String,
        /// `web`, `work`, `all`.
        pub role: String,
        /// Version of the program.
        pub version: String,
        /// `alive`, `stopped`, `lost`.
        pub state: String,
        /// When it started.
        pub started_at: i64,
        /// Time of its last heartbeat.
        pub heartbeat_at: i64,
        /// When its consumer last made progress; `None`: it runs no engine.
        pub engine_seen_at: Option<i64>,
        /// When it stopped; `None`: it did not report that it stopped.
        pub ended_at: Option<i64>,
        /// When it was asked to stop; `None`: it was not.
        pub drain_requested_at: Option<i64>,
    }
}

/// Result of a heartbeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeartbeatResult {
    /// The database's clock.
    pub now: Timestamp,
    /// How far the database's clock is ahead of this process's, milliseconds.
    pub offset_ms: i64,
    /// When a consumer last made progress, on any living node.
    pub engine_seen_at: Option<Timestamp>,
    /// Ids and names of the living nodes.
    pub living: Vec<(Uuid, String)>,
    /// Names of the nodes that this heartbeat found lost.
    pub lost: Vec<String>,
    /// Whether other nodes had marked this node as lost.
    pub is_back: bool,
    /// Whether this node was asked to stop.
    pub is_drain_requested: bool,
}

/// Records the heartbeat of a node, and marks other nodes without heartbeats as lost. Each loss and
/// each return is one event.
pub async fn heartbeat(
    store: &Store,
    input: HeartbeatInput<'_>,
    clock: &dyn Clock,
) -> Result<HeartbeatResult, StoreError> {
    let clocks = store.read_clocks(clock).await?;
    let now = clocks.database;
    let mut tx = store.begin(PoolRole::Dispatcher).await?;
    let is_back = mark_alive(tx.conn(), input.id).await?;
    let is_drain_requested = write_heartbeat(tx.conn(), input, now).await?;
    let lost = mark_lost(tx.conn(), now).await?;
    let mut log: Vec<NewEvent> =
        lost.iter().map(|(id, name)| node_event(now, *id, name, input.name, "lose")).collect();
    if is_back {
        log.push(node_event(now, input.id, input.name, input.name, "return"));
    }
    event::append(tx.conn(), &log).await?;
    let living = living(tx.conn()).await?;
    tx.commit().await?;
    let engine_seen_at = living.iter().filter_map(|one| one.2).max().map(Timestamp::from_millis);
    let living = living.into_iter().map(|(id, name, _)| (id, name)).collect();
    let lost = lost.into_iter().map(|(_, name)| name).collect();
    let offset_ms = now.since(clocks.node);
    Ok(HeartbeatResult { now, offset_ms, engine_seen_at, living, lost, is_back, is_drain_requested })
}

fn node_event(now: Timestamp, id: Uuid, name: &str, seen_by: &str, verb: &'static str) -> NewEvent {
    NewEvent {
        detail: json!({"name": name, "seen_by": seen_by}).to_string(),
        ..NewEvent::simple(now, None, "node", id, verb)
    }
}

async fn mark_alive(conn: Conn<'_>, id: Uuid) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query("update node set state = 'alive' where id = $1 and state = 'lost'")
        .bind(id).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Writes the row of a node. Returns whether the node was asked to stop.
async fn write_heartbeat(
    conn: Conn<'_>,
    input: HeartbeatInput<'_>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let engine_seen_at = input.is_engine_alive.unwrap_or(false).then(|| now.millis());
    let overdue_checked_at = input.overdue_checked_ago_ms.map(|ago| now.millis() - ago.max(0));
    let drain_requested_at: Option<i64> = with_conn!(conn, c => sqlx::query_scalar(
        "insert into node (id, name, role, version, started_at, heartbeat_at, engine_seen_at, overdue_checked_at, timeline_id)
         values ($1, $2, $3, $4, $5, $5, $6, $7, $8)
         on conflict (id) do update
            set heartbeat_at = excluded.heartbeat_at,
                engine_seen_at = coalesce(excluded.engine_seen_at, node.engine_seen_at),
                overdue_checked_at = coalesce(excluded.overdue_checked_at, node.overdue_checked_at),
                timeline_id = coalesce(excluded.timeline_id, node.timeline_id),
                state = 'alive',
                ended_at = null
         returning drain_requested_at")
        .bind(input.id).bind(input.name).bind(input.role.as_str()).bind(input.version)
        .bind(now.millis()).bind(engine_seen_at).bind(overdue_checked_at).bind(input.timeline)
        .fetch_one(c).await)?;
    Ok(drain_requested_at.is_some())
}

/// Asks a node to stop; its next heartbeat reads that. `false`: it has stopped already.
pub async fn request_drain(store: &Store, id: Uuid, clock: &dyn Clock) -> Result<bool, StoreError> {
    let now = store.read_clocks(clock).await?.database;
    let mut tx = store.begin(PoolRole::Web).await?;
    let changed = with_conn!(tx.conn(), c => sqlx::query(
        "update node set drain_requested_at = $2 where id = $1 and state <> 'stopped'")
        .bind(id).bind(now.millis()).execute(c).await?.rows_affected());
    tx.commit().await?;
    Ok(changed > 0)
}

/// Asks all nodes to stop that have not stopped regularly: one that has lost its connection reads it
/// when it is back. Returns their names.
pub async fn request_drain_of_all(conn: Conn<'_>, now: Timestamp) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update node set drain_requested_at = $1 where state <> 'stopped' returning name")
        .bind(now.millis()).fetch_all(c).await)?)
}

async fn mark_lost(conn: Conn<'_>, now: Timestamp) -> Result<Vec<(Uuid, String)>, StoreError> {
    let before = now.millis() - NODE_LOST_AFTER_MS;
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as("update node set state = 'lost' where state = 'alive' and heartbeat_at < $1 returning id, name")
                .bind(before)
                .fetch_all(c)
                .await?
        }
        // A locked row belongs to a living node. Waiting for it could deadlock: after the
        // database's clock was set, all nodes look lost to all others.
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update node
                    set state = 'lost'
                  where id in (select id from node where state = 'alive' and heartbeat_at < $1 order by id for update skip locked)
                 returning id, name",
            )
            .bind(before)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the living nodes, and when their consumers last made progress.
async fn living(conn: Conn<'_>) -> Result<Vec<(Uuid, String, Option<i64>)>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as("select id, name, engine_seen_at from node where state = 'alive' order by name, id")
        .fetch_all(c).await)?,
    )
}

/// Returns when a consumer of another process than `own` last made progress, by the database's
/// clock; `None`: no such node is listed.
pub async fn engine_last_seen(conn: Conn<'_>, own: Uuid) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<i64> = with_conn!(conn, c => sqlx::query_scalar("select max(engine_seen_at) from node where id <> $1")
        .bind(own).fetch_one(c).await)?;
    Ok(at.map(Timestamp::from_millis))
}

/// Records that a node has stopped regularly, so that other nodes do not report it as lost.
pub async fn record_stop(store: &Store, id: Uuid, clock: &dyn Clock) -> Result<(), StoreError> {
    let now = store.read_clocks(clock).await?.database;
    let mut tx = store.begin(PoolRole::Dispatcher).await?;
    with_conn!(tx.conn(), c => sqlx::query(
        "update node set state = 'stopped', heartbeat_at = $2, ended_at = $2 where id = $1")
        .bind(id).bind(now.millis()).execute(c).await?.rows_affected());
    tx.commit().await
}

/// Returns the database's clock and at most 100 nodes: living ones first, then lost ones, then the
/// newest.
pub async fn list(
    store: &Store,
    who: PoolRole,
    clock: &dyn Clock,
) -> Result<(Timestamp, Vec<NodeRow>), StoreError> {
    let now = store.read_clocks(clock).await?.database;
    let mut lease = store.read(who).await?;
    let rows = with_conn!(lease.conn(), c => sqlx::query_as(
        "select id, name, role, version, state, started_at, heartbeat_at, engine_seen_at, ended_at, drain_requested_at
           from node
          order by case state when 'alive' then 0 when 'lost' then 1 else 2 end, started_at desc, id
          limit 100")
        .fetch_all(c).await)?;
    Ok((now, rows))
}

/// Returns the state of a node, see [`NodeRow::state`]; `None`: it is not listed any more.
pub async fn state_of(store: &Store, id: Uuid) -> Result<Option<String>, StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    Ok(with_conn!(lease.conn(), c => sqlx::query_scalar("select state from node where id = $1")
        .bind(id).fetch_optional(c).await)?)
}

/// Deletes nodes that stopped or were lost a day ago.
pub async fn delete_old(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from node where state <> 'alive' and heartbeat_at < $1")
        .bind(now.millis() - LISTED_MS).execute(c).await?.rows_affected());
    Ok(())
}
