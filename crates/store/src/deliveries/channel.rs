//! Channels: the configured transports of deliveries. Secrets are encrypted before they get here.

use crate::{
    Conn, StoreError,
    db::with_conn,
    dispatch::unfinished,
    failing::{self, next_attempt, undelivered},
    json_rows::encode,
    post,
    row::row,
};
use domain::{
    AccountId, ChannelId, Timestamp,
    channel::{
        Channel, ChannelEvent, ChannelHealth, ChannelSettings, ChannelState, DeletionProgress, Endpoint,
        Transport,
    },
    engine::MAX_COUNTED,
};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// A row of `channel`, with counts of its deliveries.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChannelRecord {
        /// Id of the channel.
        pub id: Uuid,
        name: String,
        endpoint: String,
        events: String,
        retry_schedule: String,
        on_unknown_outcome: String,
        /// Maximum number of deliveries sent at the same time.
        pub concurrency: i32,
        priority: String,
        rate: Option<i32>,
        rate_per: String,
        /// Encrypted.
        pub secret: Option<String>,
        /// Encrypted; signs too until [`ChannelRecord::previous_valid_until`].
        pub previous_secret: Option<String>,
        /// Milliseconds.
        pub previous_valid_until: Option<i64>,
        /// `active`, `paused`, `off`.
        pub state: String,
        /// Attempts that failed in a row.
        pub failures: i32,
        /// No attempt before this moment, milliseconds; `None`: the circuit breaker is closed.
        pub breaker_open_until: Option<i64>,
        paused_by: Option<Uuid>,
        succeeded_at: Option<i64>,
        failed_at: Option<i64>,
        last_status: Option<i32>,
        last_response_body: Option<String>,
        created_at: i64,
        waiting: i64,
        needing: i64,
        undelivered: i64,
        retried: i64,
        next_at: Option<i64>,
        is_tried: i32,
        unfinished: Option<String>,
        deleting_total: Option<i64>,
        deleting_remaining: Option<i64>,
    }
}

impl ChannelRecord {
    /// How far its deletion is; `None`: it is not being deleted.
    fn deletion(&self) -> Option<DeletionProgress> {
        let is_deleting = self.unfinished.as_deref() == Some("delete");
        is_deleting.then(|| DeletionProgress {
            remaining: self.deleting_remaining.unwrap_or(0).unsigned_abs(),
            total: self.deleting_total.unwrap_or(0).unsigned_abs(),
        })
    }
}

impl TryFrom<ChannelRecord> for Channel {
    type Error = StoreError;
    fn try_from(record: ChannelRecord) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("channel {} cannot be read", record.id));
        let moment = |at: Option<i64>| at.map(Timestamp::from_millis);
        let deletion = record.deletion();
        let state: ChannelState = record.state.parse().map_err(|_| corrupt())?;
        Ok(Self {
            id: ChannelId(record.id),
            settings: ChannelSettings {
                events: happenings(&record.events),
                retry_schedule: record.retry_schedule.parse().map_err(|_| corrupt())?,
                on_unknown_outcome: record.on_unknown_outcome.parse().map_err(|_| corrupt())?,
                concurrency: u16::try_from(record.concurrency).map_err(|_| corrupt())?,
                priority: record.priority.parse().map_err(|_| corrupt())?,
                rate: record.rate.map(u16::try_from).transpose().map_err(|_| corrupt())?,
                rate_per: record.rate_per.parse().map_err(|_| corrupt())?,
                endpoint: serde_json::from_str(&record.endpoint).map_err(|_| corrupt())?,
                name: record.name.clone(),
            },
            has_secret: record.secret.is_some(),
            state: if deletion.is_some() { ChannelState::Deleting } else { state },
            deletion,
            paused_by: record.paused_by.map(AccountId),
            rotating_until: moment(record.previous_valid_until),
            health: ChannelHealth {
                failures: record.failures.unsigned_abs(),
                breaker_open_until: moment(record.breaker_open_until),
                succeeded_at: moment(record.succeeded_at),
                failed_at: moment(record.failed_at),
                waiting: record.waiting.unsigned_abs().min(MAX_COUNTED + 1),
                unresolved: record.needing.unsigned_abs(),
                undelivered: record.undelivered.unsigned_abs(),
                retried: record.retried.unsigned_abs(),
                next_at: record
                    .next_at
                    .filter(|_| record.state == "active")
                    .map(|at| next_attempt(at, record.breaker_open_until)),
                last_status: record.last_status.and_then(|status| u16::try_from(status).ok()),
                last_response_body: record.last_response_body.clone(),
                has_attempts: record.is_tried == 1,
            },
            created_at: record.created_at.into(),
        })
    }
}

/// Parses the events; words of a newer release are skipped.
fn happenings(words: &str) -> Vec<ChannelEvent> {
    words.split(' ').filter_map(|word| word.parse().ok()).collect()
}

/// Returns the stored form of a route: equal routes give equal texts.
fn json(route: &Endpoint) -> Result<String, StoreError> {
    serde_json::to_string(route).map_err(|why| StoreError::Corrupt(why.to_string()))
}

fn words(events: &[ChannelEvent]) -> String {
    events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(" ")
}

/// Selects [`ChannelRecord`]s; `$rest` is a condition and an order. Each count ends at one more than 10,000,
/// so that a page takes no longer when a million deliveries wait.
macro_rules! channels {
    ($rest:literal) => {
        concat!(
            "select c.id, c.name, c.endpoint, c.events, c.retry_schedule, c.on_unknown_outcome, c.concurrency, c.priority, c.rate,
                    c.rate_per, c.secret, c.previous_secret, c.previous_valid_until, c.state, c.failures, c.breaker_open_until, c.paused_by, c.succeeded_at,
                    c.failed_at, c.last_status, c.last_response_body, c.created_at, c.unfinished, c.deleting_total, c.deleting_remaining,
                    ", undelivered!(), " as undelivered,
                    (select count(*)
                       from (select 1
                               from failing_delivery f
                               join delivery d on d.id = f.delivery_id
                              where f.channel_id = c.id and d.state in ('pending', 'sending', 'held')
                              limit 10001) as counted) as retried,
                    (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at,
                    case when exists (select 1
                                        from (select o.epoch from delivery o where o.channel_id = c.id order by o.id limit 10001) as oldest
                                       where oldest.epoch > 0)
                         then 1 else 0 end as is_tried,
                    (select count(*)
                       from (select 1 from delivery d
                              where d.channel_id = c.id and d.state = 'pending' limit 10001) as counted)
                    + (select count(*) from delivery d where d.state = 'sending' and d.channel_id = c.id)
                    + case when c.state = 'off' or c.unfinished is not null
                           then (select count(*)
                                   from (select 1 from delivery d
                                          where d.channel_id = c.id and d.state = 'held' limit 10001) as counted)
                           else 0 end as waiting,
                    (select count(*)
                       from (select 1 from delivery d
                              where d.channel_id = c.id and d.state in ('failed', 'unconfirmed') and d.event <> 'test'
                              limit 10001) as counted) as needing
               from channel c ",
            $rest
        )
    };
}

/// Returns all channels, by name.
pub async fn all(conn: Conn<'_>) -> Result<Vec<ChannelRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(channels!("order by lower(c.name), c.id")).fetch_all(c).await)?)
}

/// Returns one channel; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(channels!("where c.id = $1")).bind(id.0).fetch_optional(c).await)?,
    )
}

/// Returns the transports of these channels; one that is deleted or being deleted is missing.
pub async fn transports(conn: Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Transport>, StoreError> {
    let rows: Vec<(Uuid, String)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, transport from channel
                  where id in (select unhex(value) from jsonb_each($1)) and unfinished is distinct from 'delete'",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, transport from channel where id = any($1) and unfinished is distinct from 'delete'",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    };
    let corrupt = |id: Uuid| StoreError::Corrupt(format!("channel {id} cannot be read"));
    rows.into_iter().map(|(id, word)| Ok((id, word.parse().map_err(|_| corrupt(id))?))).collect()
}

/// Returns the first active mail channel by name; `None`: there is none.
pub async fn first_mail(conn: Conn<'_>) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select id from channel where transport = 'mail' and state = 'active' order by lower(name), id limit 1")
        .fetch_optional(c).await)?)
}

/// Returns one channel and locks it until the transaction ends.
pub async fn lock(mut conn: Conn<'_>, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("update channel set name = name where id = $1")
        .bind(id.0).execute(c).await?.rows_affected());
    find(conn, id).await
}

/// Stores a new, active channel.
pub async fn insert(
    conn: Conn<'_>,
    id: ChannelId,
    new: &ChannelSettings,
    secret: Option<&str>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let route = json(&new.endpoint)?;
    with_conn!(conn, c => sqlx::query(
        "insert into channel (id, transport, name, endpoint, events, retry_schedule, on_unknown_outcome,
                              concurrency, rate, secret, created_at, priority, rate_per)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")
        .bind(id.0).bind(new.endpoint.transport().as_str()).bind(&new.name).bind(&route).bind(words(&new.events))
        .bind(new.retry_schedule.to_string()).bind(new.on_unknown_outcome.as_str()).bind(i32::from(new.concurrency))
        .bind(new.rate.map(i32::from)).bind(secret).bind(at.millis())
        .bind(new.priority.as_str()).bind(new.rate_per.as_str()).execute(c).await?.rows_affected());
    Ok(())
}

/// Changes the settings; a changed route closes the circuit breaker, and a changed rate counts from now on. `false`: there is no such
/// channel with this transport.
pub async fn change(conn: Conn<'_>, id: ChannelId, edit: &ChannelSettings) -> Result<bool, StoreError> {
    let route = json(&edit.endpoint)?;
    Ok(with_conn!(conn, c => sqlx::query(
        "update channel
            set breaker_open_until = case when endpoint = $3 then breaker_open_until end,
                name = $2, endpoint = $3, events = $4, retry_schedule = $5, on_unknown_outcome = $6, concurrency = $7,
                rate_ready_at = case when coalesce(rate, 0) = coalesce($9, 0) and rate_per = $11 then rate_ready_at end,
                rate = $9, priority = $10, rate_per = $11
          where id = $1 and transport = $8 and unfinished is distinct from 'delete'")
        .bind(id.0).bind(&edit.name).bind(&route).bind(words(&edit.events)).bind(edit.retry_schedule.to_string())
        .bind(edit.on_unknown_outcome.as_str()).bind(i32::from(edit.concurrency)).bind(edit.endpoint.transport().as_str())
        .bind(edit.rate.map(i32::from)).bind(edit.priority.as_str()).bind(edit.rate_per.as_str()).execute(c).await?.rows_affected())
        == 1)
}

/// Stores an encrypted secret that an admin entered (`None`: deletes it), and closes the circuit
/// breaker. `false`: there is no such channel.
pub async fn set_secret(conn: Conn<'_>, id: ChannelId, secret: Option<&str>) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update channel set secret = $2, breaker_open_until = null where id = $1")
        .bind(id.0).bind(secret).execute(c).await?.rows_affected())
        == 1)
}

/// Pauses a channel. `false`: it is not active.
pub async fn pause(conn: Conn<'_>, id: ChannelId, by: AccountId) -> Result<bool, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query("update channel set state = 'paused', paused_by = $2 where id = $1 and state = 'active'")
        .bind(id.0).bind(by.0).execute(c).await?.rows_affected())
            == 1,
    )
}

/// Activates a channel, closes its circuit breaker and makes its held deliveries pending, many of them in
/// batches. Its failures in a row are kept: only a delivery ends them. `false`: there is no such channel, or it
/// is being deleted, and the transaction must be rolled back. Locks deliveries before their channel, as each
/// result of an attempt does.
pub async fn resume(mut conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<bool, StoreError> {
    let released = unfinished::release(conn.reborrow(), id.0, at).await?;
    failing::show_now(conn.reborrow(), id, at).await?;
    let is_resumed = with_conn!(conn.reborrow(), c => sqlx::query(
        "update channel set state = 'active', paused_by = null, breaker_open_until = null
          where id = $1 and unfinished is distinct from 'delete'")
        .bind(id.0).execute(c).await?.rows_affected())
        == 1;
    if is_resumed {
        unfinished::end_release(conn, id.0, released).await?;
    }
    Ok(is_resumed)
}

/// Makes all pending deliveries of a channel due now.
pub async fn send_now(conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update delivery set not_before = $2 where channel_id = $1 and state = 'pending' and not_before > $2")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Replaces the secret; the previous one signs too until `valid_until`. `false`: there is no such
/// channel.
pub async fn rotate(
    conn: Conn<'_>,
    id: ChannelId,
    secret: &str,
    previous: &str,
    valid_until: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update channel set secret = $2, previous_secret = $3, previous_valid_until = $4 where id = $1")
        .bind(id.0).bind(secret).bind(previous).bind(valid_until.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Deletes a channel and cancels its pending and held deliveries in one transaction: only if they are few, see
/// [`unfinished::BATCH_SIZE`]. `false`: there is no such channel, or it is being deleted. Locks deliveries in the order
/// of their ids, then what hangs on them, then the channel, as each result of an attempt does.
pub async fn delete(mut conn: Conn<'_>, id: ChannelId, at: Timestamp) -> Result<bool, StoreError> {
    macro_rules! cancel {
        ($lock:literal) => {
            concat!(
                "update delivery set state = 'cancelled', ended_at = $2
                  where id in (select d.id from delivery d
                                where d.channel_id = $1 and d.state in ('pending', 'held')
                                order by d.id ",
                $lock,
                ") and state in ('pending', 'held')"
            )
        };
    }
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query(cancel!("")).bind(id.0).bind(at.millis()).execute(c).await.map(drop)?
        }
        Conn::Postgres(c) => {
            sqlx::query(cancel!("for update")).bind(id.0).bind(at.millis()).execute(c).await.map(drop)?;
        }
    }
    with_conn!(conn.reborrow(), c => sqlx::query("delete from failing_delivery where channel_id = $1")
        .bind(id.0).execute(c).await.map(drop))?;
    post::delete_of_channel(conn.reborrow(), id.0).await?;
    let is_deleted = with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from channel where id = $1 and unfinished is distinct from 'delete'")
        .bind(id.0).execute(c).await?.rows_affected())
        == 1;
    // The deletion may have waited for the result of an attempt, which left its delivery waiting.
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery set state = 'cancelled', ended_at = $2 where channel_id = $1 and state = 'pending'")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query("delete from failing_delivery where channel_id = $1")
        .bind(id.0).execute(c).await.map(drop))?;
    Ok(is_deleted)
}

/// Deletes previous secrets that are no longer valid.
pub async fn delete_expired_secrets(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update channel set previous_secret = null, previous_valid_until = null where previous_valid_until < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}
