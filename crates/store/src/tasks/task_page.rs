//! Pages of the task list, in both directions, and the number of tasks in each state.

use crate::{
    Conn, StoreError,
    db::{COUNT_LIMIT, with_conn},
    like_escape::contains_pattern,
    row::row,
    search::{self, Query},
    task_list::{TaskListRow, task_rows},
};
use domain::{Kind, State};
use uuid::Uuid;

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
    /// Only of this account.
    pub owner: Option<Uuid>,
    /// Only of articles whose title, path or earlier path contains these words, of messages with this key,
    /// and of other targets whose title contains this text.
    pub q: Option<&'a str>,
    /// Whether the latest due time comes first.
    pub is_descending: bool,
    /// Only beyond this due time and id, in the order of the list.
    pub start: Option<(i64, Uuid)>,
    /// Not of the kinds whose words are in this text.
    pub hidden_kinds: &'a str,
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
        "k.target_id in (select id from hit)"
    };
}

/// Rows beyond the start, up to the other bound.
macro_rules! bounds {
    (asc) => {
        "(k.due_at, k.id) > ($2, $3) and k.due_at < $4"
    };
    (desc) => {
        "(k.due_at, k.id) < ($2, $3) and k.due_at >= $4"
    };
}

macro_rules! order {
    (asc, $table:literal) => {
        concat!($table, "due_at, ", $table, "id")
    };
    (desc, $table:literal) => {
        concat!($table, "due_at desc, ", $table, "id desc")
    };
}

/// One page of the tasks in this state, in the order of the index (state, due_at, id).
macro_rules! in_state {
    ($direction:ident, $state:literal, $found:expr) => {
        concat!(
            "select * from (
                 select k.* from task k
                   left join target g on g.id = k.target_id
                   left join revision r on r.id = k.revision_id
                  where k.state = ",
            $state,
            "       and k.kind <> 'engine.canary'
                    and ",
            bounds!($direction),
            "       and ($5 is null or k.kind = $5) and not ($9 like '%' || k.kind || '%')
                    and ($10 is null or k.owner_id = $10)
                    and ",
            $found,
            "     order by ",
            order!($direction, "k."),
            "     limit $8) as part"
        )
    };
}

/// One page of the tasks in all states: merges one page of each state.
macro_rules! in_all {
    ($direction:ident, $found:expr) => {
        concat!(
            "select * from (",
            in_state!($direction, "'scheduled'", $found),
            " union all ",
            in_state!($direction, "'executed'", $found),
            " union all ",
            in_state!($direction, "'failed'", $found),
            " union all ",
            in_state!($direction, "'cancelled'", $found),
            " union all ",
            in_state!($direction, "'missed'", $found),
            ") as merged where $1 is null order by ",
            order!($direction, ""),
            " limit $8"
        )
    };
}

/// The statements for one state and for all, ascending and descending.
macro_rules! statements {
    ($with:expr, $found:expr) => {
        [
            [
                concat!($with, task_rows!(in_state!(asc, "$1", $found), order!(asc, "t."))),
                concat!($with, task_rows!(in_all!(asc, $found), order!(asc, "t."))),
            ],
            [
                concat!($with, task_rows!(in_state!(desc, "$1", $found), order!(desc, "t."))),
                concat!($with, task_rows!(in_all!(desc, $found), order!(desc, "t."))),
            ],
        ]
    };
}

/// The targets that match: articles by each engine's search index, which has only them; messages, of which
/// there may be millions, by their whole key; the others by their titles, read once. `$position` is the
/// engine's function for the place of a text in another one.
macro_rules! hits {
    ($articles:literal, $position:literal) => {
        concat!(
            "with hit (id) as materialized (",
            $articles,
            " union all select id from message where key = $7
              union all select id from target where kind not in ('article', 'message') and ",
            $position,
            "(lower(title), lower($7)) > 0) "
        )
    };
}
macro_rules! sqlite_hits {
    () => {
        hits!(
            "select e.article_id from search_index f cross join search_entry e on e.seq = f.rowid
              where f.search_index match $6",
            "instr"
        )
    };
}
macro_rules! postgres_hits {
    () => {
        hits!("select article_id from search_entry where tokens @@ $6::text::tsquery", "strpos")
    };
}

/// Statements that read every title.
const SCANNED: [[&str; 2]; 2] = statements!("", by_scan!());

/// Statements that use the search index: SQLite and PostgreSQL.
const SEARCHED: [[[&str; 2]; 2]; 2] =
    [statements!(sqlite_hits!(), by_index!()), statements!(postgres_hits!(), by_index!())];

/// Returns one page of the list.
pub async fn page(mut conn: Conn<'_>, choice: TaskFilter<'_>) -> Result<Vec<TaskListRow>, StoreError> {
    // One bound at the start: with two, PostgreSQL may choose the one from which it skips millions
    // of rows.
    let (start, bound) = if choice.is_descending {
        let end = (choice.to, Uuid::nil());
        (choice.start.map_or(end, |start| start.min(end)), choice.from)
    } else {
        let begin = (choice.from, Uuid::nil());
        (choice.start.map_or(begin, |start| start.max(begin)), choice.to)
    };
    let is_indexed = choice.q.is_some() && search::is_filled(conn.reborrow()).await?;
    let PageQuery { statement, found, typed } = page_query(&conn, choice, is_indexed);
    if is_indexed && found.is_none() {
        return Ok(Vec::new());
    }
    Ok(with_conn!(conn, c => sqlx::query_as(statement)
        .bind(choice.state.map(State::as_str))
        .bind(start.0).bind(start.1)
        .bind(bound)
        .bind(choice.kind.map(Kind::as_str))
        .bind(found).bind(typed)
        .bind(choice.limit).bind(choice.hidden_kinds).bind(choice.owner)
        .fetch_all(c).await)?)
}

/// A statement and its search parameters.
struct PageQuery {
    statement: &'static str,
    found: Option<String>,
    typed: Option<String>,
}

fn page_query(conn: &Conn<'_>, choice: TaskFilter<'_>, is_indexed: bool) -> PageQuery {
    let (direction, states) = (usize::from(choice.is_descending), usize::from(choice.state.is_none()));
    if !is_indexed {
        // Also the text as typed: SQLite's `lower` handles ASCII only.
        let found = choice.q.map(|q| contains_pattern(&q.to_lowercase()));
        let typed = choice.q.map(contains_pattern);
        return PageQuery { statement: SCANNED[direction][states], found, typed };
    }
    let typed = choice.q.map(str::to_owned);
    let query = Query::parse(choice.q.unwrap_or_default());
    let names = (!query.is_empty()).then(|| query.name());
    let (engine, found) = match conn {
        Conn::Sqlite(_) => (0, names.map(|names| names.fts())),
        Conn::Postgres(_) => (1, names.map(|names| names.tsquery())),
    };
    PageQuery { statement: SEARCHED[engine][direction][states], found, typed }
}

row! {
    /// Number of tasks in each state.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct StateCounts {
        /// Scheduled.
        pub scheduled: i64,
        /// Executed.
        pub executed: i64,
        /// Failed.
        pub failed: i64,
        /// Missed.
        pub missed: i64,
        /// Cancelled.
        pub cancelled: i64,
    }
}

/// Counts the tasks of one state, up to the limit: `all` reads only entries of the index (state,
/// due_at, id), `but_hidden` also the kind.
macro_rules! counted {
    (all, $state:literal) => {
        concat!(
            "(select count(*) from (select 1 from task where state = '",
            $state,
            "' and id <> $1 and $3 = '' limit $2) as counted) as ",
            $state
        )
    };
    (but_hidden, $state:literal) => {
        concat!(
            "(select count(*) from (select 1 from task where state = '",
            $state,
            "' and id <> $1 and not ($3 like '%' || kind || '%') limit $2) as counted) as ",
            $state
        )
    };
}

macro_rules! counts {
    ($which:ident) => {
        concat!(
            "select ",
            counted!($which, "scheduled"),
            ", ",
            counted!($which, "executed"),
            ", ",
            counted!($which, "failed"),
            ", ",
            counted!($which, "missed"),
            ", ",
            counted!($which, "cancelled")
        )
    };
}

/// Returns the number of tasks in each state without the kinds in `hidden`, each up to one more than
/// [`domain::engine::MAX_COUNTED`].
pub async fn counts(conn: Conn<'_>, hidden: &str) -> Result<StateCounts, StoreError> {
    let statement = if hidden.is_empty() { counts!(all) } else { counts!(but_hidden) };
    Ok(with_conn!(conn, c => sqlx::query_as(statement)
        .bind(domain::task::CANARY_ID.0).bind(COUNT_LIMIT).bind(hidden)
        .fetch_one(c).await)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_list_of_all_states_contains_every_state() {
        for state in domain::State::NAMES {
            for statements in super::SEARCHED.iter().chain([&super::SCANNED]) {
                let found = format!("k.state = '{state}'");
                assert!(statements.iter().all(|[_, of_all]| of_all.contains(&found)), "{state}");
            }
        }
    }
}
