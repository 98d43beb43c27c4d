//! Reads tasks for pages and the API: one row type for every list, with title, owner and the last
//! action of a user.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::encode,
    like_escape::contains_pattern,
    row::row,
    search::{self, Query},
};
use domain::{AccountId, Kind, State, TaskId, Timestamp};
use uuid::Uuid;

row! {
    /// A task with everything a list shows. Words and JSON as stored in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskListRow {
        /// Id of the task.
        pub id: Uuid,
        /// What it does.
        pub kind: String,
        /// What it acts on.
        pub target_id: Uuid,
        /// The pinned revision; `None`: the kind pins none.
        pub revision_id: Option<Uuid>,
        /// A [`State`].
        pub state: String,
        /// Grows with every change.
        pub version: i32,
        /// When it is due, milliseconds.
        pub due_at: i64,
        /// Wall-clock time as the user typed it; `None`: a client gave an instant.
        pub local_time: Option<String>,
        /// Time zone of that time.
        pub time_zone: Option<String>,
        /// `high`, `normal` or `low`.
        pub priority: String,
        /// Shard of its hints.
        pub bucket: i32,
        /// Title of the pinned revision, else of the target.
        pub title: String,
        /// Last part of the target's URL; empty: it has no page.
        pub path: String,
        /// Owner of the task.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// When it was executed, milliseconds.
        pub executed_at: Option<i64>,
        /// Why it failed, was missed or cancelled.
        pub reason: Option<String>,
        /// Whether it was executed, and no other task of its target after it.
        pub is_last_execution: bool,
        /// Whether the target has a newer revision than the pinned one.
        pub has_newer_revision: bool,
        /// Verb of the last event by a user.
        pub last_verb: Option<String>,
        /// Time of that event, milliseconds.
        pub last_at: Option<i64>,
        /// Detail of that event, a JSON object: what undo needs.
        pub last_detail: Option<String>,
    }
}

/// Selects [`TaskListRow`]s; `$chosen` selects the rows of `task`.
macro_rules! task_rows {
    ($chosen:expr, $order:expr) => {
        concat!(
            "select t.id, t.kind, t.target_id, t.revision_id, t.state, t.version, t.due_at, t.local_time, t.time_zone, t.priority,
                    t.bucket, coalesce(r.title, g.title, '') as title, coalesce(g.path, '') as path, t.owner_id,
                    coalesce(p.name, '') as owner, t.executed_at, t.reason,
                    case when t.state = 'executed'
                         then not exists (select 1
                                            from task n
                                           where n.target_id = t.target_id and n.executed_at is not null
                                             and (n.executed_at + 0, n.due_at, n.id) > (t.executed_at, t.due_at, t.id))
                         else false end as is_last_execution,
                    coalesce(t.revision_id <> g.revision_id, false) as has_newer_revision,
                    u.verb as last_verb, u.at as last_at, u.detail as last_detail
               from (",
            $chosen,
            ") as t
               left join target g on g.id = t.target_id
               left join revision r on r.id = t.revision_id
               left join account p on p.id = t.owner_id
               left join event u
                 on u.seq = (select max(e.seq) from event e where e.entity_id = t.id and e.actor_id is not null)
              order by ",
            $order
        )
    };
}
pub(crate) use task_rows;

/// Returns one task; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: TaskId) -> Result<Option<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!("select * from task where id = $1", "t.id"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the tasks that one request created, in the order of creation. The request has the id of
/// its first task.
pub async fn of_request(conn: Conn<'_>, request: Uuid, count: usize) -> Result<Vec<TaskListRow>, StoreError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where id >= $1 and request_id = $1 order by id limit $2", "t.id"))
        .bind(request).bind(count).fetch_all(c).await)?)
}

/// Returns the scheduled tasks with these keys, see [`crate::task::NewTaskRow::unique_key`].
pub async fn waiting_with(conn: Conn<'_>, keys: &[String]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task
                  where state = 'scheduled' and unique_key in (select value from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(encode(keys)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where state = 'scheduled' and unique_key = any($1)",
                "t.due_at, t.id"
            ))
            .bind(keys)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the scheduled tasks of these targets, in due order.
pub async fn waiting_of_targets(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(task_rows!(
                "select * from task
                  where +state = 'scheduled' and target_id in (select unhex(value) from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(encode(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(task_rows!(
                "select * from task where state || '' = 'scheduled' and target_id = any($1)",
                "t.due_at, t.id"
            ))
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the last executed task of a target; `None`: there is none.
pub async fn last_executed(conn: Conn<'_>, target: Uuid) -> Result<Option<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where target_id = $1 and state || '' = 'executed' order by executed_at desc, id desc limit 1", "t.id"))
        .bind(target).fetch_optional(c).await)?)
}

/// Returns the scheduled, failed and missed tasks of a target, in due order.
pub async fn open_of_target(conn: Conn<'_>, target: Uuid) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where target_id = $1 and state || '' in ('scheduled', 'failed', 'missed')",
        "t.due_at, t.id"))
        .bind(target).fetch_all(c).await)?)
}

/// Returns the scheduled tasks of an owner, in due order.
pub async fn waiting_of_owner(conn: Conn<'_>, owner: AccountId) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task where state = 'scheduled' and owner_id = $1", "t.due_at, t.id"))
        .bind(owner.0).fetch_all(c).await)?)
}

/// Filter of a task list, which is ordered by due time, then id.
#[derive(Debug, Clone, Copy)]
pub struct TaskFilter<'a> {
    /// Only in this state.
    pub state: Option<State>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only due at or after.
    pub from: i64,
    /// Only due before.
    pub to: i64,
    /// Only of targets whose title, path or earlier path contains these words.
    pub q: Option<&'a str>,
    /// Only after this due time and id.
    pub after: Option<(i64, Uuid)>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Matches titles and slugs one by one, while the search index is not filled yet.
macro_rules! by_scan {
    () => {
        "($6 is null
                         or lower(coalesce(r.title, g.title)) like $6 escape '!'
                         or coalesce(r.title, g.title) like $7 escape '!'
                         or g.path like $6 escape '!')"
    };
}

/// Matches by the search index.
macro_rules! by_index {
    () => {
        "k.target_id in (select id from hit) and $7 is null"
    };
}

/// One page of the tasks in this state, in the order of the index (state, due_at, id).
macro_rules! in_state {
    ($state:literal, $found:expr) => {
        concat!(
            "select * from (
                 select k.* from task k
                   left join target g on g.id = k.target_id
                   left join revision r on r.id = k.revision_id
                  where k.state = ",
            $state,
            "       and k.kind <> 'engine.canary'
                    and (k.due_at, k.id) > ($2, $3) and k.due_at < $4
                    and ($5 is null or k.kind = $5)
                    and ",
            $found,
            "     order by k.due_at, k.id
                  limit $8) as part"
        )
    };
}

/// One page of the tasks in all states: merges one page of each state.
macro_rules! in_all {
    ($found:expr) => {
        concat!(
            "select * from (",
            in_state!("'scheduled'", $found),
            " union all ",
            in_state!("'executed'", $found),
            " union all ",
            in_state!("'failed'", $found),
            " union all ",
            in_state!("'cancelled'", $found),
            " union all ",
            in_state!("'missed'", $found),
            ") as merged where $1 is null order by due_at, id limit $8"
        )
    };
}

const ONE_STATE: &str = task_rows!(in_state!("$1", by_scan!()), "t.due_at, t.id");
const ALL_STATES: &str = task_rows!(in_all!(by_scan!()), "t.due_at, t.id");

/// The targets that match, for each engine's search index.
macro_rules! sqlite_hits {
    () => {
        "with hit (id) as materialized (select e.article_id from search_index f cross join search_entry e on e.seq = f.rowid
                                         where f.search_index match $6) "
    };
}
macro_rules! postgres_hits {
    () => {
        "with hit (id) as materialized (select article_id from search_entry where tokens @@ $6::text::tsquery) "
    };
}

/// Statements that use the search index: SQLite and PostgreSQL, each for one state and for all.
const SEARCHED: [[&str; 2]; 2] = [
    [
        concat!(sqlite_hits!(), task_rows!(in_state!("$1", by_index!()), "t.due_at, t.id")),
        concat!(sqlite_hits!(), task_rows!(in_all!(by_index!()), "t.due_at, t.id")),
    ],
    [
        concat!(postgres_hits!(), task_rows!(in_state!("$1", by_index!()), "t.due_at, t.id")),
        concat!(postgres_hits!(), task_rows!(in_all!(by_index!()), "t.due_at, t.id")),
    ],
];

/// Returns one page of the list.
pub async fn list(mut conn: Conn<'_>, choice: TaskFilter<'_>) -> Result<Vec<TaskListRow>, StoreError> {
    // One lower bound: with two, PostgreSQL may choose the one from which it skips millions of
    // rows.
    let begin = (choice.from, Uuid::nil());
    let (after_due, after_id) = choice.after.map_or(begin, |after| after.max(begin));
    let is_indexed = choice.q.is_some() && search::is_filled(conn.reborrow()).await?;
    let ListQuery { statement, found, typed } = list_query(&conn, choice, is_indexed);
    if is_indexed && found.is_none() {
        return Ok(Vec::new());
    }
    Ok(with_conn!(conn, c => sqlx::query_as(statement)
        .bind(choice.state.map(State::as_str))
        .bind(after_due).bind(after_id)
        .bind(choice.to)
        .bind(choice.kind.map(Kind::as_str))
        .bind(found).bind(typed)
        .bind(choice.limit)
        .fetch_all(c).await)?)
}

/// A statement and its search parameters.
struct ListQuery {
    statement: &'static str,
    found: Option<String>,
    typed: Option<String>,
}

fn list_query(conn: &Conn<'_>, choice: TaskFilter<'_>, is_indexed: bool) -> ListQuery {
    let is_of_all = choice.state.is_none();
    if !is_indexed {
        // Also the text as typed: SQLite's `lower` handles ASCII only.
        let found = choice.q.map(|q| contains_pattern(&q.to_lowercase()));
        let statement = if is_of_all { ALL_STATES } else { ONE_STATE };
        return ListQuery { statement, found, typed: choice.q.map(contains_pattern) };
    }
    let query = Query::parse(choice.q.unwrap_or_default());
    let names = (!query.is_empty()).then(|| query.name());
    let (engine, found) = match conn {
        Conn::Sqlite(_) => (0, names.map(|names| names.fts())),
        Conn::Postgres(_) => (1, names.map(|names| names.tsquery())),
    };
    ListQuery { statement: SEARCHED[engine][usize::from(is_of_all)], found, typed: None }
}

row! {
    /// What the page of one task shows besides its row. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskDetails {
        /// Number of the pinned revision.
        pub revision: Option<i32>,
        /// When the task was created.
        pub created_at: i64,
        /// Number of attempts.
        pub attempts: i32,
        /// How late it may still be executed.
        pub grace_ms: i64,
        /// When the hint entered the future set.
        pub hinted_at: Option<i64>,
        /// When the hint was moved to the publish list.
        pub moved_at: Option<i64>,
        /// When a consumer popped the hint.
        pub popped_at: Option<i64>,
        /// When the transaction began; `None`: the task was not executed.
        pub started_at: Option<i64>,
        /// When the transaction executed the task.
        pub ended_at: Option<i64>,
    }
}

/// Returns what the page of one task shows besides its row; `None`: the task does not exist.
pub async fn details(conn: Conn<'_>, id: TaskId) -> Result<Option<TaskDetails>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.number as revision, t.created_at, t.attempts, t.grace_ms,
                x.hinted_at, x.moved_at, x.popped_at, x.started_at, x.executed_at as ended_at
           from task t
           left join revision r on r.id = t.revision_id
           left join execution x on x.task_id = t.id
          where t.id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Whether a task of this kind is scheduled for the target at `before` or earlier.
pub async fn is_scheduled_before(
    conn: Conn<'_>,
    kind: Kind,
    target: Uuid,
    before: Timestamp,
) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from task
          where target_id = $1 and state || '' = 'scheduled' and kind = $3 and due_at <= $2
          limit 1")
        .bind(target).bind(before.millis()).bind(kind.as_str()).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns the name of the desk's time zone; `None`: it was never set.
pub async fn site_time_zone(conn: Conn<'_>) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select value from setting where name = 'time_zone'")
        .fetch_optional(c).await)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_list_of_all_states_contains_every_state() {
        for state in domain::State::NAMES {
            assert!(super::ALL_STATES.contains(&format!("k.state = '{state}'")), "{state}");
        }
    }
}
