//! What was looked at to keep the promises, for the sheet on the engine page.

use domain::{Timestamp, engine::Promises};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::check::Audit;

/// Counters since the process started.
#[derive(Debug, Default)]
pub struct Sheet(Mutex<Promises>);

impl Sheet {
    /// Notes a look for what is overdue, failed or missed, `after` milliseconds after the one before; longer than `patience`
    /// is too long.
    pub fn look(&self, now: Timestamp, after: i64, patience: i64) {
        let mut sheet = self.lock();
        sheet.looked_at = Some(now);
        sheet.longest_ms = sheet.longest_ms.max(after);
        if after > patience {
            sheet.blind += 1;
        }
    }

    /// Adds what an audit found.
    pub fn audit(&self, now: Timestamp, found: Audit) {
        let mut sheet = self.lock();
        sheet.audited_at = Some(now);
        sheet.audited += found.rows;
        sheet.lost += found.without_row + found.without_task;
        sheet.early += found.early;
        sheet.twice += found.twice;
    }

    /// The sheet as it stands, with what is overdue at the moment.
    #[must_use]
    pub fn read(&self, overdue: u64) -> Promises {
        Promises { overdue, ..*self.lock() }
    }

    fn lock(&self) -> MutexGuard<'_, Promises> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
