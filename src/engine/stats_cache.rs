//! Cache of statistics that need many rows. They are computed at most about once a second.

use super::throughput_cache::ThroughputCache;
use domain::{
    Timestamp,
    engine::{Lateness, StageReport, Totals},
    late_cause,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::{PoolRole, Store, StoreError, report};

/// How long cached statistics are valid, milliseconds.
const CACHE_TTL_MS: i64 = 1_000;
const HOUR_MS: i64 = 3_600_000;

/// Statistics of the last hour and current totals.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    /// Lateness of executions.
    pub lag: Lateness,
    /// Duration of each stage for the newest tasks.
    pub stages: Vec<StageReport>,
    /// Executed tasks per minute, oldest first; the last minute is incomplete.
    pub throughput: Vec<u32>,
    /// Number of tasks in each state.
    pub totals: Totals,
}

/// The cached statistics. Callers do not wait for each other, so that each one gets its own error
/// if the database does not answer.
#[derive(Debug, Default)]
pub struct StatsCache {
    minutes: ThroughputCache,
    counted: Mutex<Option<(Timestamp, Stats)>>,
}

impl StatsCache {
    /// Returns the statistics of `now`, or those of up to a second before.
    pub async fn read(&self, store: &Store, now: Timestamp) -> Result<Stats, StoreError> {
        if let Some((at, counts)) = &*self.lock()
            && (0..CACHE_TTL_MS).contains(&now.since(*at))
        {
            return Ok(counts.clone());
        }
        // Concurrently on two connections, because a user waits. `join!` completes both even if one
        // fails.
        let (hour, totals) = tokio::join!(self.hour(store, now), totals(store));
        let (lag, stages, throughput) = hour?;
        let counts = Stats { lag, stages, throughput, totals: totals? };
        *self.lock() = Some((now, counts.clone()));
        Ok(counts)
    }

    /// Returns lateness, stages and throughput of the hour before `now`.
    async fn hour(
        &self,
        store: &Store,
        now: Timestamp,
    ) -> Result<(Lateness, Vec<StageReport>, Vec<u32>), StoreError> {
        let since = now.plus(-HOUR_MS);
        let mut lease = store.read(PoolRole::Web).await?;
        let lag = report::lateness(lease.conn(), since).await?;
        let stages = late_cause::stage_reports(&report::stage_times(lease.conn(), since).await?);
        let throughput = self.minutes.read(lease.conn(), now).await?;
        Ok((lag, stages, throughput))
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Timestamp, Stats)>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn totals(store: &Store) -> Result<Totals, StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    report::totals(lease.conn()).await
}
