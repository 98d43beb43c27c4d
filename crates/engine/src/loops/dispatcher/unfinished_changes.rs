//! Continues the changes of all waiting deliveries of a channel: of one that is being deleted, was switched off by
//! its receiver, or was resumed.
//!
//! What is due is not delayed. A batch is a short transaction: SQLite's writer gives way to the engine between two
//! of them, and PostgreSQL locks only deliveries that are not being sent. After a quarter of a second the loop does
//! its other work, so a process that dies repeats one batch at most.

use crate::Context;
use domain::{ChannelId, Timestamp};
use std::time::{Duration, Instant};
use store::{PoolRole, StoreError, dispatch::unfinished};

/// Maximum duration of one run, because the maintenance loop has other work each second.
const MAX_RUN_TIME: Duration = Duration::from_millis(250);
/// Maximum number of batches of a channel in one run.
const MAX_BATCHES: usize = 10;

/// Makes the next batches of all channels with an unfinished change.
pub async fn run(context: &Context, now: Timestamp) -> Result<(), StoreError> {
    if !context.node.role.runs_engine() {
        return Ok(());
    }
    let mut lease = context.store.read(PoolRole::Dispatcher).await?;
    let channels = unfinished::channels(lease.conn()).await?;
    drop(lease);
    let begun = Instant::now();
    for channel in channels {
        for _ in 0..MAX_BATCHES {
            if begun.elapsed() >= MAX_RUN_TIME || !make_batch(context, channel, now).await? {
                break;
            }
        }
    }
    Ok(())
}

/// Makes one batch. Whether another one may follow.
async fn make_batch(context: &Context, channel: ChannelId, now: Timestamp) -> Result<bool, StoreError> {
    let mut lease = context.store.read(PoolRole::Dispatcher).await?;
    let batch = unfinished::next(lease.conn(), channel).await?;
    drop(lease);
    let Some(batch) = batch else { return Ok(false) };
    let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
    let has_more = unfinished::apply(tx.conn(), &batch, now).await?;
    tx.commit().await?;
    Ok(has_more)
}
