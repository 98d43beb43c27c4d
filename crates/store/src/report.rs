//! Numbers for the engine page. Each is bounded: none reads a whole table.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{
    Timestamp,
    engine::{Lag, Totals},
    task::Stages,
};

/// Of at most so many executions, the newest, the lag is told.
const LAG_ROWS: i64 = 10_000;
/// Of at most so many executions, the newest, the stages are told.
const STAGE_ROWS: i64 = 2_000;
const MINUTE_MS: i64 = 60_000;

/// How late tasks were since `since`.
pub async fn lag(conn: Conn<'_>, since: Timestamp) -> Result<Lag, StoreError> {
    let counted: Vec<(i64, i64)> = on!(conn, c => sqlx::query_as(
        "select lag, count(*)
           from (select executed_at - due_at as lag
                   from execution
                  where executed_at >= $1
                  order by executed_at desc
                  limit $2) as recent
          group by lag
          order by lag")
        .bind(since.millis())
        .bind(LAG_ROWS)
        .fetch_all(c)
        .await)?;
    let counted: Vec<(i64, u64)> = counted.into_iter().map(|(lag, tasks)| (lag, whole(tasks))).collect();
    Ok(Lag::of(&counted))
}

row! {
    /// The way of one task, milliseconds.
    struct Way {
        due_at: i64,
        hinted_at: Option<i64>,
        moved_at: Option<i64>,
        popped_at: Option<i64>,
        started_at: i64,
        executed_at: i64,
    }
}

/// The moments and the ways of the newest tasks that were executed since `since`.
pub async fn ways(conn: Conn<'_>, since: Timestamp) -> Result<Vec<(Timestamp, Stages)>, StoreError> {
    let ways: Vec<Way> = on!(conn, c => sqlx::query_as(
        "select due_at, hinted_at, moved_at, popped_at, started_at, executed_at
           from execution
          where executed_at >= $1
          order by executed_at desc
          limit $2")
        .bind(since.millis())
        .bind(STAGE_ROWS)
        .fetch_all(c)
        .await)?;
    let stages = |way: Way| Stages {
        hinted_at: way.hinted_at.map(Into::into),
        moved_at: way.moved_at.map(Into::into),
        popped_at: way.popped_at.map(Into::into),
        started_at: way.started_at.into(),
        executed_at: way.executed_at.into(),
    };
    Ok(ways.into_iter().map(|way| (way.due_at.into(), stages(way))).collect())
}

/// Executed tasks in each of `minutes` whole minutes of the clock from `first` (minutes since 1970) on.
pub async fn throughput(conn: Conn<'_>, first: i64, minutes: u16) -> Result<Vec<u32>, StoreError> {
    let rows: Vec<(i64, i64)> = on!(conn, c => sqlx::query_as(
        "select (executed_at - $1) / 60000 as minute, count(*)
           from execution
          where executed_at >= $1
            and executed_at < $2
          group by 1")
        .bind(first * MINUTE_MS)
        .bind((first + i64::from(minutes)) * MINUTE_MS)
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

/// How many tasks stand in each state, each counted up to [`domain::engine::COUNTED_TO`].
pub async fn totals(conn: Conn<'_>) -> Result<Totals, StoreError> {
    let (scheduled, executed, failed, cancelled, missed): (i64, i64, i64, i64, i64) = on!(conn, c => sqlx::query_as(
        "select (select count(*) from (select 1 from task where state = 'scheduled' and id <> $2 limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'executed' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'failed' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'cancelled' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'missed' limit $1) as counted)")
        .bind(crate::board::COUNTED)
        .bind(crate::canary::ID.0)
        .fetch_one(c)
        .await)?;
    Ok(Totals {
        scheduled: whole(scheduled),
        executed: whole(executed),
        failed: whole(failed),
        cancelled: whole(cancelled),
        missed: whole(missed),
    })
}

fn whole(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
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
