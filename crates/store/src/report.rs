//! Numbers for the engine page.

use crate::{Conn, StoreError, db::on};
use domain::{
    Timestamp,
    engine::{Lag, Totals},
};

/// Of at most so many executions, the newest, the lag is told.
const LAG_ROWS: i64 = 20_000;

/// How late tasks were since `since`.
pub async fn lag(conn: Conn<'_>, since: Timestamp) -> Result<Lag, StoreError> {
    let (count, p50, p95, p99, max, early): (i64, i64, i64, i64, i64, i64) = on!(conn, c => sqlx::query_as(
        "with recent as (
             select executed_at - due_at as lag from execution where executed_at >= $1 order by executed_at desc limit $2),
         ranked as (
             select lag, row_number() over (order by lag) as place, count(*) over () as total from recent)
         select count(*),
                coalesce(max(case when place <= (total * 50 + 99) / 100 then lag end), 0),
                coalesce(max(case when place <= (total * 95 + 99) / 100 then lag end), 0),
                coalesce(max(case when place <= (total * 99 + 99) / 100 then lag end), 0),
                coalesce(max(lag), 0),
                count(case when lag < 0 then 1 end)
           from ranked")
        .bind(since.millis())
        .bind(LAG_ROWS)
        .fetch_one(c)
        .await)?;
    let whole = |n: i64| u64::try_from(n).unwrap_or(0);
    Ok(Lag { count: whole(count), p50, p95, p99, max, early: whole(early) })
}

/// Executed tasks a minute, oldest first, for the `minutes` up to `now`; the last one is still running.
pub async fn throughput(conn: Conn<'_>, now: Timestamp, minutes: u16) -> Result<Vec<u32>, StoreError> {
    let since = now.millis() - i64::from(minutes) * 60_000;
    let rows: Vec<(i64, i64)> = on!(conn, c => sqlx::query_as(
        "select (executed_at - $1 - 1) / 60000 as minute, count(*)
           from execution
          where executed_at > $1
            and executed_at <= $2
          group by 1")
        .bind(since)
        .bind(now.millis())
        .fetch_all(c)
        .await)?;
    let mut counts = vec![0; usize::from(minutes)];
    for (minute, count) in rows {
        if let Some(slot) = usize::try_from(minute).ok().and_then(|minute| counts.get_mut(minute)) {
            *slot = u32::try_from(count).unwrap_or(u32::MAX);
        }
    }
    Ok(counts)
}

/// How many tasks stand in each state.
pub async fn totals(conn: Conn<'_>) -> Result<Totals, StoreError> {
    let rows: Vec<(String, i64)> =
        on!(conn, c => sqlx::query_as("select state, count(*) from task group by state").fetch_all(c).await)?;
    let mut totals = Totals::default();
    for (state, count) in rows {
        let count = u64::try_from(count).unwrap_or(0);
        match state.as_str() {
            "scheduled" => totals.scheduled = count,
            "executed" => totals.executed = count,
            "failed" => totals.failed = count,
            "cancelled" => totals.cancelled = count,
            "missed" => totals.missed = count,
            other => return Err(StoreError::Corrupt(format!("a task in the state {other:?}"))),
        }
    }
    Ok(totals)
}

/// Name and version of the database, e.g. `SQLite 3.51.3`, `PostgreSQL 15.18`.
pub async fn database(conn: Conn<'_>) -> Result<String, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            let version: String = sqlx::query_scalar("select sqlite_version()").fetch_one(c).await?;
            format!("SQLite {version}")
        }
        Conn::Postgres(c) => {
            let version: String = sqlx::query_scalar("show server_version").fetch_one(c).await?;
            format!("PostgreSQL {}", version.split(' ').next().unwrap_or_default())
        }
    })
}
