//! Reads waits for pages and the API.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{RuleId, State, WaitId};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// A wait with its task. Words as stored in SQL, times in milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WaitRecord {
        /// Id.
        pub id: Uuid,
        /// Its rule.
        pub rule_id: Uuid,
        /// Whom or what it is about.
        pub subject: String,
        /// Part of the subject.
        pub key: String,
        /// Moment of the newest signal that opened it.
        pub opened_at: i64,
        /// How it ended.
        pub outcome: Option<String>,
        /// Name of the signal that closed it; `None`: none did, or it is no longer kept.
        pub closed_name: Option<String>,
        /// Moment of that signal.
        pub closed_at: Option<i64>,
        /// Its task.
        pub task_id: Uuid,
        /// State of the task.
        pub state: String,
        /// Version of the task.
        pub version: i32,
        /// When the rule acts.
        pub due_at: i64,
        /// When the rule acted.
        pub executed_at: Option<i64>,
        /// Why it failed, was missed or cancelled.
        pub reason: Option<String>,
    }
}

/// Selects [`WaitRecord`]s; `$rest` is a condition and an order. A wait that its rule has cancelled is
/// cancelled also before its task is.
macro_rules! waits {
    ($rest:literal) => {
        concat!(
            "select w.id, w.rule_id, w.subject, w.key, w.opened_at, w.outcome, s.name as closed_name, s.at as closed_at,
                    w.task_id, t.version, t.due_at, t.executed_at,
                    case when t.state = 'scheduled' and w.rule_version < r.cancelled_version and r.updated_to is not null then 'cancelled'
                         else t.state end as state,
                    case when w.is_capped = 1 then 'capped'
                         when t.state = 'scheduled' and w.rule_version < r.cancelled_version and r.updated_to is not null then 'rule'
                         else t.reason end as reason
               from wait w
               join rule r on r.id = w.rule_id
               join task t on t.id = w.task_id
               left join signal s on s.id = w.closed_by
              where ",
            $rest
        )
    };
}

/// Filter of the waits of a rule, newest first.
#[derive(Debug, Clone, Copy)]
pub struct WaitFilter<'a> {
    /// The rule.
    pub rule: RuleId,
    /// Only of this subject.
    pub subject: Option<&'a str>,
    /// Only in this state.
    pub state: Option<State>,
    /// Only older than this wait.
    pub before: Option<Uuid>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Returns one page of the waits of a rule.
pub async fn page(conn: Conn<'_>, filter: WaitFilter<'_>) -> Result<Vec<WaitRecord>, StoreError> {
    macro_rules! page {
        ($subject:literal) => {
            with_conn!(conn, c => sqlx::query_as(waits!($subject))
                .bind(filter.rule.0).bind(filter.subject).bind(filter.state.map(State::as_str))
                .bind(filter.before).bind(filter.limit)
                .fetch_all(c).await)?
        };
    }
    Ok(match filter.subject {
        Some(_) => page!(
            "w.rule_id = $1 and w.subject = $2
              and ($3 is null
                   or $3 = case when t.state = 'scheduled' and w.rule_version < r.cancelled_version and r.updated_to is not null then 'cancelled'
                                else t.state end)
              and ($4 is null or w.id < $4)
              order by w.id desc limit $5"
        ),
        None => page!(
            "w.rule_id = $1 and $2 is null
              and ($3 is null
                   or $3 = case when t.state = 'scheduled' and w.rule_version < r.cancelled_version and r.updated_to is not null then 'cancelled'
                                else t.state end)
              and ($4 is null or w.id < $4)
              order by w.id desc limit $5"
        ),
    })
}

/// Returns one wait; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: WaitId) -> Result<Option<WaitRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(waits!("w.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the number of open waits of a rule, counted up to `limit`.
pub async fn count_open(conn: Conn<'_>, rule: RuleId, limit: i64) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*)
           from (select 1
                   from wait w
                   join rule r on r.id = w.rule_id
                   join task t on t.id = w.task_id
                  where w.rule_id = $1 and w.outcome is null and (w.rule_version >= r.cancelled_version or r.updated_to is null)
                    and t.state || '' = 'scheduled'
                  limit $2) as counted")
        .bind(rule.0).bind(limit).fetch_one(c).await)?;
    Ok(count.unsigned_abs())
}

/// Returns the number of open waits of each rule, counted up to `limit`; a rule without open waits
/// is missing.
pub async fn counts_open(conn: Conn<'_>, limit: i64) -> Result<HashMap<Uuid, u64>, StoreError> {
    let rows: Vec<(Uuid, i64)> = with_conn!(conn, c => sqlx::query_as(
        "select r.id, (select count(*)
                         from (select 1
                                 from wait w
                                 join task t on t.id = w.task_id
                                where w.rule_id = r.id and w.outcome is null and (w.rule_version >= r.cancelled_version or r.updated_to is null)
                                  and t.state || '' = 'scheduled'
                                limit $1) as counted)
           from rule r
          where r.state <> 'deleted'")
        .bind(limit).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(rule, count)| (rule, count.unsigned_abs())).collect())
}

/// Returns the first signal of these names that came after the rule had acted: name and moment.
/// `None`: none came, or the rule has not acted.
pub async fn came_after(
    conn: Conn<'_>,
    id: WaitId,
    names: &[String],
) -> Result<Option<(String, i64)>, StoreError> {
    let names = serde_json::to_string(names).unwrap_or_default();
    macro_rules! after {
        ($names:literal) => {
            concat!(
                "select s.name, s.at
                   from wait w
                   join task t on t.id = w.task_id
                   join signal s on s.subject = w.subject and s.key = w.key and s.at >= w.opened_at
                                and s.created_at >= t.executed_at and s.name in (",
                $names,
                ") where w.id = $1 and w.outcome = 'fired'
                  order by s.at
                  limit 1"
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(after!("select value from jsonb_each($2)"))
                .bind(id.0)
                .bind(names)
                .fetch_optional(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(after!("select value from json_array_elements_text($2::json)"))
                .bind(id.0)
                .bind(names)
                .fetch_optional(c)
                .await?
        }
    })
}
