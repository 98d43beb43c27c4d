//! Reads the days of the calendar: the first items of each day, and the number of all, in one
//! statement.

use crate::{
    Conn, StoreError,
    attention::{ATTENTION_RETENTION_MS, OVERDUE_AFTER_MS},
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, ChannelId, RoomId, Timestamp, calendar::CalendarStatus, meetings::MAX_MEETING_MINUTES,
};
use uuid::Uuid;

/// Milliseconds of the longest meeting.
const MAX_MEETING_MS: i64 = MAX_MEETING_MINUTES as i64 * 60_000;

row! {
    /// An item on one day. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CalendarRow {
        /// Index of the day.
        pub place: i64,
        /// Number of items on that day.
        pub total: i64,
        /// How many of them need a person, as on Attention.
        pub attention: i64,
        /// Number of items of that day that start in the same hour.
        pub together: i64,
        /// Id of the task or the meeting.
        pub id: Uuid,
        /// Kind of the task; `None`: it is a meeting.
        pub kind: Option<String>,
        /// What the task acts on; the meeting itself.
        pub target_id: Uuid,
        /// Title of the pinned revision, else of the target.
        pub title: String,
        /// State of the task or the meeting.
        pub state: String,
        /// Its version.
        pub version: i32,
        /// When it is due or starts.
        pub at: i64,
        /// When it ends; `None`: it is a task.
        pub ends_at: Option<i64>,
        /// Whether it is a request that waits for an admin.
        pub is_held: bool,
        /// Owner of the task, organizer of the meeting.
        pub owner_id: Uuid,
        /// Name of that account.
        pub owner: String,
        /// Name of the room; empty: it has none.
        pub room: String,
    }
}

/// Which days, and which of their items.
#[derive(Debug, Clone, Copy)]
pub struct CalendarFilter<'a> {
    /// First instant of each day, and of the day after the last one.
    pub bounds: &'a [Timestamp],
    /// Kinds of tasks.
    pub kinds: &'a [&'static str],
    /// Whether meetings belong to it.
    pub has_meetings: bool,
    /// Only with this status; `None`: all but cancelled ones.
    pub status: Option<CalendarStatus>,
    /// Only of this account.
    pub owner: Option<AccountId>,
    /// Account whose meetings as an attendee belong to those of `owner`; `None`: none do.
    pub guest: Option<AccountId>,
    /// Only meetings in this room.
    pub room: Option<RoomId>,
    /// Only tasks of articles whose pinned, else current revision has the tag with this key.
    pub tag: Option<&'a str>,
    /// Only messages to this channel.
    pub channel: Option<ChannelId>,
    /// The present, which separates what is upcoming from what is due.
    pub now: Timestamp,
    /// Number of items of each day that are skipped.
    pub skip: i64,
    /// Maximum number of items of each day.
    pub day_items: i64,
}

/// Status of the task `t`, see [`CalendarStatus::of_task`].
macro_rules! task_status {
    () => {
        "case t.state when 'scheduled' then case when t.due_at > $5 then 'upcoming' else 'running' end
                      when 'executed' then 'done' when 'cancelled' then 'cancelled' else 'attention' end"
    };
}

/// 1 if the task `t` needs a person, else 0; see `needing_attention!`.
macro_rules! task_needs {
    () => {
        concat!(
            "case when t.state = 'scheduled'
                  then case when t.due_at < $14
                                 or (t.id, t.version) in (select f.task_id, f.version from failed_publish_now f)
                            then 1 else 0 end
                  when t.state in ('failed', 'missed') and t.due_at >= $15 and ",
            crate::attention::is_not_replaced!(),
            " then 1 else 0 end"
        )
    };
}

/// Status of the meeting `m`, see [`CalendarStatus::of_meeting`].
macro_rules! meeting_status {
    () => {
        "case m.state when 'requested' then case when m.is_held = 1 then 'attention' else 'upcoming' end
                      when 'confirmed' then 'upcoming' when 'in_progress' then 'running' when 'ended' then 'done'
                      else 'cancelled' end"
    };
}

/// The days as `(place, begin_at, end_at)`, the condition on the kind, and a join that reads the days
/// first: each then reads its part of the indexes (state, due_at, id) and (starts_at, id). The items are
/// counted by hour, so that only those of the hours that are shown have to be sorted.
macro_rules! statement {
    ($days:expr, $kinds:expr) => {
        concat!(
            "with day (place, begin_at, end_at) as materialized (", $days, "),
             item (place, begin_at, task_id, meeting_id, at, id, status, needs) as (
                 select d.place, d.begin_at, t.id, null, t.due_at, t.id, ", task_status!(), ",
                        ", task_needs!(), "
                   from day d cross join task t
                  where t.state in ('scheduled', 'executed', 'failed', 'cancelled', 'missed')
                    and t.due_at >= d.begin_at and t.due_at < d.end_at
                    and t.kind ", $kinds, "
                    and ($4 is null or t.owner_id = $4)
                    and $11 is null
                    and ($12 is null or exists (
                        select 1 from revision_tag rt
                         where rt.key = $12 and rt.revision_id = coalesce(t.revision_id,
                               (select a.revision_id from article a where a.id = t.target_id))))
                    and ($13 is null or exists (
                        select 1 from message s where s.id = t.target_id and s.channel_id = $13))
                 union all
                 select d.place, d.begin_at, null, m.id, m.starts_at, m.id, ", meeting_status!(), ",
                        case when m.state = 'requested' and m.is_held = 1 then 1 else 0 end
                   from day d cross join meeting m
                  where $3 = 1
                    and m.starts_at > d.begin_at - $9 and m.starts_at < d.end_at and m.ends_at > d.begin_at
                    and ($4 is null or m.organizer_id = $4 or exists (
                        select 1 from attendee x join account w on w.email = x.email
                         where x.meeting_id = m.id and w.id = $16 and x.answer <> 'declined'))
                    and ($11 is null or m.room_id = $11) and $12 is null and $13 is null
             ),
             shown as not materialized (
                 select * from item where status = $6 or ($6 is null and status <> 'cancelled')
             ),
             by_hour as materialized (
                 select place, at < begin_at as is_earlier, (at - begin_at) / 3600000 as hour, max(at) as last_at,
                        count(*) as together, sum(needs) as attention
                   from shown group by 1, 2, 3
             ),
             hours as (
                 select place, last_at, together, attention,
                        coalesce(sum(together) over (partition by place order by last_at
                                 rows between unbounded preceding and 1 preceding), 0) as number_before
                   from by_hour
             ),
             by_day as materialized (
                 select place, cast(sum(together) as bigint) as total, cast(sum(attention) as bigint) as attention,
                        max(case when number_before < $8 then last_at end) as last_at
                   from hours group by place
             ),
             ranked as (
                 select s.place, s.begin_at, s.task_id, s.meeting_id, s.at, s.id, n.total, n.attention,
                        row_number() over (partition by s.place order by s.at, s.id) as number
                   from shown s
                   join by_day n on n.place = s.place and s.at <= n.last_at
             )
             select r.place, r.total, r.attention, h.together, r.id, t.kind, coalesce(t.target_id, m.id) as target_id,
                    coalesce(v.title, g.title, m.title, '') as title, coalesce(t.state,
                        case when m.state = 'requested' then coalesce(m.waits, m.state) else m.state end) as state,
                    coalesce(t.version, m.version) as version, r.at, m.ends_at,
                    coalesce(m.is_held, 0) = 1 as is_held, coalesce(t.owner_id, m.organizer_id) as owner_id,
                    coalesce(p.name, '') as owner, coalesce(o.name, '') as room
               from ranked r
               join by_hour h on h.place = r.place and h.is_earlier = (r.at < r.begin_at)
                             and h.hour = (r.at - r.begin_at) / 3600000
               left join task t on t.id = r.task_id
               left join meeting m on m.id = r.meeting_id
               left join target g on g.id = t.target_id
               left join revision v on v.id = t.revision_id
               left join room o on o.id = m.room_id
               left join account p on p.id = coalesce(t.owner_id, m.organizer_id)
              where r.number > $7 and r.number <= $8
              order by r.place, r.number"
        )
    };
}

const SQLITE: &str = statement!(
    "select key, value ->> 0, value ->> 1 from jsonb_each($1)",
    "in (select value from jsonb_each($2))"
);
const POSTGRES: &str = statement!(
    "select d.place - 1, d.begin_at, d.end_at from unnest($1::bigint[], $10::bigint[]) with ordinality as d (begin_at, end_at, place)",
    "= any($2)"
);

/// Returns the items of the days, by day, time and id.
pub async fn read(conn: Conn<'_>, filter: CalendarFilter<'_>) -> Result<Vec<CalendarRow>, StoreError> {
    let days: Vec<(i64, i64)> =
        filter.bounds.windows(2).map(|pair| (pair[0].millis(), pair[1].millis())).collect();
    let (owner, status) = (filter.owner.map(|owner| owner.0), filter.status.map(CalendarStatus::as_str));
    let guest = filter.guest.map(|guest| guest.0);
    let last = filter.skip.saturating_add(filter.day_items);
    let (room, channel) = (filter.room.map(|room| room.0), filter.channel.map(|channel| channel.0));
    let has_meetings = i32::from(filter.has_meetings);
    let overdue_before = filter.now.plus(-OVERDUE_AFTER_MS).millis();
    let recent_since = filter.now.plus(-ATTENTION_RETENTION_MS).millis();
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(SQLITE)
                .bind(encode(&days)?)
                .bind(encode(filter.kinds)?)
                .bind(has_meetings)
                .bind(owner)
                .bind(filter.now.millis())
                .bind(status)
                .bind(filter.skip)
                .bind(last)
                .bind(MAX_MEETING_MS)
                .bind(None::<i64>)
                .bind(room)
                .bind(filter.tag)
                .bind(channel)
                .bind(overdue_before)
                .bind(recent_since)
                .bind(guest)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(POSTGRES)
                .bind(column(&days, |day| day.0))
                .bind(filter.kinds)
                .bind(has_meetings)
                .bind(owner)
                .bind(filter.now.millis())
                .bind(status)
                .bind(filter.skip)
                .bind(last)
                .bind(MAX_MEETING_MS)
                .bind(column(&days, |day| day.1))
                .bind(room)
                .bind(filter.tag)
                .bind(channel)
                .bind(overdue_before)
                .bind(recent_since)
                .bind(guest)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns the accounts that are not disabled, by name.
pub async fn people(conn: Conn<'_>, limit: i64) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, name from account where is_disabled = 0 order by name, id limit $1")
        .bind(limit).fetch_all(c).await)?)
}
