//! Handler of the canary task, which is due every second and shows that the engine works.

use domain::Timestamp;
use store::{
    StoreError, Tx, canary,
    execute::{ClaimedTask, Verdict},
};

/// Schedules it again. Writes no execution record and no event.
pub async fn execute(tx: &mut Tx, tasks: &[ClaimedTask], at: Timestamp) -> Result<Vec<Verdict>, StoreError> {
    let next = at.plus(canary::INTERVAL_MS);
    canary::reschedule(tx.conn(), next).await?;
    Ok(vec![Verdict::RetryAt(next); tasks.len()])
}
