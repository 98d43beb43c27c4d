//! The promise sheet: what the audits found, one for the desk over all nodes and restarts. No leader: whoever moves its mark
//! forward has audited what lies between.

use crate::{Conn, StoreError, check::Audit, db::on, row::row};
use domain::Timestamp;

row! {
    /// The sheet as it stands in SQL; all times are the database's own, milliseconds.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Sheet {
        /// What was executed from then on ...
        pub since: i64,
        /// ... to just before then was audited.
        pub audited_until: i64,
        /// When the last audit ended.
        pub audited_at: Option<i64>,
        /// The newest line of the log at the last audit.
        pub audited_seq: i64,
        /// See [`Span::turned_until`].
        pub turned_until: i64,
        /// See [`Span::turned_seq`].
        pub turned_seq: i64,
        /// Executions that were audited.
        pub audited: i64,
        /// Executed tasks without a record in the ledger, and records without an executed task.
        pub lost: i64,
        /// Executed before their moment.
        pub early: i64,
        /// Executed more than once in the same version.
        pub twice: i64,
        /// How often no node that ran looked for what is overdue for too long.
        pub blind: i64,
        /// When that last ended.
        pub blind_at: Option<i64>,
        /// The longest of these times.
        pub longest_ms: i64,
    }
}

impl Sheet {
    /// How many executions were not as they must be.
    #[must_use]
    pub fn disagreements(&self) -> i64 {
        self.lost + self.early + self.twice
    }
}

/// What one audit looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// Executions from then on ...
    pub from: Timestamp,
    /// ... to just before then.
    pub until: Timestamp,
    /// The newest line of the log.
    pub seq: i64,
    /// The clock was set back: of what was executed before then, ...
    pub turned_until: Timestamp,
    /// ... all that stands in the log up to here is counted already, and left out.
    pub turned_seq: i64,
}

/// The sheet; `None`: there was no audit yet.
pub async fn find(conn: Conn<'_>) -> Result<Option<Sheet>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select since, audited_until, audited_at, audited_seq, turned_until, turned_seq, audited, lost, early, twice,
                blind, blind_at, longest_ms
           from promise_sheet")
        .fetch_optional(c).await)?)
}

/// Begins the sheet with what was executed from `from` on, unless there is one.
pub async fn begin(conn: Conn<'_>, from: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into promise_sheet (id, since, audited_until) values (1, $1, $1) on conflict (id) do nothing")
        .bind(from.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// What is to be audited next: from the mark to `until`, or to where there are about `most` executions.
pub async fn next(conn: Conn<'_>, sheet: &Sheet, until: Timestamp, most: u32) -> Result<Span, StoreError> {
    let (end, seq): (i64, i64) = on!(conn, c => sqlx::query_as(
        "select coalesce((select executed_at
                            from execution
                           where executed_at >= $1
                             and executed_at < $2
                           order by executed_at
                           limit 1 offset $3), $2),
                (select coalesce(max(seq), 0) from event)")
        .bind(sheet.audited_until).bind(until.millis()).bind(i64::from(most))
        .fetch_one(c).await)?;
    Ok(Span {
        from: Timestamp::from_millis(sheet.audited_until),
        until: Timestamp::from_millis(end.max(sheet.audited_until + 1)).min(until),
        seq,
        turned_until: Timestamp::from_millis(sheet.turned_until),
        turned_seq: sheet.turned_seq,
    })
}

/// Moves the mark to the end of the span and adds what was found there, at once. False: somebody else has moved it, and
/// nothing was added.
pub async fn add(conn: Conn<'_>, span: &Span, found: &Audit, now: Timestamp) -> Result<bool, StoreError> {
    let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let changed = on!(conn, c => sqlx::query(
        "update promise_sheet
            set audited_until = $2, audited_at = $3, audited_seq = $4, audited = audited + $5, lost = lost + $6,
                early = early + $7, twice = twice + $8
          where audited_until = $1")
        .bind(span.from.millis()).bind(span.until.millis()).bind(now.millis()).bind(span.seq)
        .bind(whole(found.rows)).bind(whole(found.without_row + found.without_task))
        .bind(whole(found.early)).bind(whole(found.twice))
        .execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Takes the mark back to `until`, since the clock was set back, and notes what is counted already: it lies before the former
/// mark, and stands in the log up to the last audit. False: somebody else has moved the mark.
pub async fn turn_back(conn: Conn<'_>, sheet: &Sheet, until: Timestamp) -> Result<bool, StoreError> {
    let changed = on!(conn, c => sqlx::query(
        "update promise_sheet
            set turned_until = case when turned_until > audited_until then turned_until else audited_until end,
                turned_seq = audited_seq,
                audited_until = $2
          where audited_until = $1")
        .bind(sheet.audited_until).bind(until.millis()).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Notes that the node that looks again at `now` had not for `gap` milliseconds. Counts only what is left of that since any
/// node looked, where it is longer than `patience`, and once, however many nodes tell of it. True: it counted.
pub async fn note_gap(
    mut conn: Conn<'_>,
    now: Timestamp,
    gap: i64,
    patience: i64,
) -> Result<bool, StoreError> {
    let begun = now.millis() - gap;
    // One that looks meanwhile is ahead of `now`; far ahead was a clock that has been set back.
    let looked: Option<i64> = on!(conn.again(), c => sqlx::query_scalar(
        "select max(looked_at) from node where looked_at > $1 and looked_at <= $2")
        .bind(begun).bind(now.millis() + patience).fetch_one(c).await)?;
    let begun = looked.unwrap_or(begun);
    let gap = now.millis() - begun;
    if gap <= patience {
        return Ok(false);
    }
    let changed = on!(conn, c => sqlx::query(
        "update promise_sheet
            set blind = blind + 1, blind_at = $2, longest_ms = case when longest_ms > $3 then longest_ms else $3 end
          where blind_at is null or blind_at <= $1 or blind_at > $2")
        .bind(begun).bind(now.millis()).bind(gap).execute(c).await?.rows_affected());
    Ok(changed > 0)
}
