//! Empties the trash: purges articles deleted 30 days ago, a few in each transaction.

use crate::Context;
use domain::{Timestamp, input_limits::TRASH_RETENTION_MS};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    trash,
};

/// Maximum number of articles in one transaction, so that SQLite's single writer is soon free
/// again.
const BATCH_SIZE: u32 = 10;
/// Maximum number of transactions in one run; the next run is a minute later.
const MAX_BATCHES: usize = 20;

/// Purges expired articles, at most 200.
pub async fn empty(context: &Context, now: Timestamp) -> Result<(), StoreError> {
    for _ in 0..MAX_BATCHES {
        let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
        let purged = trash::purge(tx.conn(), now.plus(-TRASH_RETENTION_MS), BATCH_SIZE).await?;
        let event = |id: &uuid::Uuid| NewEvent::simple(now, None, "article", *id, "purge");
        event::append(tx.conn(), &purged.iter().map(event).collect::<Vec<_>>()).await?;
        tx.commit().await?;
        if purged.len() < BATCH_SIZE as usize {
            break;
        }
    }
    Ok(())
}
