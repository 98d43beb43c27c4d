//! The front page and Attention: what is next, what was, what needs a person.

use crate::{
    Conn, StoreError,
    batch::pack,
    db::on,
    failing::attention,
    row::row,
    task_list::{Line, lines},
};
use domain::{PersonId, State, Timestamp};
use uuid::Uuid;

/// Counts stop here: one more than [`domain::engine::COUNTED_TO`] says that there are more.
pub(crate) const COUNTED: i64 = domain::engine::COUNTED_TO as i64 + 1;
/// Overdue by more than this needs a person, milliseconds.
pub const OVERDUE_MS: i64 = 5_000;
/// What failed or was missed leaves Attention after this, milliseconds: 30 days.
pub const FORGOTTEN_MS: i64 = 30 * 24 * 3_600_000;

/// What waits, next first.
pub async fn next(conn: Conn<'_>, limit: i64) -> Result<Vec<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where state = 'scheduled' and kind <> 'engine.canary' order by due_at, id limit $1", "t.due_at, t.id"))
        .bind(limit).fetch_all(c).await)?)
}

/// What happened, newest first.
pub async fn recent(conn: Conn<'_>, limit: i64) -> Result<Vec<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where executed_at is not null order by executed_at desc, id desc limit $1",
        "t.executed_at desc, t.id desc"))
        .bind(limit).fetch_all(c).await)?)
}

// What needs a person: overdue, or failed or missed not long ago. A newer task of the same target means that somebody has
// dealt with it, whatever became of that one; of a text that was held back because it is older, only one made after that.
macro_rules! needing {
    () => {
        "select t.id, t.state, 'overdue' as cause, t.due_at, t.version, t.owner_id, t.target_id
           from task t
          where t.state = 'scheduled' and t.due_at < $1 and t.kind <> 'engine.canary'
         union all
         select t.id, t.state, coalesce(t.reason, '') as cause, t.due_at, t.version, t.owner_id, t.target_id
           from task t
          where t.state in ('failed', 'missed') and t.due_at >= $2
            and not exists (select 1
                              from task n
                             where n.target_id = t.target_id and n.id > t.id
                               and (coalesce(t.reason, '') <> 'older_text' or n.created_at > t.due_at))"
    };
}
pub(crate) use needing;

row! {
    /// How many tasks wait, need a person, and happened in the last 24 hours.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counts {
        /// Wait.
        pub scheduled: i64,
        /// Need a person.
        pub attention: i64,
        /// Happened in the last 24 hours.
        pub executed_today: i64,
    }
}

/// The counts of the front page; what waits and what happened is counted up to [`domain::engine::COUNTED_TO`].
pub async fn counts(conn: Conn<'_>, now: Timestamp) -> Result<Counts, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select (select count(*) from (select 1 from task where state = 'scheduled' and id <> $5 limit $4) as counted) as scheduled,
                ", attention!(), " as attention,
                (select count(*)
                   from (select 1 from task where executed_at is not null and executed_at > $6 limit $4) as counted) as executed_today"))
        .bind(now.plus(-OVERDUE_MS).millis()).bind(now.plus(-FORGOTTEN_MS).millis())
        .bind(now.millis()).bind(COUNTED).bind(crate::canary::ID.0).bind(now.plus(-24 * 3_600_000).millis())
        .fetch_one(c).await)?)
}

row! {
    /// A task that needs a person, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Needing {
        /// Which task.
        pub id: Uuid,
        /// Its state, and the group's.
        pub state: String,
        /// The group's cause.
        pub cause: String,
        /// How many are in the group in all.
        pub total: i64,
        /// How many of them are the asker's.
        pub theirs: i64,
    }
}

/// What needs a person, the newest `each` of each cause. `owner`: whose count as the asker's; `None`: all.
pub async fn attention(
    conn: Conn<'_>,
    now: Timestamp,
    each: i64,
    owner: Option<PersonId>,
) -> Result<Vec<Needing>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select id, state, cause, total, theirs
           from (select id, state, cause, due_at, count(*) over (partition by state, cause) as total,
                        count(case when $4 is null or owner_id = $4 then 1 end) over (partition by state, cause) as theirs,
                        row_number() over (partition by state, cause order by due_at desc, id desc) as place
                   from (", needing!(), ") as needing) as ranked
          where place <= $3
          order by state, cause, place"))
        .bind(now.plus(-OVERDUE_MS).millis()).bind(now.plus(-FORGOTTEN_MS).millis()).bind(each)
        .bind(owner.map(|owner| owner.0))
        .fetch_all(c).await)?)
}

/// The newest `most` of one cause with their versions, of this owner if there is one.
pub async fn group(
    conn: Conn<'_>,
    now: Timestamp,
    (state, cause): (State, &str),
    owner: Option<PersonId>,
    most: i64,
) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select id, version
           from (", needing!(), ") as needing
          where state = $3 and cause = $4 and ($5 is null or owner_id = $5)
          order by due_at desc, id desc
          limit $6"))
        .bind(now.plus(-OVERDUE_MS).millis()).bind(now.plus(-FORGOTTEN_MS).millis())
        .bind(state.as_str()).bind(cause).bind(owner.map(|owner| owner.0)).bind(most)
        .fetch_all(c).await)?)
}

/// These tasks, in any order.
pub async fn these(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Line>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(lines!(
                "select * from task where id in (select unhex(value) from jsonb_each($1))",
                "t.id"
            ))
            .bind(pack(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(lines!("select * from task where id = any($1)", "t.id"))
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}
