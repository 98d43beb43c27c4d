//! Figures for the engine page. Each query is bounded: none reads a whole table.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{
    Timestamp,
    engine::{Lateness, Totals},
    task::StageTimes,
};

/// Maximum number of executions, newest first, from which the lateness is computed.
const LAG_ROWS: i64 = 10_000;
/// Maximum number of executions, newest first, from which the stage times are computed.
const STAGE_ROWS: i64 = 2_000;
const MINUTE_MS: i64 = 60_000;

/// Returns how late tasks were executed since `since`.
pub async fn lateness(conn: Conn<'_>, since: Timestamp) -> Result<Lateness, StoreError> {
    let counted: Vec<(i64, i64)> = with_conn!(conn, c => sqlx::query_as(
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
    Ok(Lateness::from_counts(&counted))
}

row! {
    /// Times of the stages of one task, milliseconds.
    struct StageRow {
        due_at: i64,
        hinted_at: Option<i64>,
        moved_at: Option<i64>,
        popped_at: Option<i64>,
        started_at: i64,
        executed_at: i64,
    }
}

/// Returns due time and stage times of the newest tasks executed since `since`.
pub async fn stage_times(
    conn: Conn<'_>,
    since: Timestamp,
) -> Result<Vec<(Timestamp, StageTimes)>, StoreError> {
    let rows: Vec<StageRow> = with_conn!(conn, c => sqlx::query_as(
        "select due_at, hinted_at, moved_at, popped_at, started_at, executed_at
           from execution
          where executed_at >= $1
          order by executed_at desc
          limit $2")
        .bind(since.millis())
        .bind(STAGE_ROWS)
        .fetch_all(c)
        .await)?;
    let stages = |row: StageRow| StageTimes {
        hinted_at: row.hinted_at.map(Into::into),
        moved_at: row.moved_at.map(Into::into),
        popped_at: row.popped_at.map(Into::into),
        started_at: row.started_at.into(),
        executed_at: row.executed_at.into(),
    };
    Ok(rows.into_iter().map(|row| (row.due_at.into(), stages(row))).collect())
}

/// Returns the number of executed tasks in each of `minutes` whole minutes, from minute `first`
/// (since 1970) on.
pub async fn throughput(conn: Conn<'_>, first: i64, minutes: u16) -> Result<Vec<u32>, StoreError> {
    let rows: Vec<(i64, i64)> = with_conn!(conn, c => sqlx::query_as(
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

/// Returns the number of tasks by state, each counted up to [`domain::engine::MAX_COUNTED`].
pub async fn totals(conn: Conn<'_>) -> Result<Totals, StoreError> {
    let (scheduled, executed, failed, cancelled, missed): (i64, i64, i64, i64, i64) = with_conn!(conn, c => sqlx::query_as(
        "select (select count(*) from (select 1 from task where state = 'scheduled' and id <> $2 limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'executed' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'failed' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'cancelled' limit $1) as counted),
                (select count(*) from (select 1 from task where state = 'missed' limit $1) as counted)")
        .bind(crate::db::COUNT_LIMIT)
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

/// Returns the due time of the next scheduled task, and the number of those due before `until`,
/// counted up to [`domain::engine::MAX_COUNTED`].
pub async fn upcoming(conn: Conn<'_>, until: Timestamp) -> Result<(Option<Timestamp>, u64), StoreError> {
    let (next, count): (Option<i64>, i64) = with_conn!(conn, c => sqlx::query_as(
        "select (select due_at from task where state = 'scheduled' and id <> $2 order by due_at limit 1),
                (select count(*)
                   from (select 1 from task where state = 'scheduled' and id <> $2 and due_at < $1 limit $3) as counted)")
        .bind(until.millis())
        .bind(crate::canary::ID.0)
        .bind(crate::db::COUNT_LIMIT)
        .fetch_one(c)
        .await)?;
    Ok((next.map(Timestamp::from_millis), whole(count)))
}

fn whole(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

/// Returns name and version of the database, e.g. `SQLite 3.51.3`, `PostgreSQL 15.18`.
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
