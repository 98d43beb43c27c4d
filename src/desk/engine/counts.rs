//! What is counted over many rows: about once a second, however many look.

use super::minutes::Minutes;
use domain::{
    Timestamp,
    engine::{Lag, StageReport, Totals},
    late,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::{Store, StoreError, Who, report};

/// How long counts are shown before they are counted anew, milliseconds.
const FRESH_MS: i64 = 1_000;
const HOUR_MS: i64 = 3_600_000;

/// How it stood at a moment, and how it went in the hour before.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// How late tasks were.
    pub lag: Lag,
    /// How long the newest tasks took at each stage of their way.
    pub stages: Vec<StageReport>,
    /// Executed tasks in each minute, oldest first; the last one is still running.
    pub throughput: Vec<u32>,
    /// Tasks in each state.
    pub totals: Totals,
}

/// The latest counts. Nobody waits for somebody else who counts: should the database be silent, each hears of it by itself.
#[derive(Debug, Default)]
pub struct Latest {
    minutes: Minutes,
    counted: Mutex<Option<(Timestamp, Counts)>>,
}

impl Latest {
    /// The counts of `now`, or of up to a second before.
    pub async fn read(&self, store: &Store, now: Timestamp) -> Result<Counts, StoreError> {
        if let Some((at, counts)) = &*self.lock()
            && (0..FRESH_MS).contains(&now.since(*at))
        {
            return Ok(counts.clone());
        }
        // Side by side, each on its own connection: somebody waits. Neither is left in the middle because of the other.
        let (hour, totals) = tokio::join!(self.hour(store, now), totals(store));
        let (lag, stages, throughput) = hour?;
        let counts = Counts { lag, stages, throughput, totals: totals? };
        *self.lock() = Some((now, counts.clone()));
        Ok(counts)
    }

    /// Lag, stages and throughput of the hour before `now`.
    async fn hour(
        &self,
        store: &Store,
        now: Timestamp,
    ) -> Result<(Lag, Vec<StageReport>, Vec<u32>), StoreError> {
        let since = now.plus(-HOUR_MS);
        let mut lease = store.read(Who::People).await?;
        let lag = report::lag(lease.conn(), since).await?;
        let stages = late::times(&report::ways(lease.conn(), since).await?);
        let throughput = self.minutes.read(lease.conn(), now).await?;
        Ok((lag, stages, throughput))
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Timestamp, Counts)>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn totals(store: &Store) -> Result<Totals, StoreError> {
    let mut lease = store.read(Who::People).await?;
    report::totals(lease.conn()).await
}
