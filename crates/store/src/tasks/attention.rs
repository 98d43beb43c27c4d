//! Attention: tasks and deliveries that need a person.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

/// A task overdue by more than this needs a person, milliseconds.
pub const OVERDUE_AFTER_MS: i64 = 5_000;
/// Age at which failed and missed tasks leave Attention, milliseconds: 30 days.
pub const ATTENTION_RETENTION_MS: i64 = 30 * 24 * 3_600_000;

/// Whether no newer task of the same target has replaced the failed or missed task `t`, as SQL: an editor
/// has dealt with it. If a newer text was public (`older_text`), only a task created after the due time
/// counts.
macro_rules! is_not_replaced {
    () => {
        "not exists (select 1
                       from task n
                      where n.target_id = t.target_id and n.id > t.id
                        and (coalesce(t.reason, '') <> 'older_text' or n.created_at > t.due_at))"
    };
}
pub(crate) use is_not_replaced;

// Tasks that need a person: overdue, rescheduled after a failed "publish now", or failed or missed
// recently; `moment` is when "publish now" failed, else the due time. The
// calendar counts by the same rule.
macro_rules! needing_attention {
    () => {
        concat!("select t.id, t.state, 'overdue' as cause, t.due_at as moment, t.version, t.owner_id, t.target_id
           from task t
          where t.state = 'scheduled' and t.due_at < $1 and t.kind <> 'engine.canary'
         union all
         select t.id, t.state, 'publish_now_failed' as cause, f.failed_at as moment, t.version, t.owner_id, t.target_id
           from failed_publish_now f
           join task t on t.id = f.task_id and t.version = f.version
          where t.state || '' = 'scheduled' and t.due_at >= $1
         union all
         select t.id, t.state, coalesce(t.reason, '') as cause, t.due_at as moment, t.version, t.owner_id, t.target_id
           from task t
          where t.state in ('failed', 'missed') and t.due_at >= $2
            and ", $crate::attention::is_not_replaced!())
    };
}
pub(crate) use needing_attention;

/// Number of items that need a person at $3: tasks (overdue if due before $1), deliveries, none
/// older than $2, and meetings. A channel counts as one item if none of its deliveries is counted.
/// The front page, the heartbeat and Attention show this one count.
macro_rules! attention_total {
    () => {
        concat!(
            "((select count(*) from (select 1 from (",
            $crate::attention::needing_attention!(),
            ") as needing limit 10001) as counted)
              + (select count(*)
                   from (select 1 from delivery
                          where state in ('failed', 'unconfirmed') and event <> 'test' and ended_at >= $2
                          limit 10001) as counted)
              + coalesce((select cast(sum(case when undelivered = 0 and not has_ended then 1 else undelivered end) as bigint)
                            from (select ",
            $crate::failing::undelivered!(),
            " as undelivered, ",
            $crate::failing::has_ended!("$2"),
            " as has_ended from channel c where c.state = 'off' and c.unfinished is distinct from 'delete' or ",
            $crate::failing::is_failing!("$3"),
            ") as failing), 0)
              + ",
            $crate::meeting_attention::meeting_total!("$3"),
            "
              + (select count(*) from zone_move)
              + (select count(*) from setting where name = 'delivery_hold')
              + (select count(*) from backup_problem))"
        )
    };
}
pub(crate) use attention_total;

/// Returns the number of items that need a person.
pub async fn attention_count(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(concat!("select ", attention_total!()))
        .bind(now.plus(-OVERDUE_AFTER_MS).millis())
        .bind(now.plus(-ATTENTION_RETENTION_MS).millis()).bind(now.millis())
        .fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or(0))
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
        /// 1: the channel exists; 0: it was deleted.
        pub is_known: i32,
        /// `failed`, `unconfirmed`, or `waiting`: not delivered yet by a channel that does not
        /// accept messages.
        pub state: String,
        /// Title of the target.
        pub title: String,
        /// Task that caused it.
        pub task_id: Option<Uuid>,
        /// Total size of the group.
        pub total: i64,
        /// When the first of the group ended or, if it waits, was written; milliseconds.
        pub since: Option<i64>,
    }
}

/// Selects the undelivered messages of channels that do not accept them; `$where` limits the state.
/// The cross join fixes the order in which SQLite reads the tables, `$from`.
macro_rules! waiting {
    ($from:literal, $where:literal) => {
        concat!(
            "select *
               from (select m.id, m.channel_id, m.channel, 'waiting' as state, m.title, m.task_id, m.created_at as moment
                       from ",
            $from,
            "          left join task t on t.id = m.task_id
                      where m.channel_id = c.id and ",
            $where,
            "           and m.event <> 'test' and ($2 is null or t.owner_id = $2)
                        and (c.state = 'off' and c.unfinished is distinct from 'delete' or ",
            $crate::failing::is_failing!("$4"),
            ")        limit 10001) as waiting"
        )
    };
}

/// Returns messages that did not arrive: failed and unconfirmed ones that Attention still shows, and
/// those that wait for a channel that does not accept them; the newest `each` of each channel and
/// state. Each total is counted up to 10,001. `owner`: only those of this account's articles.
pub async fn messages(
    conn: Conn<'_>,
    now: Timestamp,
    owner: Option<AccountId>,
    each: i64,
) -> Result<Vec<AttentionDelivery>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select id, channel_id, channel, is_known, state, title, task_id, total, since
           from (select d.id, d.channel_id, coalesce(k.name, d.channel) as channel,
                        case when k.id is null then 0 else 1 end as is_known, d.state, d.title, d.task_id,
                        count(*) over (partition by d.state, d.channel_id) as total,
                        min(d.moment) over (partition by d.state, d.channel_id) as since,
                        row_number() over (partition by d.state, d.channel_id order by d.moment desc, d.id desc) as place
                   from (select *
                           from (select m.id, m.channel_id, m.channel, m.state, m.title, m.task_id, m.ended_at as moment
                                   from delivery m
                                   left join task t on t.id = m.task_id
                                  where m.state in ('failed', 'unconfirmed') and m.event <> 'test' and m.ended_at >= $1
                                    and ($2 is null or t.owner_id = $2)
                                  order by m.ended_at desc
                                  limit 10001) as ended
                          union all
                         ", waiting!("channel c cross join delivery m", "m.state = 'pending'"), "
                          union all
                         ", waiting!("delivery m cross join channel c", "m.state = 'sending'"), "
                          union all
                         ", waiting!("channel c cross join delivery m", "m.state = 'held' and c.state = 'off'"), ") as d
                   left join channel k on k.id = d.channel_id) as ranked
          where place <= $3
          order by state, lower(channel), channel_id, place"))
        .bind(now.plus(-ATTENTION_RETENTION_MS).millis()).bind(owner.map(|owner| owner.0)).bind(each)
        .bind(now.millis())
        .fetch_all(c).await)?)
}

/// Returns the number of scheduled tasks, counted up to 10,001, and of channels whose last attempt
/// delivered a message.
pub async fn working(conn: Conn<'_>) -> Result<(u64, u64), StoreError> {
    let (scheduled, delivering): (i64, i64) = with_conn!(conn, c => sqlx::query_as(
        "select (select count(*)
                   from (select 1 from task where state = 'scheduled' and id <> $1 limit 10001) as counted),
                (select count(*)
                   from channel
                  where state = 'active' and failures = 0 and succeeded_at is not null)")
        .bind(domain::task::CANARY_ID.0).fetch_one(c).await)?;
    Ok((scheduled.unsigned_abs(), delivering.unsigned_abs()))
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
        /// When the first of them was due or, if "publish now" failed, when it failed; milliseconds.
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
                                min(moment) over (partition by state, cause) as since,
                                row_number() over (partition by state, cause order by moment desc, id desc) as place
                           from (", needing_attention!(), "
                                  union all
                                 select t.id, t.state, 'zone_data' as cause, t.due_at as moment, t.version, t.owner_id, t.target_id
                                   from zone_move m
                                   join task t on t.id = m.task_id) as needing
                          where $4 is null or owner_id = $4) as ranked
                  where place <= $3) as r
           left join target g on g.id = r.target_id
          order by r.state, r.cause, r.place"))
        .bind(now.plus(-OVERDUE_AFTER_MS).millis())
        .bind(now.plus(-ATTENTION_RETENTION_MS).millis()).bind(each)
        .bind(owner.map(|owner| owner.0))
        .fetch_all(c).await)?)
}
