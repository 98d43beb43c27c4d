//! Empties the trash: what was deleted 30 days ago goes for good, a few articles a transaction.

use crate::parts::Parts;
use domain::{Timestamp, limit::TRASH_MS};
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    trash,
};

/// Articles of one transaction: SQLite's only writer is soon free again.
const BATCH: u32 = 10;
/// Transactions of one turn; the next turn is a minute later.
const TURNS: usize = 20;

/// One turn.
pub async fn empty(parts: &Parts, now: Timestamp) -> Result<(), StoreError> {
    for _ in 0..TURNS {
        let mut tx = parts.store.begin(Who::Dispatch).await?;
        let gone = trash::purge(tx.conn(), now.plus(-TRASH_MS), BATCH).await?;
        let event = |id: &uuid::Uuid| NewEvent::plain(now, None, "article", *id, "purge");
        event::append(tx.conn(), &gone.iter().map(event).collect::<Vec<_>>()).await?;
        tx.commit().await?;
        if gone.len() < BATCH as usize {
            break;
        }
    }
    Ok(())
}
