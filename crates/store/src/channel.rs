//! Channels: the configured ways out. Secrets are sealed before they come here.

use crate::{
    Conn, StoreError,
    db::on,
    failing::{self, undelivered},
    row::row,
};
use domain::{
    ChannelId, Timestamp,
    channel::{Channel, ChannelEdit, Happening, Health, Route},
};
use uuid::Uuid;

row! {
    /// A channel as it stands in SQL, with what its deliveries say of it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChannelRecord {
        /// Identity.
        pub id: Uuid,
        name: String,
        route: String,
        events: String,
        ladder: String,
        on_ambiguous: String,
        /// At most so many deliveries on their way at once.
        pub concurrency: i32,
        /// Sealed.
        pub secret: Option<String>,
        /// Sealed; signs too until [`ChannelRecord::former_until`].
        pub former_secret: Option<String>,
        /// Milliseconds.
        pub former_until: Option<i64>,
        /// `active`, `paused`, `off`.
        pub state: String,
        /// Attempts that failed in a row.
        pub failures: i32,
        /// No attempt before this moment, milliseconds.
        pub rests_until: Option<i64>,
        succeeded_at: Option<i64>,
        failed_at: Option<i64>,
        last_status: Option<i32>,
        last_answer: Option<String>,
        created_at: i64,
        waiting: i64,
        needing: i64,
        undelivered: i64,
        retried: i64,
        next_at: Option<i64>,
        is_tried: i32,
    }
}

impl TryFrom<ChannelRecord> for Channel {
    type Error = StoreError;
    fn try_from(record: ChannelRecord) -> Result<Self, StoreError> {
        let strange = || StoreError::Corrupt(format!("channel {} cannot be read", record.id));
        let moment = |at: Option<i64>| at.map(Timestamp::from_millis);
        Ok(Self {
            id: ChannelId(record.id),
            settings: ChannelEdit {
                events: happenings(&record.events),
                ladder: record.ladder.parse().map_err(|_| strange())?,
                on_ambiguous: record.on_ambiguous.parse().map_err(|_| strange())?,
                concurrency: u16::try_from(record.concurrency).map_err(|_| strange())?,
                route: serde_json::from_str(&record.route).map_err(|_| strange())?,
                name: record.name.clone(),
            },
            has_secret: record.secret.is_some(),
            state: record.state.parse().map_err(|_| strange())?,
            rotating_until: moment(record.former_until),
            health: Health {
                failures: record.failures.unsigned_abs(),
                rests_until: moment(record.rests_until),
                succeeded_at: moment(record.succeeded_at),
                failed_at: moment(record.failed_at),
                waiting: record.waiting.unsigned_abs(),
                needing: record.needing.unsigned_abs(),
                undelivered: record.undelivered.unsigned_abs(),
                retried: record.retried.unsigned_abs(),
                next_at: moment(record.next_at),
                last_status: record.last_status.and_then(|status| u16::try_from(status).ok()),
                last_answer: record.last_answer.clone(),
                is_tried: record.is_tried == 1,
            },
            created_at: record.created_at.into(),
        })
    }
}

/// What a newer release may have written is left out.
fn happenings(words: &str) -> Vec<Happening> {
    words.split(' ').filter_map(|word| word.parse().ok()).collect()
}

/// The route as it is stored; the same text for the same route.
fn json(route: &Route) -> Result<String, StoreError> {
    serde_json::to_string(route).map_err(|why| StoreError::Corrupt(why.to_string()))
}

fn words(events: &[Happening]) -> String {
    events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(" ")
}

macro_rules! channels {
    ($rest:literal) => {
        concat!(
            "select c.id, c.name, c.route, c.events, c.ladder, c.on_ambiguous, c.concurrency, c.secret, c.former_secret,
                    c.former_until, c.state, c.failures, c.rests_until, c.succeeded_at, c.failed_at, c.last_status, c.last_answer,
                    c.created_at,
                    ", undelivered!(), " as undelivered,
                    (select count(*)
                       from failing_delivery f
                       join delivery d on d.id = f.delivery_id
                      where f.channel_id = c.id and d.state in ('pending', 'sending', 'held')) as retried,
                    (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at,
                    case when exists (select 1 from delivery d where d.channel_id = c.id and d.epoch > 0) then 1 else 0 end as is_tried,
                    (select count(*) from delivery d
                      where d.channel_id = c.id and d.state in ('pending', 'sending', 'held')) as waiting,
                    (select count(*) from delivery d
                      where d.channel_id = c.id and d.state in ('failed', 'unconfirmed') and d.event <> 'test') as needing
               from channel c ",
            $rest
        )
    };
}

/// All channels, by name.
pub async fn all(conn: Conn<'_>) -> Result<Vec<ChannelRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(channels!("order by lower(c.name), c.id")).fetch_all(c).await)?)
}

/// One channel.
pub async fn find(conn: Conn<'_>, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(channels!("where c.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// One channel, which nobody else changes before the end of this transaction.
pub async fn hold(mut conn: Conn<'_>, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
    on!(conn.again(), c => sqlx::query("update channel set name = name where id = $1")
        .bind(id.0).execute(c).await?.rows_affected());
    find(conn, id).await
}

/// Stores a new channel, active.
pub async fn insert(
    conn: Conn<'_>,
    id: ChannelId,
    new: &ChannelEdit,
    secret: Option<&str>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let route = json(&new.route)?;
    on!(conn, c => sqlx::query(
        "insert into channel (id, way, name, route, events, ladder, on_ambiguous, concurrency, secret, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
        .bind(id.0).bind(new.route.way().as_str()).bind(&new.name).bind(&route).bind(words(&new.events))
        .bind(new.ladder.to_string()).bind(new.on_ambiguous.as_str()).bind(i32::from(new.concurrency))
        .bind(secret).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Other settings; another route starts with a clean record. `false`: there is no such channel of this way.
pub async fn change(conn: Conn<'_>, id: ChannelId, edit: &ChannelEdit) -> Result<bool, StoreError> {
    let route = json(&edit.route)?;
    Ok(on!(conn, c => sqlx::query(
        "update channel
            set failures = case when route = $3 then failures else 0 end,
                rests_until = case when route = $3 then rests_until end,
                name = $2, route = $3, events = $4, ladder = $5, on_ambiguous = $6, concurrency = $7
          where id = $1 and way = $8")
        .bind(id.0).bind(&edit.name).bind(&route).bind(words(&edit.events)).bind(edit.ladder.to_string())
        .bind(edit.on_ambiguous.as_str()).bind(i32::from(edit.concurrency)).bind(edit.route.way().as_str())
        .execute(c).await?.rows_affected())
        == 1)
}

/// Keeps what an admin gave as its secret, sealed, and starts with a clean record; `None`: it has none any more. `false`:
/// there is no such channel.
pub async fn keep_secret(conn: Conn<'_>, id: ChannelId, secret: Option<&str>) -> Result<bool, StoreError> {
    Ok(on!(conn, c => sqlx::query(
        "update channel set secret = $2, failures = 0, rests_until = null where id = $1")
        .bind(id.0).bind(secret).execute(c).await?.rows_affected())
        == 1)
}

/// Pauses it. `false`: it is not active.
pub async fn pause(conn: Conn<'_>, id: ChannelId) -> Result<bool, StoreError> {
    Ok(on!(conn, c => sqlx::query("update channel set state = 'paused' where id = $1 and state = 'active'")
        .bind(id.0).execute(c).await?.rows_affected())
        == 1)
}

/// Lets it send again at once: its rest is over, and what was held waits. `false`: there is no such channel.
pub async fn resume(mut conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<bool, StoreError> {
    failing::show(conn.again(), id, at).await?;
    let is_there = on!(conn.again(), c => sqlx::query(
        "update channel set state = 'active', failures = 0, rests_until = null where id = $1")
        .bind(id.0).execute(c).await?.rows_affected())
        == 1;
    on!(conn, c => sqlx::query(
        "update delivery set state = 'pending', not_before = $2 where channel_id = $1 and state = 'held'")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(is_there)
}

/// Has what waits for it tried at once, whatever wait was ahead.
pub async fn send_now(conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "update delivery set not_before = $2 where channel_id = $1 and state = 'pending' and not_before > $2")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Another secret; the one before it goes on signing until `former_until`. `false`: there is no such channel.
pub async fn rotate(
    conn: Conn<'_>,
    id: ChannelId,
    secret: &str,
    former: &str,
    former_until: Timestamp,
) -> Result<bool, StoreError> {
    Ok(on!(conn, c => sqlx::query(
        "update channel set secret = $2, former_secret = $3, former_until = $4 where id = $1")
        .bind(id.0).bind(secret).bind(former).bind(former_until.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Ends it, and what waits for it. `false`: there is no such channel.
pub async fn delete(mut conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<bool, StoreError> {
    on!(conn.again(), c => sqlx::query("delete from failing_delivery where channel_id = $1")
        .bind(id.0).execute(c).await.map(drop))?;
    on!(conn.again(), c => sqlx::query(
        "update delivery set state = 'cancelled', ended_at = $2 where channel_id = $1 and state in ('pending', 'held')")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(
        on!(conn, c => sqlx::query("delete from channel where id = $1").bind(id.0).execute(c).await?.rows_affected())
            == 1,
    )
}

/// Forgets former secrets whose time is over.
pub async fn forget(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "update channel set former_secret = null, former_until = null where former_until < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}
