//! Deliveries as people read and decide them.

use crate::{
    Conn, StoreError,
    db::on,
    failing,
    mutant::{self, Mutant},
    outbox::NewDelivery,
    row::row,
};
use domain::{
    ChannelId, DeliveryId, TaskId, Timestamp,
    channel::Happening,
    delivery::{Attempt, DeliveryRow, DeliveryState},
};
use uuid::Uuid;

row! {
    /// A delivery as it stands in SQL.
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
        not_before: i64,
        created_at: i64,
        ended_at: Option<i64>,
        /// The message.
        pub body: String,
    }
}

impl TryFrom<DeliveryRecord> for DeliveryRow {
    type Error = StoreError;
    /// Nobody may resolve it: the desk says who may.
    fn try_from(record: DeliveryRecord) -> Result<Self, StoreError> {
        let strange = || StoreError::Corrupt(format!("delivery {} cannot be read", record.id));
        let state: DeliveryState = record.state.parse().map_err(|_| strange())?;
        Ok(Self {
            id: DeliveryId(record.id),
            channel_id: ChannelId(record.channel_id),
            channel: record.channel.clone(),
            event: record.event.parse().map_err(|_| strange())?,
            task_id: record.task_id.map(TaskId),
            title: record.title.clone(),
            state,
            attempts: record.epoch.unsigned_abs(),
            outcome: record.outcome.as_deref().and_then(|word| word.parse().ok()),
            next_at: (state == DeliveryState::Pending).then(|| record.not_before.into()),
            created_at: record.created_at.into(),
            ended_at: record.ended_at.map(Timestamp::from_millis),
            may_resolve: false,
        })
    }
}

/// The shape of a [`DeliveryRecord`] around a condition and an order.
macro_rules! deliveries {
    ($rest:literal) => {
        concat!(
            "select d.id, d.channel_id, coalesce(c.name, d.channel) as channel, d.event, d.task_id, d.title, d.state, d.epoch,
                    (select a.outcome
                       from delivery_attempt a
                      where a.delivery_id = d.id and a.ended_at is not null
                      order by a.epoch desc
                      limit 1) as outcome,
                    d.not_before, d.created_at, d.ended_at, d.body
               from delivery d
               left join channel c on c.id = d.channel_id
              where ",
            $rest
        )
    };
}

/// Which deliveries, newest first.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Only of this channel.
    pub channel: Option<ChannelId>,
    /// Only because of this task.
    pub task: Option<TaskId>,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// Only older than this one.
    pub before: Option<Uuid>,
    /// At most so many.
    pub limit: i64,
}

/// A page of the log.
pub async fn list(conn: Conn<'_>, choice: Choice) -> Result<Vec<DeliveryRecord>, StoreError> {
    macro_rules! page {
        ($where:literal, $first:expr, $second:expr) => {
            on!(conn, c => sqlx::query_as(deliveries!($where))
                .bind($first).bind(choice.state.map(DeliveryState::as_str)).bind(choice.before).bind(choice.limit).bind($second)
                .fetch_all(c).await)?
        };
    }
    let (channel, task) = (choice.channel.map(|id| id.0), choice.task.map(|id| id.0));
    Ok(match task {
        Some(_) => page!(
            "d.task_id = $1 and ($2 is null or d.state = $2) and ($3 is null or d.id < $3) and ($5 is null or d.channel_id = $5)
              order by d.id desc limit $4", task, channel),
        None if channel.is_some() => page!(
            "d.channel_id = $1 and ($2 is null or d.state = $2) and ($3 is null or d.id < $3) and $5 is null
              order by d.id desc limit $4", channel, task),
        None => page!(
            "($2 is null or d.state = $2) and ($3 is null or d.id < $3) and $1 is null and $5 is null
              order by d.id desc limit $4", channel, task),
    })
}

/// What needs a person and ended after `since`, newest first.
pub async fn needing(
    conn: Conn<'_>,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<DeliveryRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(deliveries!(
        "d.state in ('failed', 'unconfirmed') and d.event <> 'test' and d.ended_at >= $1
          order by d.ended_at desc, d.id desc limit $2"))
        .bind(since.millis()).bind(limit).fetch_all(c).await)?)
}

/// One delivery.
pub async fn find(conn: Conn<'_>, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(deliveries!("d.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

type AttemptRecord = (i32, i64, Option<i64>, Option<String>, Option<i32>, Option<String>);

/// The attempts of a delivery, oldest first.
pub async fn attempts(conn: Conn<'_>, id: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
    let rows: Vec<AttemptRecord> = on!(conn, c => sqlx::query_as(
        "select epoch, started_at, ended_at, outcome, status, answer
           from delivery_attempt
          where delivery_id = $1
          order by epoch")
        .bind(id.0).fetch_all(c).await)?;
    let attempt = |(number, started_at, ended_at, outcome, status, answer): AttemptRecord| Attempt {
        number: number.unsigned_abs(),
        started_at: started_at.into(),
        ended_at: ended_at.map(Timestamp::from_millis),
        outcome: outcome.and_then(|word| word.parse().ok()),
        status: status.and_then(|status| u16::try_from(status).ok()),
        answer,
    };
    Ok(rows.into_iter().map(attempt).collect())
}

/// Writes a test message that is tried once, from `at` on.
pub async fn insert_test(
    conn: Conn<'_>,
    channel: (ChannelId, &str),
    body: String,
    at: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let (channel_id, name) = channel;
    let new = NewDelivery {
        id: DeliveryId::fresh(),
        task: None,
        version: domain::Version(1),
        channel_id: channel_id.0,
        channel: name.to_owned(),
        event: Happening::Test,
        title: String::new(),
        body,
        max_attempts: 1,
    };
    crate::outbox::insert(conn, std::slice::from_ref(&new), at).await?;
    Ok(new.id)
}

/// Has it sent again from `at` on, with the whole ladder before it. `false`: it is on its way, or its channel is gone.
pub async fn resend(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    // Until it is delivered, Attention goes on showing what had failed.
    on!(conn.again(), c => sqlx::query(
        "insert into failing_delivery (delivery_id, channel_id, since, shown_at)
         select id, channel_id, coalesce(ended_at, created_at), $2
           from delivery
          where id = $1 and event <> 'test'
            and (state in ('failed', 'unconfirmed') or state = 'pending' and epoch > 0)
             on conflict (delivery_id) do update set shown_at = excluded.shown_at")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    // Who has it does not get it again, unless all have it.
    on!(conn.again(), c => sqlx::query(
        "delete from delivery_recipient
          where delivery_id = $1
            and exists (select 1 from delivery d
                         where d.id = $1 and d.state <> 'sending' and (d.state = 'delivered' or outcome <> 'delivered'))")
        .bind(id.0).execute(c).await.map(drop))?;
    Ok(on!(conn, c => sqlx::query(
        "update delivery
            set state = 'pending', not_before = $2, attempts = 0, ended_at = null
          where id = $1 and state <> 'sending' and exists (select 1 from channel c where c.id = delivery.channel_id and c.state <> 'off')")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Has those of a channel sent again from `at` on that ended in this state after `since`, the newest `most`: which, and because of
/// which task.
pub async fn resend_all(
    mut conn: Conn<'_>,
    (channel, state): (ChannelId, DeliveryState),
    since: Timestamp,
    most: i64,
    at: Timestamp,
) -> Result<Vec<(Uuid, Option<Uuid>)>, StoreError> {
    on!(conn.again(), c => sqlx::query(
        "insert into failing_delivery (delivery_id, channel_id, since, shown_at)
         select d.id, d.channel_id, coalesce(d.ended_at, d.created_at), $5
           from delivery d
          where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
          order by d.ended_at desc, d.id desc
          limit $4
             on conflict (delivery_id) do update set shown_at = excluded.shown_at")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most).bind(at.millis())
        .execute(c).await.map(drop))?;
    on!(conn.again(), c => sqlx::query(
        "delete from delivery_recipient
          where outcome <> 'delivered'
            and delivery_id in (select d.id
                                  from delivery d
                                 where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
                                 order by d.ended_at desc, d.id desc
                                 limit $4)")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most)
        .execute(c).await.map(drop))?;
    Ok(on!(conn, c => sqlx::query_as(
        "update delivery
            set state = 'pending', not_before = $5, attempts = 0, ended_at = null
          where state = $2
            and id in (select d.id
                         from delivery d
                        where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
                        order by d.ended_at desc, d.id desc
                        limit $4)
         returning id, task_id")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most).bind(at.millis())
        .fetch_all(c).await)?)
}

/// Takes a person's word that an unconfirmed one arrived, where it was not refused. `false`: it is not unconfirmed.
pub async fn confirm(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    on!(conn.again(), c => sqlx::query(
        "update delivery_recipient
            set outcome = 'delivered', at = $2
          where delivery_id = $1 and outcome = 'unknown'
            and exists (select 1 from delivery d where d.id = $1 and d.state = 'unconfirmed')")
        .bind(id.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(on!(conn, c => sqlx::query(
        "update delivery
            set state = case when exists (select 1 from delivery_recipient r where r.delivery_id = $1 and r.outcome <> 'delivered')
                             then 'failed' else 'delivered' end,
                ended_at = $2
          where id = $1 and state = 'unconfirmed'")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1)
}

/// Lets it be. `false`: it is on its way, or there is nothing to let be.
pub async fn cancel(mut conn: Conn<'_>, id: DeliveryId, at: Timestamp) -> Result<bool, StoreError> {
    if mutant::is(Mutant::HardCancelAlways) {
        on!(conn.again(), c => sqlx::query(
            "update delivery set state = 'pending', lease_until = null where id = $1 and state = 'sending'")
            .bind(id.0).execute(c).await.map(drop))?;
    }
    let is_done = on!(conn.again(), c => sqlx::query(
        "update delivery
            set state = 'cancelled', ended_at = $2
          where id = $1 and state in ('pending', 'held', 'failed', 'unconfirmed')")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1;
    if is_done {
        failing::forget(conn, &[id]).await?;
    }
    Ok(is_done)
}
