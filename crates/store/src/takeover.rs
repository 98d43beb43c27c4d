//! Another server has taken the database over: whether it has all that was acknowledged. PostgreSQL only.
//!
//! A standby that is promoted may be behind its primary, by design where it is not synchronous. Each node compares what it was told
//! is committed with what is there; until every one has, no message leaves, and none leaves where something is missing, until an admin
//! lets them go: whoever gets them may know more than this desk.

use crate::{
    Conn, Store, StoreError, Who,
    acked::Said,
    event::{self, NewEvent},
    place,
    restore::HELD,
    setting,
};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// Number of the server's timeline, which each promotion counts up, in SQL. The control file has it only after the first checkpoint.
macro_rules! timeline_id {
    () => {
        "('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer"
    };
}
pub(crate) use timeline_id;

/// The verb of the log for it. Its line names what people did to accounts, too: it is for admins.
pub const VERB: &str = "take_over";
/// Lines compared in one statement.
const PART: usize = 1_000;
/// So many of the missing lines are named; the others are counted.
const NAMED: usize = 1_000;
/// The numbers of the log go on so far ahead: those of missing lines, which readers of the log have seen, are not given again.
const AHEAD: i64 = 1_000_000;
/// So many reports are read.
const REPORTS: i64 = 20;
/// A node's clock may be so far behind that of the one that held the messages, milliseconds.
const APART_MS: i64 = 60_000;

/// A line of the log that was acknowledged and is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When it was written, milliseconds.
    pub at: i64,
    /// Who did it, by name.
    pub actor: String,
    /// `task`, `article`, ….
    pub entity: String,
    /// Which one.
    pub id: Uuid,
    /// What was done.
    pub verb: String,
    /// Version after it.
    pub version: Option<i32>,
}

impl Line {
    fn of((said, actor): &(Said, String)) -> Self {
        let Said { at, entity, entity_id: id, verb, version, .. } = *said;
        Self { at, actor: actor.clone(), entity: entity.to_owned(), id, verb: verb.to_owned(), version }
    }
}

/// What a node found missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Which node was told that it is committed.
    pub node: String,
    /// The timeline on which it is missing.
    pub timeline: i32,
    /// How many lines.
    pub lost: u64,
    /// Whether there may be more: all this node remembers is missing.
    pub is_more: bool,
    /// When the first and the last of them were acknowledged, milliseconds.
    pub span: (i64, i64),
    /// The first 1,000 of them, in the order in which they were acknowledged.
    pub lines: Vec<Line>,
}

/// Which timeline the server is on. `None`: SQLite, or a server that does not say.
pub async fn timeline(conn: Conn<'_>) -> Result<Option<i32>, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(None) };
    match sqlx::query_scalar(concat!("select ", timeline_id!())).fetch_one(c).await {
        Ok(timeline) => Ok(Some(timeline)),
        Err(sqlx::Error::Database(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Compares what this process was told is committed with what is there, and notes on the log what is missing, if anything is, and
/// that the node has compared. Messages are held from then on if something is.
pub async fn compare(store: &Store, node: &str, id: Uuid, now: Timestamp) -> Result<Gap, StoreError> {
    let Store::Postgres { engine, .. } = store else {
        return Err(StoreError::Corrupt("only PostgreSQL is taken over".to_owned()));
    };
    let acked = engine.acked().newest();
    let mut tx = store.begin(Who::Engine).await?;
    let missing = missing(tx.conn(), &acked).await?;
    let is_more = !missing.is_empty() && missing.len() == acked.len();
    let at = |told: Option<&(Said, String)>| told.map_or(0, |(said, _)| said.at);
    let span = (at(missing.first()), at(missing.last()));
    let lost = u64::try_from(missing.len()).unwrap_or(u64::MAX);
    let lines = missing.iter().take(NAMED).map(Line::of).collect();
    let timeline = skip(tx.conn(), id).await?;
    let gap = Gap { node: node.to_owned(), timeline, lost, is_more, span, lines };
    if lost > 0 {
        setting::put_first(tx.conn(), HELD, &now.millis().to_string()).await?;
        place::renew(tx.conn()).await?;
    }
    let detail = json!(gap).to_string();
    event::append(
        tx.conn(),
        &[NewEvent { detail, ..NewEvent::plain(now, None, "engine", Uuid::nil(), VERB) }],
    )
    .await?;
    tx.commit().await?;
    engine.acked().forget(&missing.iter().map(|(said, _)| *said).collect());
    place::settle(store, now, None).await?;
    Ok(gap)
}

/// Those of the lines, the newest of which comes first, that are not there, and who wrote them; the oldest first. What is there of all of
/// a part has everything before it.
async fn missing(mut conn: Conn<'_>, acked: &[Said]) -> Result<Vec<(Said, String)>, StoreError> {
    let mut missing = Vec::new();
    for part in acked.chunks(PART) {
        let found = among(conn.again(), part).await?;
        let is_end = found.is_empty();
        missing.extend(found);
        if is_end {
            break;
        }
    }
    missing.reverse();
    Ok(missing)
}

/// Those of the lines that are not there, in their order.
async fn among(conn: Conn<'_>, part: &[Said]) -> Result<Vec<(Said, String)>, StoreError> {
    fn column<T>(part: &[Said], of: impl Fn(&Said) -> T) -> Vec<T> {
        part.iter().map(of).collect()
    }
    let Conn::Postgres(c) = conn else { return Ok(Vec::new()) };
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "select said.place, coalesce(p.name, 'engine')
           from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::text[], $5::integer[])
                with ordinality as said (at, actor, entity_id, verb, version, place)
           left join person p on p.id = said.actor
          where not exists (select 1
                              from event e
                             where e.entity_id = said.entity_id
                               and e.verb = said.verb
                               and e.at = said.at
                               and e.version is not distinct from said.version)
          order by said.place",
    )
    .bind(column(part, |said| said.at))
    .bind(column(part, |said| said.actor))
    .bind(column(part, |said| said.entity_id))
    .bind(column(part, |said| said.verb))
    .bind(column(part, |said| said.version))
    .fetch_all(c)
    .await?;
    let told = |(place, actor)| Some((*part.get(usize::try_from(place - 1_i64).ok()?)?, actor));
    Ok(rows.into_iter().filter_map(told).collect())
}

/// Goes on with the numbers of the log where none of a missing line is, and notes that the node has compared: the timeline.
async fn skip(conn: Conn<'_>, node: Uuid) -> Result<i32, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(0) };
    sqlx::query("select setval(seq, nextval(seq) + $1) from pg_get_serial_sequence('event', 'seq') as seq")
        .bind(AHEAD)
        .execute(&mut *c)
        .await?;
    let stamp = concat!("update node set timeline_id = ", timeline_id!(), " where id = $1");
    sqlx::query(stamp).bind(node).execute(&mut *c).await?;
    Ok(sqlx::query_scalar(concat!("select ", timeline_id!())).fetch_one(c).await?)
}

/// What nodes have found missing since then, by their clocks, the newest first.
pub async fn gaps(conn: Conn<'_>, since: Timestamp) -> Result<Vec<(Timestamp, Gap)>, StoreError> {
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
    .bind(since.millis() - APART_MS)
    .bind(REPORTS)
    .fetch_all(c)
    .await?;
    let read = |(at, detail): (i64, String)| {
        let gap: Gap = serde_json::from_str(&detail).ok()?;
        (gap.lost > 0).then_some((Timestamp::from_millis(at), gap))
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
