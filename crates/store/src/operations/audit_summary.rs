//! Summary of the audits, one for all nodes and restarts. There is no leader: the node that moves
//! `audited_until` forward has audited the executions in between.

use crate::{Conn, StoreError, audit::Audit, db::with_conn, row::row};
use domain::Timestamp;

pub use crate::audit::AuditSpan;

row! {
    /// The row of `audit_summary`. Times are milliseconds by the database's clock.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct AuditSummary {
        /// Executions from this moment ...
        pub since: i64,
        /// ... to just before this one were audited.
        pub audited_until: i64,
        /// When the last audit ended.
        pub audited_at: Option<i64>,
        /// Seq of the newest event at the last audit.
        pub audited_seq: i64,
        /// See [`AuditSpan::clock_rewind_until`].
        pub clock_rewind_until: i64,
        /// See [`AuditSpan::clock_rewind_seq`].
        pub clock_rewind_seq: i64,
        /// Number of audited executions.
        pub audited: i64,
        /// Executed tasks without an execution row, and execution rows without an executed task.
        pub lost: i64,
        /// Executions before their due time.
        pub early: i64,
        /// Executions with more than one event of the same version.
        pub duplicates: i64,
        /// How often no running node looked for overdue tasks for too long.
        pub unmonitored_gaps: i64,
        /// When the last such gap ended.
        pub last_gap_at: Option<i64>,
        /// Longest gap.
        pub longest_gap_ms: i64,
    }
}

impl AuditSummary {
    /// Number of executions that were lost, early or duplicated.
    #[must_use]
    pub fn disagreements(&self) -> i64 {
        self.lost + self.early + self.duplicates
    }
}

/// Returns the summary; `None`: there was no audit yet.
pub async fn find(conn: Conn<'_>) -> Result<Option<AuditSummary>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select since, audited_until, audited_at, audited_seq, clock_rewind_until, clock_rewind_seq, audited, lost,
                early, duplicates, unmonitored_gaps, last_gap_at, longest_gap_ms
           from audit_summary")
        .fetch_optional(c).await)?)
}

/// Creates the summary with executions from `from` on, unless it exists.
pub async fn create(conn: Conn<'_>, from: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into audit_summary (id, since, audited_until) values (1, $1, $1) on conflict (id) do nothing")
        .bind(from.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the next span to audit: from `audited_until` to `until`, or a shorter one with about
/// `max_executions` executions.
pub async fn next_span(
    conn: Conn<'_>,
    summary: &AuditSummary,
    until: Timestamp,
    max_executions: u32,
) -> Result<AuditSpan, StoreError> {
    let (end, seq): (i64, i64) = with_conn!(conn, c => sqlx::query_as(
        "select coalesce((select executed_at
                            from execution
                           where executed_at >= $1
                             and executed_at < $2
                           order by executed_at
                           limit 1 offset $3), $2),
                (select coalesce(max(seq), 0) from event)")
        .bind(summary.audited_until).bind(until.millis()).bind(i64::from(max_executions))
        .fetch_one(c).await)?;
    Ok(AuditSpan {
        from: Timestamp::from_millis(summary.audited_until),
        until: Timestamp::from_millis(end.max(summary.audited_until + 1)).min(until),
        seq,
        clock_rewind_until: Timestamp::from_millis(summary.clock_rewind_until),
        clock_rewind_seq: summary.clock_rewind_seq,
    })
}

/// Moves `audited_until` to the end of the span and adds the findings, in one statement. False:
/// another node has moved it, and nothing was added.
pub async fn add_findings(
    conn: Conn<'_>,
    span: &AuditSpan,
    found: &Audit,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let changed = with_conn!(conn, c => sqlx::query(
        "update audit_summary
            set audited_until = $2, audited_at = $3, audited_seq = $4, audited = audited + $5, lost = lost + $6,
                early = early + $7, duplicates = duplicates + $8
          where audited_until = $1")
        .bind(span.from.millis()).bind(span.until.millis()).bind(now.millis()).bind(span.seq)
        .bind(whole(found.rows)).bind(whole(found.without_row + found.without_task))
        .bind(whole(found.early)).bind(whole(found.duplicates))
        .execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Moves `audited_until` back to `until` after a clock was set back, and records what is counted
/// already: executions before the previous `audited_until` with an event up to the last audit.
/// False: another node has moved `audited_until`.
pub async fn rewind(conn: Conn<'_>, summary: &AuditSummary, until: Timestamp) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update audit_summary
            set clock_rewind_until = case when clock_rewind_until > audited_until then clock_rewind_until else audited_until end,
                clock_rewind_seq = audited_seq,
                audited_until = $2
          where audited_until = $1")
        .bind(summary.audited_until).bind(until.millis()).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Records that this node looks for overdue tasks at `now` and had not for `gap_ms` milliseconds.
/// Counts only the part of the gap in which no other node looked either, only if it is longer than
/// `min_gap_ms`, and only once if several nodes report it. True: it was counted.
pub async fn record_gap(
    mut conn: Conn<'_>,
    now: Timestamp,
    gap_ms: i64,
    min_gap_ms: i64,
) -> Result<bool, StoreError> {
    let begun = now.millis() - gap_ms;
    // A node that looks meanwhile is slightly ahead of `now`; a value far ahead is from before the
    // clock was set back.
    let last_checked: Option<i64> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select max(overdue_checked_at) from node where overdue_checked_at > $1 and overdue_checked_at <= $2")
        .bind(begun).bind(now.millis() + min_gap_ms).fetch_one(c).await)?;
    let begun = last_checked.unwrap_or(begun);
    let gap_ms = now.millis() - begun;
    if gap_ms <= min_gap_ms {
        return Ok(false);
    }
    let changed = with_conn!(conn, c => sqlx::query(
        "update audit_summary
            set unmonitored_gaps = unmonitored_gaps + 1, last_gap_at = $2,
                longest_gap_ms = case when longest_gap_ms > $3 then longest_gap_ms else $3 end
          where last_gap_at is null or last_gap_at <= $1 or last_gap_at > $2")
        .bind(begun).bind(now.millis()).bind(gap_ms).execute(c).await?.rows_affected());
    Ok(changed > 0)
}
