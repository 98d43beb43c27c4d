//! Failover (PostgreSQL only): finds acknowledged writes that the promoted server lacks.
//!
//! A promoted standby may lag its primary, by design if it is not synchronous. Each node compares
//! the events that were acknowledged to it with the log. No message is sent until every node has
//! compared. If events are missing, messages are held until an admin releases them: the receivers
//! may know more than this database.

use crate::{
    Conn, PoolRole, Store, StoreError,
    commit_log::AckedEvent,
    db_identity,
    delivery_hold::DELIVERY_HOLD,
    event::{self, NewEvent},
    json_rows::column,
    pg::timeline_id,
    setting,
};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// Verb of the event. Its details name changes of accounts, so only admins may see it.
pub const VERB: &str = "take_over";
/// Number of events compared in one statement.
const BATCH_SIZE: usize = 1_000;
/// Maximum number of missing events in a report; the others are only counted.
const MAX_LISTED_EVENTS: usize = 1_000;
/// Gap left in the sequence numbers: numbers of missing events, which readers have seen, are not
/// assigned again.
const SEQ_SKIP: i64 = 1_000_000;
/// Maximum number of reports returned.
const MAX_REPORTS: i64 = 20;
/// Maximum clock difference between nodes, milliseconds.
const MAX_CLOCK_DIFF_MS: i64 = 60_000;

/// An event that was acknowledged and is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostEvent {
    /// Time of the event, milliseconds.
    pub at: i64,
    /// Name of the account that acted.
    pub actor: String,
    /// Kind of the entity: `task`, `article`, ….
    pub entity: String,
    /// Id of the entity.
    pub id: Uuid,
    /// Verb: what was done.
    pub verb: String,
    /// Version after it.
    pub version: Option<i32>,
}

impl LostEvent {
    fn of((acked, actor): &(AckedEvent, String)) -> Self {
        let AckedEvent { at, entity, entity_id: id, verb, version, .. } = *acked;
        Self { at, actor: actor.clone(), entity: entity.to_owned(), id, verb: verb.to_owned(), version }
    }
}

/// Writes that a node found missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostWrites {
    /// Node to which they were acknowledged.
    pub node: String,
    /// Timeline on which they are missing.
    pub timeline: i32,
    /// Number of missing events.
    pub lost: u64,
    /// Whether there may be more: all events that this node remembers are missing.
    pub is_truncated: bool,
    /// When the first and the last of them were acknowledged, milliseconds.
    pub span: (i64, i64),
    /// The first 1,000 of them, in order of acknowledgement.
    pub events: Vec<LostEvent>,
}

/// Returns the timeline of the server. `None`: SQLite, or the server does not report it.
pub async fn timeline(conn: Conn<'_>) -> Result<Option<i32>, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(None) };
    match sqlx::query_scalar(concat!("select ", timeline_id!())).fetch_one(c).await {
        Ok(timeline) => Ok(Some(timeline)),
        Err(sqlx::Error::Database(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Compares the acknowledged events of this process with the log. Writes the result to the log,
/// with the timeline at which this node compared. If events are missing, deliveries are held from
/// then on.
pub async fn compare(store: &Store, node: &str, id: Uuid, now: Timestamp) -> Result<LostWrites, StoreError> {
    let Store::Postgres { engine, .. } = store else {
        return Err(StoreError::Corrupt("failover is detected on PostgreSQL only".to_owned()));
    };
    let acked = engine.acked().newest();
    let mut tx = store.begin(PoolRole::Engine).await?;
    let missing = missing(tx.conn(), &acked).await?;
    let is_more = !missing.is_empty() && missing.len() == acked.len();
    let at = |missing: Option<&(AckedEvent, String)>| missing.map_or(0, |(event, _)| event.at);
    let span = (at(missing.first()), at(missing.last()));
    let lost = u64::try_from(missing.len()).unwrap_or(u64::MAX);
    let lines = missing.iter().take(MAX_LISTED_EVENTS).map(LostEvent::of).collect();
    let timeline = skip_sequence_numbers(tx.conn(), id).await?;
    let gap =
        LostWrites { node: node.to_owned(), timeline, lost, is_truncated: is_more, span, events: lines };
    if lost > 0 {
        setting::put_if_absent(tx.conn(), DELIVERY_HOLD, &now.millis().to_string()).await?;
        db_identity::regenerate(tx.conn()).await?;
    }
    let detail = json!(gap).to_string();
    event::append(
        tx.conn(),
        &[NewEvent { detail, ..NewEvent::simple(now, None, "engine", Uuid::nil(), VERB) }],
    )
    .await?;
    tx.commit().await?;
    engine.acked().remove(&missing.iter().map(|(acked, _)| *acked).collect());
    db_identity::check(store, now, None).await?;
    Ok(gap)
}

/// Returns the missing events and their actors, oldest first; `acked` is newest first. A batch of
/// which nothing is missing is preceded by nothing missing.
async fn missing(mut conn: Conn<'_>, acked: &[AckedEvent]) -> Result<Vec<(AckedEvent, String)>, StoreError> {
    let mut missing = Vec::new();
    for batch in acked.chunks(BATCH_SIZE) {
        let found = missing_in_batch(conn.reborrow(), batch).await?;
        let is_end = found.is_empty();
        missing.extend(found);
        if is_end {
            break;
        }
    }
    missing.reverse();
    Ok(missing)
}

/// Returns the missing events of a batch, in order.
async fn missing_in_batch(
    conn: Conn<'_>,
    batch: &[AckedEvent],
) -> Result<Vec<(AckedEvent, String)>, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(Vec::new()) };
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "select acked.place, coalesce(p.name, 'engine')
           from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::text[], $5::integer[])
                with ordinality as acked (at, actor, entity_id, verb, version, place)
           left join account p on p.id = acked.actor
          where not exists (select 1
                              from event e
                             where e.entity_id = acked.entity_id
                               and e.verb = acked.verb
                               and e.at = acked.at
                               and e.version is not distinct from acked.version)
          order by acked.place",
    )
    .bind(column(batch, |acked| acked.at))
    .bind(column(batch, |acked| acked.actor))
    .bind(column(batch, |acked| acked.entity_id))
    .bind(column(batch, |acked| acked.verb))
    .bind(column(batch, |acked| acked.version))
    .fetch_all(c)
    .await?;
    let to_event = |(place, actor)| Some((*batch.get(usize::try_from(place - 1_i64).ok()?)?, actor));
    Ok(rows.into_iter().filter_map(to_event).collect())
}

/// Skips the sequence numbers of missing events, and records the timeline at which this node has
/// compared.
async fn skip_sequence_numbers(conn: Conn<'_>, node: Uuid) -> Result<i32, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(0) };
    sqlx::query("select setval(seq, nextval(seq) + $1) from pg_get_serial_sequence('event', 'seq') as seq")
        .bind(SEQ_SKIP)
        .execute(&mut *c)
        .await?;
    let stamp = concat!("update node set timeline_id = ", timeline_id!(), " where id = $1");
    sqlx::query(stamp).bind(node).execute(&mut *c).await?;
    Ok(sqlx::query_scalar(concat!("select ", timeline_id!())).fetch_one(c).await?)
}

/// Returns the reports of missing writes since then, by the nodes' clocks, newest first.
pub async fn lost_writes(
    conn: Conn<'_>,
    since: Timestamp,
) -> Result<Vec<(Timestamp, LostWrites)>, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(Vec::new()) };
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "select at, detail
           from event
          where entity_id = $1
            and verb = $2
            and at >= $3
          order by seq desc
          limit $4",
    )
    .bind(Uuid::nil())
    .bind(VERB)
    .bind(since.millis() - MAX_CLOCK_DIFF_MS)
    .bind(MAX_REPORTS)
    .fetch_all(c)
    .await?;
    let read = |(at, detail): (i64, String)| {
        let gap: LostWrites = serde_json::from_str(&detail).ok()?;
        (gap.lost > 0).then_some((Timestamp::from_millis(at), gap))
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
