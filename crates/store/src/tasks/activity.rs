//! Reads the event log newest first, with the titles of what the events are about.

use crate::{Conn, StoreError, db::with_conn, event::EventRow, row::row};
use domain::AccountId;
use uuid::Uuid;

/// Number of events among which the events of one account are looked for, for one page.
const MAX_SCANNED: i64 = 20_000;

row! {
    /// An event with what it is about.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ActivityRow {
        /// The event.
        flat pub event: EventRow,
        /// Title or name of what it is about; `None`: it has none, or it no longer exists.
        pub title: Option<String>,
        /// Id of what it is about: of a task, its target.
        pub subject_id: Uuid,
        /// What that is.
        pub subject_kind: String,
        /// Kind of the task.
        pub task_kind: Option<String>,
        /// Whether a meeting was booked as one of its series: 0 or 1.
        pub is_of_series: i32,
    }
}

/// Which events.
#[derive(Debug, Clone, Copy)]
pub struct ActivityFilter {
    /// Only of this account.
    pub person: Option<AccountId>,
    /// Only about this item, its tasks and their deliveries.
    pub item: Option<Uuid>,
    /// Whether also those of the engine.
    pub with_engine: bool,
    /// Only before this sequence number.
    pub before: i64,
    /// Maximum number of rows.
    pub limit: i64,
}

macro_rules! activity {
    ($events:expr) => {
        concat!(
            "select e.seq, e.at, e.actor, e.actor_id, e.entity, e.entity_id, e.verb, e.from_state, e.to_state,
                    e.version, e.detail, coalesce(g.title, c.name, r.name, p.name) as title,
                    coalesce(t.target_id, e.entity_id) as subject_id, coalesce(g.kind, e.entity) as subject_kind,
                    t.kind as task_kind,
                    case when e.entity = 'meeting' and e.verb = 'book' and m.series_id is not null
                         then 1 else 0 end as is_of_series
               from (",
            $events,
            ") as e
               left join delivery d on e.entity = 'delivery' and d.id = e.entity_id
               left join task t on e.entity in ('task', 'delivery') and t.id = coalesce(d.task_id, e.entity_id)
               left join target g on g.id = coalesce(t.target_id, e.entity_id)
               left join channel c on e.entity = 'channel' and c.id = e.entity_id
               left join room r on e.entity = 'room' and r.id = e.entity_id
               left join meeting m on e.entity = 'meeting' and m.id = e.entity_id
               left join account p on e.entity = 'account' and p.id = e.entity_id
              order by e.seq desc"
        )
    };
}

/// The rest of the search for events: whose they are, and neither sessions nor the bell, which are no work.
macro_rules! of_work {
    () => {
        "($1 is null or actor_id = $1) and ($2 = 1 or actor_id is not null) and entity <> 'saved_view'
           and not (entity = 'account'
                    and verb in ('log_in', 'log_out', 'fail_log_in', 'fail_password', 'notify'))
          order by seq desc limit $4"
    };
}

/// Returns the newest events that match, and the sequence number from which on the next page looks; `None`:
/// there are no earlier ones.
pub async fn page(
    mut conn: Conn<'_>,
    filter: ActivityFilter,
) -> Result<(Vec<ActivityRow>, Option<i64>), StoreError> {
    const OF_ITEM: &str = activity!(concat!(
        "select * from event
          where entity_id in (select $5 union all select id from task where target_id = $5
                              union all select d.id from task t join delivery d on d.task_id = t.id
                                         where t.target_id = $5)
            and seq < $3 and ",
        of_work!()
    ));
    const OF_ALL: &str = activity!(concat!(
        "select * from (select * from event where seq < $3 order by seq desc limit $5) as recent
          where ",
        of_work!()
    ));
    let (person, engine) = (filter.person.map(|account| account.0), i32::from(filter.with_engine));
    let rows: Vec<ActivityRow> = match filter.item {
        Some(item) => with_conn!(conn.reborrow(), c => sqlx::query_as(OF_ITEM)
            .bind(person).bind(engine).bind(filter.before).bind(filter.limit).bind(item).fetch_all(c).await)?,
        None => with_conn!(conn.reborrow(), c => sqlx::query_as(OF_ALL)
            .bind(person).bind(engine).bind(filter.before).bind(filter.limit).bind(MAX_SCANNED).fetch_all(c).await)?,
    };
    let is_full = i64::try_from(rows.len()).is_ok_and(|count| count == filter.limit);
    let next = match (rows.last(), filter.item) {
        (Some(last), _) if is_full => Some(last.event.seq),
        (_, Some(_)) => None,
        _ => scanned_to(conn, filter.before).await?,
    };
    Ok((rows, next))
}

/// The lowest sequence number that was looked at; `None`: all were.
async fn scanned_to(conn: Conn<'_>, before: i64) -> Result<Option<i64>, StoreError> {
    let (lowest, count): (Option<i64>, i64) = with_conn!(conn, c => sqlx::query_as(
        "select min(seq), count(*) from (select seq from event where seq < $1 order by seq desc limit $2) as part")
        .bind(before).bind(MAX_SCANNED).fetch_one(c).await)?;
    Ok(lowest.filter(|_| count == MAX_SCANNED))
}
