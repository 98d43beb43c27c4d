//! Deliveries that were attempted and are not delivered yet, and channels that do not accept
//! messages.

use crate::{Conn, StoreError, dashboard, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, ChannelId, DeliveryId, Timestamp};
use uuid::Uuid;

/// A delivery that is still pending this long after its first failed attempt is shown,
/// milliseconds.
pub const SHOWN_AFTER_MS: i64 = 60_000;

/// Records that attempts of the deliveries `failed` failed at `at`, and that the deliveries `ended`
/// have ended.
pub(crate) async fn record(
    mut conn: Conn<'_>,
    failed: &[(DeliveryId, ChannelId)],
    ended: &[DeliveryId],
    at: Timestamp,
) -> Result<(), StoreError> {
    delete(conn.reborrow(), ended).await?;
    if failed.is_empty() {
        return Ok(());
    }
    let shown_at = at.plus(SHOWN_AFTER_MS).millis();
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select unhex(value ->> 0), unhex(value ->> 1), $2, $3 from jsonb_each($1) where true on conflict do nothing",
            )
            .bind(encode(failed.iter().map(|(id, channel)| (id.0.simple(), channel.0.simple())))?)
            .bind(at.millis())
            .bind(shown_at)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select id, channel_id, $3, $4 from unnest($1::uuid[], $2::uuid[])
                        as failed (id, channel_id)
                 on conflict do nothing",
            )
            .bind(failed.iter().map(|(id, _)| id.0).collect::<Vec<_>>())
            .bind(failed.iter().map(|(_, channel)| channel.0).collect::<Vec<_>>())
            .bind(at.millis())
            .bind(shown_at)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Deletes deliveries that have ended.
pub(crate) async fn delete(conn: Conn<'_>, ended: &[DeliveryId]) -> Result<(), StoreError> {
    match conn {
        _ if ended.is_empty() => {}
        Conn::Sqlite(c) => {
            let ids = encode(ended.iter().map(|id| id.0.simple()))?;
            sqlx::query(
                "delete from failing_delivery where delivery_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(ids)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            let ids: Vec<Uuid> = ended.iter().map(|id| id.0).collect();
            sqlx::query("delete from failing_delivery where delivery_id = any($1)")
                .bind(ids)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Shows the pending deliveries of this channel at once, however recently they failed. An admin has
/// requested a new attempt and wants to see whether it succeeds.
pub(crate) async fn show_now(conn: Conn<'_>, channel: ChannelId, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update failing_delivery set shown_at = $2 where channel_id = $1 and shown_at > $2")
        .bind(channel.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether the channel `c` does not accept messages at the time bound to `$now`: three failures in
/// a row with messages pending, an open circuit breaker, a wait of more than an hour requested by
/// the receiver, or a delivery that is shown as failing.
macro_rules! is_failing {
    ($now:literal) => {
        concat!(
            "c.state = 'active'
             and (c.failures >= 3
                    and exists (select 1 from delivery d
                                 where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 1)
                  or c.failures >= 5 and c.breaker_open_until > ",
            $now,
            "     or c.breaker_open_until - c.failed_at > 3600000 and c.breaker_open_until > ",
            $now,
            "     or exists (select 1
                               from failing_delivery f
                               join delivery d on d.id = f.delivery_id
                              where f.channel_id = c.id and f.shown_at <= ",
            $now,
            "                   and d.state in ('pending', 'sending')
                              limit 1))"
        )
    };
}
pub(crate) use is_failing;

/// Number of messages of the channel `c` that are pending, in flight or held; counted up to one
/// more than 10,000.
macro_rules! undelivered {
    () => {
        "(select count(*)
            from (select 1 from delivery d
                   where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 10001) as counted)
         + (select count(*) from delivery d where d.state = 'sending' and d.channel_id = c.id and d.event <> 'test')
         + case when c.state = 'off'
                then (select count(*) from delivery d where d.channel_id = c.id and d.state = 'held' and d.event <> 'test')
                else 0 end"
    };
}
pub(crate) use undelivered;

/// Number of items that need a person at $3: tasks (overdue if due before $1) and deliveries, none
/// older than $2. The front page, the heartbeat and Attention show this one count.
macro_rules! attention_total {
    () => {
        concat!(
            "((select count(*) from (select 1 from (",
            $crate::dashboard::needing_attention!(),
            ") as needing limit 10001) as counted)
              + (select count(*)
                   from (select 1 from delivery
                          where state in ('failed', 'unconfirmed') and event <> 'test' and ended_at >= $2
                          limit 10001) as counted)
              + coalesce((select cast(sum(case when undelivered = 0 then 1 else undelivered end) as bigint)
                            from (select ",
            $crate::failing::undelivered!(),
            " as undelivered from channel c where c.state = 'off' or ",
            $crate::failing::is_failing!("$3"),
            ") as failing), 0)
              + (select count(*) from zone_move)
              + (select count(*) from setting where name = 'delivery_hold'))"
        )
    };
}
pub(crate) use attention_total;

/// Returns the number of items that need a person.
pub async fn attention_count(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(concat!("select ", attention_total!()))
        .bind(now.plus(-dashboard::OVERDUE_AFTER_MS).millis())
        .bind(now.plus(-dashboard::ATTENTION_RETENTION_MS).millis()).bind(now.millis())
        .fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

row! {
    /// A channel that does not accept messages.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FailingChannel {
        /// Id of the channel.
        pub id: Uuid,
        /// Name of the channel.
        pub name: String,
        /// `active` or `off`.
        pub state: String,
        /// No attempt before this time, milliseconds.
        pub breaker_open_until: Option<i64>,
        /// When an attempt last failed, milliseconds.
        pub failed_at: Option<i64>,
        /// Status of the last response that was a refusal.
        pub last_status: Option<i32>,
        /// Beginning of that response, or the error.
        pub last_response_body: Option<String>,
        /// Number of messages that are pending, in flight or held.
        pub undelivered: i64,
        /// Number of them that were attempted.
        pub retried: i64,
        /// First failure of the oldest of them, milliseconds.
        pub since: Option<i64>,
        /// When the next attempt may be made, milliseconds.
        pub next_at: Option<i64>,
    }
}

/// Returns the channels that do not accept messages and those that are switched off, by name.
pub async fn channels(conn: Conn<'_>, now: Timestamp) -> Result<Vec<FailingChannel>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select c.id, c.name, c.state, c.breaker_open_until, c.failed_at, c.last_status, c.last_response_body,
                ", undelivered!(), " as undelivered,
                (select count(*)
                   from failing_delivery f
                   join delivery d on d.id = f.delivery_id
                  where f.channel_id = c.id and d.state in ('pending', 'sending', 'held')) as retried,
                (select min(f.first_failed_at) from failing_delivery f where f.channel_id = c.id) as since,
                (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at
           from channel c
          where c.state = 'off' or ", is_failing!("$1"), "
          order by lower(c.name), c.id"))
        .bind(now.millis()).fetch_all(c).await)?)
}

row! {
    /// A delivery on Attention, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttentionDelivery {
        /// Id of the delivery.
        pub id: Uuid,
        /// Id of its channel.
        pub channel_id: Uuid,
        /// Name of its channel.
        pub channel: String,
        /// State of the delivery.
        pub state: String,
        /// Title of the target.
        pub title: String,
        /// Task that caused it.
        pub task_id: Option<Uuid>,
        /// Total size of the group.
        pub total: i64,
        /// When the first of the group failed or ended, milliseconds.
        pub since: Option<i64>,
    }
}

/// Returns undelivered messages of this channel, newest first, at most `limit`, with their total
/// number. `owner`: only those of this account's articles.
pub async fn waiting(
    conn: Conn<'_>,
    channel: Uuid,
    owner: Option<AccountId>,
    limit: i64,
) -> Result<Vec<AttentionDelivery>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select d.id, d.channel_id, d.channel, d.state, d.title, d.task_id, count(*) over () as total,
                (select f.first_failed_at from failing_delivery f where f.delivery_id = d.id) as since
           from (select * from delivery where channel_id = $1 and state = 'pending'
                 union all
                 select * from delivery where channel_id = $1 and state = 'sending'
                 union all
                 select o.* from delivery o
                  where o.channel_id = $1 and o.state = 'held'
                    and exists (select 1 from channel c where c.id = $1 and c.state = 'off')) as d
           left join task t on t.id = d.task_id
          where d.event <> 'test' and ($2 is null or t.owner_id = $2)
          order by d.id desc
          limit $3")
        .bind(channel).bind(owner.map(|owner| owner.0)).bind(limit).fetch_all(c).await)?)
}

/// Returns failed and unconfirmed messages that Attention still shows: the newest `each` of each
/// channel and state. `owner`: only those of this account's articles.
pub async fn ended(
    conn: Conn<'_>,
    now: Timestamp,
    owner: Option<AccountId>,
    each: i64,
) -> Result<Vec<AttentionDelivery>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, channel_id, channel, state, title, task_id, total, since
           from (select d.id, d.channel_id, coalesce(c.name, d.channel) as channel, d.state, d.title, d.task_id,
                        count(*) over (partition by d.state, d.channel_id) as total,
                        min(d.ended_at) over (partition by d.state, d.channel_id) as since,
                        row_number() over (partition by d.state, d.channel_id order by d.ended_at desc, d.id desc) as place
                   from delivery d
                   left join channel c on c.id = d.channel_id
                   left join task t on t.id = d.task_id
                  where d.state in ('failed', 'unconfirmed') and d.event <> 'test' and d.ended_at >= $1
                    and ($2 is null or t.owner_id = $2)) as ranked
          where place <= $3
          order by state, lower(channel), channel_id, place")
        .bind(now.plus(-dashboard::ATTENTION_RETENTION_MS).millis()).bind(owner.map(|owner| owner.0)).bind(each)
        .fetch_all(c).await)?)
}

row! {
    /// A task on Attention, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttentionTask {
        /// Id of the task.
        pub id: Uuid,
        /// State of the task and its group.
        pub state: String,
        /// Cause of the group.
        pub cause: String,
        /// Title of its target.
        pub title: String,
        /// Total size of the group.
        pub total: i64,
        /// When the first of them was due, milliseconds.
        pub since: Option<i64>,
    }
}

/// Returns tasks that need a person: the newest `each` of each cause. `owner`: only those of this
/// account.
pub async fn tasks(
    conn: Conn<'_>,
    now: Timestamp,
    owner: Option<AccountId>,
    each: i64,
) -> Result<Vec<AttentionTask>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select r.id, r.state, r.cause, coalesce(g.title, '') as title, r.total, r.since
           from (select id, state, cause, target_id, place, total, since
                   from (select id, state, cause, target_id,
                                count(*) over (partition by state, cause) as total,
                                min(due_at) over (partition by state, cause) as since,
                                row_number() over (partition by state, cause order by due_at desc, id desc) as place
                           from (", dashboard::needing_attention!(), "
                                  union all
                                 select t.id, t.state, 'zone_data' as cause, t.due_at, t.version, t.owner_id, t.target_id
                                   from zone_move m
                                   join task t on t.id = m.task_id) as needing
                          where $4 is null or owner_id = $4) as ranked
                  where place <= $3) as r
           left join target g on g.id = r.target_id
          order by r.state, r.cause, r.place"))
        .bind(now.plus(-dashboard::OVERDUE_AFTER_MS).millis())
        .bind(now.plus(-dashboard::ATTENTION_RETENTION_MS).millis()).bind(each)
        .bind(owner.map(|owner| owner.0))
        .fetch_all(c).await)?)
}
