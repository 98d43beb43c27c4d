//! The canary comes through, and is due again a second later.

use domain::Timestamp;
use store::{
    StoreError, Tx, canary,
    execute::{Taken, Verdict},
};

/// It waits again. Nothing else: no execution row, no line of the log.
pub async fn sing(tx: &mut Tx, tasks: &[Taken], at: Timestamp) -> Result<Vec<Verdict>, StoreError> {
    let next = at.plus(canary::EVERY_MS);
    canary::wait_again(tx.conn(), next).await?;
    Ok(vec![Verdict::RetryAt(next); tasks.len()])
}
