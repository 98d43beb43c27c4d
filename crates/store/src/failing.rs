//! Messages that were tried and are not delivered yet, and the channels that do not take them.

use crate::{Conn, StoreError, batch::pack, board, db::on, row::row};
use domain::{ChannelId, DeliveryId, PersonId, Timestamp};
use uuid::Uuid;

/// A message that still waits this long after its first failed attempt is shown, milliseconds.
pub const SHOWN_AFTER_MS: i64 = 60_000;

/// Notes that attempts of these deliveries failed at `at`, and that the others came to an end.
pub(crate) async fn note(
    mut conn: Conn<'_>,
    failed: &[(DeliveryId, ChannelId)],
    ended: &[DeliveryId],
    at: Timestamp,
) -> Result<(), StoreError> {
    forget(conn.again(), ended).await?;
    if failed.is_empty() {
        return Ok(());
    }
    let shown_at = at.plus(SHOWN_AFTER_MS).millis();
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, since, shown_at)
                 select unhex(value ->> 0), unhex(value ->> 1), $2, $3 from jsonb_each($1) where true on conflict do nothing",
            )
            .bind(pack(failed.iter().map(|(id, channel)| (id.0.simple(), channel.0.simple())))?)
            .bind(at.millis())
            .bind(shown_at)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, since, shown_at)
                 select id, channel_id, $3, $4 from unnest($1::uuid[], $2::uuid[]) as failed (id, channel_id) on conflict do nothing",
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

/// Deletes what is delivered or has ended.
pub(crate) async fn forget(conn: Conn<'_>, ended: &[DeliveryId]) -> Result<(), StoreError> {
    match conn {
        _ if ended.is_empty() => {}
        Conn::Sqlite(c) => {
            let ids = pack(ended.iter().map(|id| id.0.simple()))?;
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

/// Shows what waits for this channel from now on, however short ago it failed: a person has had it sent again, and wants to see whether
/// it arrives.
pub(crate) async fn show(conn: Conn<'_>, channel: ChannelId, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("update failing_delivery set shown_at = $2 where channel_id = $1 and shown_at > $2")
        .bind(channel.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether the channel `c` does not take messages at the moment that is bound to `$now`: three failures in a row with messages
/// waiting, an open circuit breaker, a wait of more than an hour that the receiver asked for, or a message that is shown as failing.
macro_rules! is_failing {
    ($now:literal) => {
        concat!(
            "c.state = 'active'
             and (c.failures >= 3
                    and exists (select 1 from delivery d where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 1)
                  or c.failures >= 5 and c.rests_until > ",
            $now,
            "     or c.rests_until - c.failed_at > 3600000 and c.rests_until > ",
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

/// How many messages of the channel `c` wait, are on their way or are held; counted up to one more than 10,000.
macro_rules! undelivered {
    () => {
        "(select count(*)
            from (select 1 from delivery d where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 10001) as counted)
         + (select count(*) from delivery d where d.state = 'sending' and d.channel_id = c.id and d.event <> 'test')
         + case when c.state = 'off'
                then (select count(*) from delivery d where d.channel_id = c.id and d.state = 'held' and d.event <> 'test')
                else 0 end"
    };
}
pub(crate) use undelivered;

/// How many things need a person at $3: tasks (those due before $1 are overdue) and messages, none older than $2. The one count: the
/// front page, the heartbeat and Attention show it.
macro_rules! attention {
    () => {
        concat!(
            "((select count(*) from (select 1 from (",
            $crate::board::needing!(),
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
              + (select count(*) from setting where name = 'restore.held'))"
        )
    };
}
pub(crate) use attention;

/// How many things need a person.
pub async fn attention_count(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    let count: i64 = on!(conn, c => sqlx::query_scalar(concat!("select ", attention!()))
        .bind(now.plus(-board::OVERDUE_MS).millis()).bind(now.plus(-board::FORGOTTEN_MS).millis()).bind(now.millis())
        .fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

row! {
    /// A channel that does not take messages.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Failing {
        /// Which channel.
        pub id: Uuid,
        /// What it is called.
        pub name: String,
        /// `active` or `off`.
        pub state: String,
        /// No attempt before this moment, milliseconds.
        pub rests_until: Option<i64>,
        /// When an attempt last failed, milliseconds.
        pub failed_at: Option<i64>,
        /// Status of the last answer that was no.
        pub last_status: Option<i32>,
        /// Beginning of that answer, or what went wrong.
        pub last_answer: Option<String>,
        /// How many messages wait, are on their way or are held.
        pub undelivered: i64,
        /// How many of them were tried.
        pub retried: i64,
        /// When the first of them failed first, milliseconds.
        pub since: Option<i64>,
        /// When the next attempt may be made, milliseconds.
        pub next_at: Option<i64>,
    }
}

/// The channels that do not take messages, and those that are switched off, by name.
pub async fn channels(conn: Conn<'_>, now: Timestamp) -> Result<Vec<Failing>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select c.id, c.name, c.state, c.rests_until, c.failed_at, c.last_status, c.last_answer, ", undelivered!(), " as undelivered,
                (select count(*)
                   from failing_delivery f
                   join delivery d on d.id = f.delivery_id
                  where f.channel_id = c.id and d.state in ('pending', 'sending', 'held')) as retried,
                (select min(f.since) from failing_delivery f where f.channel_id = c.id) as since,
                (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at
           from channel c
          where c.state = 'off' or ", is_failing!("$1"), "
          order by lower(c.name), c.id"))
        .bind(now.millis()).fetch_all(c).await)?)
}

row! {
    /// A message on Attention, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Waiting {
        /// Which delivery.
        pub id: Uuid,
        /// To which channel.
        pub channel_id: Uuid,
        /// What that is called.
        pub channel: String,
        /// Where it stands.
        pub state: String,
        /// Title of what it is about.
        pub title: String,
        /// Because of which task.
        pub task_id: Option<Uuid>,
        /// How many are in the group in all.
        pub total: i64,
        /// When the first of the group failed or ended, milliseconds.
        pub since: Option<i64>,
    }
}

/// Messages that wait for this channel, newest first, at most `limit`; with how many there are in all. `owner`: only those of their
/// articles.
pub async fn waiting(
    conn: Conn<'_>,
    channel: Uuid,
    owner: Option<PersonId>,
    limit: i64,
) -> Result<Vec<Waiting>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select d.id, d.channel_id, d.channel, d.state, d.title, d.task_id, count(*) over () as total,
                (select f.since from failing_delivery f where f.delivery_id = d.id) as since
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

/// Messages that failed or may have arrived, not longer ago than Attention remembers: the newest `each` of each channel and state.
/// `owner`: only those of their articles.
pub async fn ended(
    conn: Conn<'_>,
    now: Timestamp,
    owner: Option<PersonId>,
    each: i64,
) -> Result<Vec<Waiting>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
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
        .bind(now.plus(-board::FORGOTTEN_MS).millis()).bind(owner.map(|owner| owner.0)).bind(each)
        .fetch_all(c).await)?)
}

row! {
    /// A task on Attention, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Stopped {
        /// Which task.
        pub id: Uuid,
        /// Its state, and the group's.
        pub state: String,
        /// The group's cause.
        pub cause: String,
        /// Title of its article.
        pub title: String,
        /// How many are in the group in all.
        pub total: i64,
        /// When the first of them was due, milliseconds.
        pub since: Option<i64>,
    }
}

/// Tasks that need a person: the newest `each` of each cause. `owner`: only theirs.
pub async fn tasks(
    conn: Conn<'_>,
    now: Timestamp,
    owner: Option<PersonId>,
    each: i64,
) -> Result<Vec<Stopped>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select r.id, r.state, r.cause, coalesce(a.title, '') as title, r.total, r.since
           from (select id, state, cause, target_id, place, total, since
                   from (select id, state, cause, target_id,
                                count(*) over (partition by state, cause) as total,
                                min(due_at) over (partition by state, cause) as since,
                                row_number() over (partition by state, cause order by due_at desc, id desc) as place
                           from (", board::needing!(), "
                                  union all
                                 select t.id, t.state, 'zone_data' as cause, t.due_at, t.version, t.owner_id, t.target_id
                                   from zone_move m
                                   join task t on t.id = m.task_id) as needing
                          where $4 is null or owner_id = $4) as ranked
                  where place <= $3) as r
           left join article a on a.id = r.target_id
          order by r.state, r.cause, r.place"))
        .bind(now.plus(-board::OVERDUE_MS).millis()).bind(now.plus(-board::FORGOTTEN_MS).millis()).bind(each)
        .bind(owner.map(|owner| owner.0))
        .fetch_all(c).await)?)
}
