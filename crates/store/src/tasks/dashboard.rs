//! Queries of the front page and of Attention: upcoming tasks, recent ones, and those that need a
//! person.

use crate::{
    Conn, StoreError,
    attention::{attention_total, needing_attention},
    db::{COUNT_LIMIT, with_conn},
    json_rows::encode,
    row::row,
    task_list::{TaskListRow, task_rows},
};
use domain::{AccountId, State, Timestamp};
use uuid::Uuid;

pub use crate::attention::{ATTENTION_RETENTION_MS, OVERDUE_AFTER_MS};

/// Whose tasks of which kinds the front page lists.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Kinds that are left out, with blanks between them.
    pub hidden: &'a str,
    /// Kinds of which only the account's own tasks are listed, with blanks between them.
    pub private: &'a str,
    /// The account.
    pub account: AccountId,
    /// Whether only its own tasks are listed.
    pub is_own: bool,
}

/// `$from`: tasks, or a part of them; `$where`: condition; `$order`: their order.
macro_rules! shown_rows {
    ($from:literal, $where:literal, $order:literal) => {
        concat!(
            "select * from ",
            $from,
            " where ",
            $where,
            " and kind <> 'engine.canary' and not ($2 like '%' || kind || '%')
              and (owner_id = $4 or not ($3 like '%' || kind || '%'))
              order by ",
            $order,
            " limit $1"
        )
    };
}

/// Returns scheduled tasks, earliest first. Own ones are looked for among the next 10,000.
pub async fn upcoming(conn: Conn<'_>, limit: i64, shown: Shown<'_>) -> Result<Vec<TaskListRow>, StoreError> {
    let all = task_rows!(shown_rows!("task", "state = 'scheduled'", "due_at, id"), "t.due_at, t.id");
    let own = task_rows!(
        shown_rows!(
            "(select * from task where state = 'scheduled' order by due_at, id limit 10000) as coming",
            "owner_id = $4",
            "due_at, id"
        ),
        "t.due_at, t.id"
    );
    rows(conn, if shown.is_own { own } else { all }, limit, shown).await
}

/// Returns executed tasks, newest first. Own ones are looked for among the last 10,000.
pub async fn recent(conn: Conn<'_>, limit: i64, shown: Shown<'_>) -> Result<Vec<TaskListRow>, StoreError> {
    let all = task_rows!(
        shown_rows!("task", "executed_at is not null", "executed_at desc, id desc"),
        "t.executed_at desc, t.id desc"
    );
    let own = task_rows!(
        shown_rows!(
            "(select * from task where executed_at is not null order by executed_at desc, id desc limit 10000) as latest",
            "owner_id = $4",
            "executed_at desc, id desc"
        ),
        "t.executed_at desc, t.id desc"
    );
    rows(conn, if shown.is_own { own } else { all }, limit, shown).await
}

async fn rows(
    conn: Conn<'_>,
    statement: &'static str,
    limit: i64,
    shown: Shown<'_>,
) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(statement)
        .bind(limit).bind(shown.hidden).bind(shown.private).bind(shown.account.0).fetch_all(c).await)?)
}

row! {
    /// Counts of tasks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counts {
        /// Scheduled.
        pub scheduled: i64,
        /// Need a person.
        pub attention: i64,
        /// Executed in the last 24 hours.
        pub executed_today: i64,
    }
}

/// `$seen`: the condition for tasks that are counted.
macro_rules! counts {
    ($seen:literal) => {
        concat!(
            "select (select count(*)
                       from (select 1 from task where state = 'scheduled' and id <> $5 and ",
            $seen,
            "                 limit $4) as counted) as scheduled,
                    ",
            attention_total!(),
            " as attention,
                    (select count(*)
                       from (select 1 from task where executed_at is not null and executed_at > $6 and ",
            $seen,
            "                 limit $4) as counted) as executed_today"
        )
    };
}

/// Returns the counts of the front page without the kinds in `hidden`, each up to
/// [`domain::engine::MAX_COUNTED`]. `owner`: only tasks of this account. `attention` counts all kinds.
pub async fn counts(
    conn: Conn<'_>,
    now: Timestamp,
    (hidden, owner): (&str, Option<AccountId>),
) -> Result<Counts, StoreError> {
    // Without hidden kinds, the index is enough.
    let statement = match (hidden.is_empty(), owner) {
        (true, None) => counts!("$7 = '' and $8 is null"),
        _ => counts!("not ($7 like '%' || kind || '%') and ($8 is null or owner_id = $8)"),
    };
    Ok(with_conn!(conn, c => sqlx::query_as(statement)
        .bind(now.plus(-OVERDUE_AFTER_MS).millis()).bind(now.plus(-ATTENTION_RETENTION_MS).millis())
        .bind(now.millis()).bind(COUNT_LIMIT).bind(domain::task::CANARY_ID.0).bind(now.plus(-24 * 3_600_000).millis())
        .bind(hidden).bind(owner.map(|owner| owner.0))
        .fetch_one(c).await)?)
}

row! {
    /// A task that needs a person, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttentionRow {
        /// Id of the task.
        pub id: Uuid,
        /// State of the task and its group.
        pub state: String,
        /// Cause of the group.
        pub cause: String,
        /// Total size of the group.
        pub total: i64,
        /// Number of them that belong to `owner`.
        pub theirs: i64,
        /// When the first of them was due or, if "publish now" failed, when it failed; milliseconds.
        pub since: Option<i64>,
    }
}

/// Returns tasks that need a person, the newest `each` of each cause. `owner`: only tasks of this
/// account; `None`: all.
pub async fn attention(
    conn: Conn<'_>,
    now: Timestamp,
    each: i64,
    owner: Option<AccountId>,
) -> Result<Vec<AttentionRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select id, state, cause, total, theirs, since
           from (select id, state, cause, moment, count(*) over (partition by state, cause) as total,
                        count(case when $4 is null or owner_id = $4 then 1 end) over (partition by state, cause) as theirs,
                        min(moment) over (partition by state, cause) as since,
                        row_number() over (partition by state, cause order by moment desc, id desc) as place
                   from (", needing_attention!(), ") as needing where $4 is null or owner_id = $4) as ranked
          where place <= $3
          order by state, cause, place"))
        .bind(now.plus(-OVERDUE_AFTER_MS).millis()).bind(now.plus(-ATTENTION_RETENTION_MS).millis()).bind(each)
        .bind(owner.map(|owner| owner.0))
        .fetch_all(c).await)?)
}

/// Returns the newest `most` tasks of one cause with their versions. `owner`: only tasks of this
/// account.
pub async fn group(
    conn: Conn<'_>,
    now: Timestamp,
    (state, cause): (State, &str),
    owner: Option<AccountId>,
    most: i64,
) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select id, version
           from (", needing_attention!(), ") as needing
          where state = $3 and cause = $4 and ($5 is null or owner_id = $5)
          order by moment desc, id desc
          limit $6"))
        .bind(now.plus(-OVERDUE_AFTER_MS).millis()).bind(now.plus(-ATTENTION_RETENTION_MS).millis())
        .bind(state.as_str()).bind(cause).bind(owner.map(|owner| owner.0)).bind(most)
        .fetch_all(c).await)?)
}

/// Returns these tasks, in any order.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where id in (select unhex(value) from jsonb_each($1))",
                "t.id"
            ))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!("select * from task where id = any($1)", "t.id"))
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}
