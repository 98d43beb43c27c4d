//! What rules did lately, and why they could not act.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{Timestamp, WaitId};
use std::collections::HashMap;
use uuid::Uuid;

/// Maximum number of failed tasks that are read to find the last error of each rule.
const MAX_FAILURES: i64 = 500;

row! {
    /// What a rule did since a moment.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ActivityRecord {
        /// The rule.
        pub rule_id: Uuid,
        /// Number of times it acted.
        pub acted: i64,
        /// Number of waits that a signal closed.
        pub closed: i64,
    }
}

/// Returns what each rule did since a moment, each number counted up to `limit`.
pub async fn since(
    conn: Conn<'_>,
    since: Timestamp,
    limit: i64,
) -> Result<HashMap<Uuid, ActivityRecord>, StoreError> {
    macro_rules! counted {
        ($outcome:literal) => {
            concat!(
                "(select count(*)
                    from (select 1
                            from wait w
                           where w.rule_id = r.id and w.outcome = '",
                $outcome,
                "' and w.ended_at >= $1
                           limit $2) as counted)"
            )
        };
    }
    let rows: Vec<ActivityRecord> = with_conn!(conn, c => sqlx::query_as(concat!(
        "select r.id as rule_id, ", counted!("fired"), " as acted, ", counted!("closed"), " as closed
           from rule r
          where r.state <> 'deleted'"))
        .bind(since.millis()).bind(limit).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.rule_id, row)).collect())
}

/// Returns why each rule could not act the last time: reason and due time. Rules that did not fail
/// recently are missing.
pub async fn last_errors(conn: Conn<'_>) -> Result<HashMap<Uuid, (Option<String>, i64)>, StoreError> {
    let rows: Vec<(Uuid, Option<String>, i64)> = with_conn!(conn, c => sqlx::query_as(
        "select w.rule_id, t.reason, t.due_at
           from (select f.target_id, f.reason, f.due_at
                   from task f
                  where f.state in ('failed', 'missed') and f.kind = 'rule.fire'
                  order by f.due_at desc
                  limit $1) as t
           join wait w on w.id = t.target_id
          order by t.due_at")
        .bind(MAX_FAILURES).fetch_all(c).await)?;
    // The last one of a rule is the newest.
    Ok(rows.into_iter().map(|(rule, reason, due_at)| (rule, (reason, due_at))).collect())
}

/// Returns the first signal of these names that came after the rule had acted, for each of these
/// waits: name and moment.
pub async fn came_after(
    conn: Conn<'_>,
    waits: &[WaitId],
    names: &[String],
) -> Result<HashMap<Uuid, (String, i64)>, StoreError> {
    if waits.is_empty() || names.is_empty() {
        return Ok(HashMap::new());
    }
    macro_rules! after {
        ($ids:literal, $names:literal) => {
            concat!(
                "select w.id, s.name, s.at
                   from wait w
                   join task t on t.id = w.task_id
                   join signal s on s.subject = w.subject and s.key = w.key and s.at >= w.opened_at
                                and s.created_at >= t.executed_at and s.name in (",
                $names,
                ") where w.outcome = 'fired' and w.id ",
                $ids,
                " order by s.at desc"
            )
        };
    }
    let rows: Vec<(Uuid, String, i64)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(after!(
                "in (select unhex(value) from jsonb_each($1))",
                "select value from jsonb_each($2)"
            ))
            .bind(encode(waits.iter().map(|wait| wait.0.simple()))?)
            .bind(encode(names)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(after!("= any($1)", "select unnest($2::text[])"))
                .bind(waits.iter().map(|wait| wait.0).collect::<Vec<_>>())
                .bind(names)
                .fetch_all(c)
                .await?
        }
    };
    // The last one of a wait is the earliest.
    Ok(rows.into_iter().map(|(wait, name, at)| (wait, (name, at))).collect())
}
