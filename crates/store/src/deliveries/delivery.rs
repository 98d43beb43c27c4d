//! Reads deliveries for pages and the API, and applies decisions of users: send again, confirm,
//! cancel.

use crate::{
    Conn, StoreError,
    db::{COUNT_LIMIT, with_conn},
    failing::{self, next_attempt},
    json_rows::encode,
    mutant::{self, Mutant},
    outbox::NewDelivery,
    row::row,
};
use domain::{
    ChannelId, DeliveryId, TaskId, Timestamp,
    channel::ChannelEvent,
    delivery::{Answer, Attempt, DeliveryRow, DeliveryState},
};
use uuid::Uuid;

row! {
    /// A delivery, with the name of its channel and the outcome of its last attempt.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeliveryRecord {
        id: Uuid,
        channel_id: Uuid,
        channel: String,
        event: String,
        task_id: Option<Uuid>,
        title: String,
        state: String,
        epoch: i32,
        outcome: Option<String>,
        status: Option<i32>,
        response: Option<String>,
        not_before: i64,
        created_at: i64,
        ended_at: Option<i64>,
        channel_state: Option<String>,
        breaker_open_until: Option<i64>,
        /// The message.
        pub body: String,
    }
}

impl TryFrom<DeliveryRecord> for DeliveryRow {
    type Error = StoreError;
    /// `may_resolve` is false: the caller decides which users may resolve it.
    fn try_from(record: DeliveryRecord) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("delivery {} cannot be read", record.id));
        let state: DeliveryState = record.state.parse().map_err(|_| corrupt())?;
        let is_sent = state == DeliveryState::Pending && record.channel_state.as_deref() == Some("active");
        Ok(Self {
            id: DeliveryId(record.id),
            channel_id: ChannelId(record.channel_id),
            channel: record.channel.clone(),
            event: record.event.parse().map_err(|_| corrupt())?,
            task_id: record.task_id.map(TaskId),
            title: record.title.clone(),
            state,
            attempts: record.epoch.unsigned_abs(),
            outcome: record.outcome.as_deref().and_then(|word| word.parse().ok()),
            answer: Answer {
                status: record.status.and_then(|status| u16::try_from(status).ok()),
                text: record.response,
            },
            next_at: is_sent.then(|| next_attempt(record.not_before, record.breaker_open_until)),
            created_at: record.created_at.into(),
            ended_at: record.ended_at.map(Timestamp::from_millis),
            may_resolve: false,
        })
    }
}

/// Selects [`DeliveryRecord`]s; `$rest` is a condition and an order.
macro_rules! deliveries {
    ($rest:expr) => {
        concat!(
            "select d.id, d.channel_id, coalesce(c.name, d.channel) as channel, d.event, d.task_id, d.title, d.state, d.epoch,
                    (select a.outcome
                       from delivery_attempt a
                      where a.delivery_id = d.id and a.ended_at is not null
                      order by a.epoch desc
                      limit 1) as outcome,
                    (select a.status
                       from delivery_attempt a
                      where a.delivery_id = d.id and a.ended_at is not null
                      order by a.epoch desc
                      limit 1) as status,
                    (select substr(a.response_body, 1, 300)
                       from delivery_attempt a
                      where a.delivery_id = d.id and a.ended_at is not null
                      order by a.epoch desc
                      limit 1) as response,
                    d.not_before, d.created_at, d.ended_at, c.state as channel_state, c.breaker_open_until,
                    coalesce(m.body, d.body) as body
               from delivery d
               left join message m on m.id = d.message_id
               left join channel c on c.id = d.channel_id
              where ",
            $rest
        )
    };
}

/// Filter of a list of deliveries, newest first unless it says otherwise.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryFilter {
    /// Only of this channel.
    pub channel: Option<ChannelId>,
    /// Only of this task.
    pub task: Option<TaskId>,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// Whether the oldest comes first.
    pub is_ascending: bool,
    /// Only beyond this delivery, in the order of the list.
    pub start: Option<Uuid>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// One page of the deliveries that meet a condition, in both orders.
macro_rules! pages {
    ($condition:literal) => {
        [
            deliveries!(concat!(
                $condition,
                " and ($2 is null or d.state = $2) and ($3 is null or d.id < $3) order by d.id desc limit $4"
            )),
            deliveries!(concat!(
                $condition,
                " and ($2 is null or d.state = $2) and ($3 is null or d.id > $3) order by d.id limit $4"
            )),
        ]
    };
}

const OF_TASK: [&str; 2] = pages!("d.task_id = $1 and ($5 is null or d.channel_id = $5)");
const OF_CHANNEL: [&str; 2] = pages!("d.channel_id = $1 and $5 is null");
const OF_ALL: [&str; 2] = pages!("$1 is null and $5 is null");

/// Returns one page of deliveries.
pub async fn list(conn: Conn<'_>, filter: DeliveryFilter) -> Result<Vec<DeliveryRecord>, StoreError> {
    let (channel, task) = (filter.channel.map(|id| id.0), filter.task.map(|id| id.0));
    let (statements, first, second) = match task {
        Some(_) => (OF_TASK, task, channel),
        None if channel.is_some() => (OF_CHANNEL, channel, None),
        None => (OF_ALL, None, None),
    };
    Ok(with_conn!(conn, c => sqlx::query_as(statements[usize::from(filter.is_ascending)])
        .bind(first).bind(filter.state.map(DeliveryState::as_str)).bind(filter.start).bind(filter.limit).bind(second)
        .fetch_all(c).await)?)
}

/// Counts the deliveries of a channel by state, the newest up to one more than
/// [`domain::engine::MAX_COUNTED`].
pub async fn counts(conn: Conn<'_>, channel: ChannelId) -> Result<Vec<(String, i64)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select state, count(*)
           from (select state from delivery where channel_id = $1 order by id desc limit $2) as newest
          group by state")
        .bind(channel.0).bind(COUNT_LIMIT).fetch_all(c).await)?)
}

/// Returns these deliveries, in any order.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<DeliveryRecord>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(deliveries!("d.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(deliveries!("d.id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns one delivery; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(deliveries!("d.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

type AttemptRecord = (i32, i64, Option<i64>, Option<String>, Option<i32>, Option<String>);

/// Returns the attempts of a delivery, oldest first.
pub async fn attempts(conn: Conn<'_>, id: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
    let rows: Vec<AttemptRecord> = with_conn!(conn, c => sqlx::query_as(
        "select epoch, started_at, ended_at, outcome, status, response_body
           from delivery_attempt
          where delivery_id = $1
          order by epoch")
        .bind(id.0).fetch_all(c).await)?;
    let attempt = |(number, started_at, ended_at, outcome, status, response_body): AttemptRecord| Attempt {
        number: number.unsigned_abs(),
        started_at: started_at.into(),
        ended_at: ended_at.map(Timestamp::from_millis),
        outcome: outcome.and_then(|word| word.parse().ok()),
        status: status.and_then(|status| u16::try_from(status).ok()),
        response_body,
    };
    Ok(rows.into_iter().map(attempt).collect())
}

/// Stores a test message that is sent at most once, from `at` on.
pub async fn insert_test(
    conn: Conn<'_>,
    channel: (ChannelId, &str),
    body: String,
    at: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let (channel_id, name) = channel;
    let new = NewDelivery {
        id: DeliveryId::generate(),
        task: None,
        version: domain::Version(1),
        channel_id: channel_id.0,
        channel: name.to_owned(),
        event: ChannelEvent::Test,
        title: String::new(),
        body,
        message: None,
        is_held: false,
        max_attempts: 1,
    };
    crate::outbox::insert(conn, std::slice::from_ref(&new), at).await?;
    Ok(new.id)
}

/// Sends a delivery again from `at` on, with the whole retry schedule. `false`: it is being sent,
/// or its channel is off or was deleted.
pub async fn resend(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    // Attention keeps showing the failure until the delivery succeeds.
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
         select id, channel_id, coalesce(ended_at, created_at), $2
           from delivery
          where id = $1 and event <> 'test'
            and (state in ('failed', 'unconfirmed') or state = 'pending' and epoch > 0)
             on conflict (delivery_id) do update set shown_at = excluded.shown_at")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    // Recipients that have the message do not get it again, unless all have it.
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from delivery_recipient
          where delivery_id = $1
            and exists (select 1 from delivery d
                         where d.id = $1 and d.state <> 'sending' and (d.state = 'delivered' or outcome <> 'delivered'))")
        .bind(id.0).execute(c).await.map(drop))?;
    Ok(with_conn!(conn, c => sqlx::query(
        "update delivery
            set state = 'pending', not_before = $2, attempts = 0, ended_at = null
          where id = $1 and state <> 'sending' and exists (select 1 from channel c where c.id = delivery.channel_id and c.state <> 'off')")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Records that an unconfirmed delivery arrived, as a user confirmed; recipients that refused it
/// stay refused. `false`: it is not unconfirmed.
pub async fn confirm(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery_recipient
            set outcome = 'delivered', at = $2
          where delivery_id = $1 and outcome = 'unknown'
            and exists (select 1 from delivery d where d.id = $1 and d.state = 'unconfirmed')")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(with_conn!(conn, c => sqlx::query(
        "update delivery
            set state = case when exists (select 1 from delivery_recipient r where r.delivery_id = $1 and r.outcome <> 'delivered')
                             then 'failed' else 'delivered' end,
                ended_at = $2
          where id = $1 and state = 'unconfirmed'")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Cancels a delivery. `false`: it is being sent, or it was delivered or cancelled.
pub async fn cancel(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    if mutant::is_active(Mutant::HardCancelAlways) {
        with_conn!(conn.reborrow(), c => sqlx::query(
            "update delivery set state = 'pending', lease_until = null where id = $1 and state = 'sending'")
            .bind(id.0).execute(c).await.map(drop))?;
    }
    let is_done = with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery
            set state = 'cancelled', ended_at = $2
          where id = $1 and state in ('pending', 'held', 'failed', 'unconfirmed')")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1;
    if is_done {
        failing::delete(conn, &[id]).await?;
    }
    Ok(is_done)
}
