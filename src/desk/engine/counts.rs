//! What is counted over many rows: at most once a second, however many look.

use super::minutes::Minutes;
use domain::{
    Timestamp,
    engine::{Lag, StageReport, Totals},
    late,
};
use store::{Store, StoreError, Who, report};
use tokio::sync::Mutex;

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

/// The latest counts. Whoever comes while they are counted waits for them instead of counting, too.
#[derive(Debug, Default)]
pub struct Latest(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    minutes: Minutes,
    counted: Option<(Timestamp, Counts)>,
}

impl Latest {
    /// The counts of `now`, or of up to a second before.
    pub async fn read(&self, store: &Store, now: Timestamp) -> Result<Counts, StoreError> {
        let mut state = self.0.lock().await;
        if let Some((at, counts)) = &state.counted
            && (0..FRESH_MS).contains(&now.since(*at))
        {
            return Ok(counts.clone());
        }
        let since = now.plus(-HOUR_MS);
        let mut lease = store.read(Who::People).await?;
        let counts = Counts {
            lag: report::lag(lease.conn(), since).await?,
            stages: late::times(&report::ways(lease.conn(), since).await?),
            throughput: state.minutes.read(lease.conn(), now).await?,
            totals: report::totals(lease.conn()).await?,
        };
        state.counted = Some((now, counts.clone()));
        Ok(counts)
    }
}
