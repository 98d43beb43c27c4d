//! Tasks in flight at a node that died count as crashed.

use super::in_flight::decode;
use crate::{
    PoolRole, Store, StoreError,
    db::with_conn,
    execute::{self, Claim},
};
use domain::{KindClass, Priority, TaskId, Timestamp, Version, node::NODE_DEAD_AFTER_MS};
use uuid::Uuid;

/// Records a crash for each task that was in flight at a dead node and is still scheduled in the
/// same version. Returns the number of crashes. `now` is the database's clock, which heartbeats
/// use; `here` is this node's. The backoff of a task starts at the earlier of both, so that a clock
/// that is ahead does not prolong it.
pub async fn record_crashes_of_dead_nodes(
    store: &Store,
    now: Timestamp,
    here: Timestamp,
) -> Result<u64, StoreError> {
    let mut lease = store.read(PoolRole::Dispatcher).await?;
    let dead: Vec<Uuid> = with_conn!(lease.conn(), c => sqlx::query_scalar(
        "select id
           from node
          where state = 'lost'
            and heartbeat_at < $1
            and exists (select 1 from in_flight where node_id = node.id)")
        .bind(now.millis() - NODE_DEAD_AFTER_MS).fetch_all(c).await)?;
    drop(lease);
    let mut crashes = 0;
    for node in dead {
        for (task, version) in release(store, node).await? {
            let claim = Claim {
                task,
                version,
                priority: Priority::Normal,
                class: KindClass::Content,
                bucket: 0,
                hinted_at: None,
                moved_at: None,
                popped_at: None,
            };
            let outcome = execute::record_crash(store, &claim, now.min(here)).await?;
            crashes += u64::from(outcome != execute::CrashOutcome::Changed);
        }
    }
    Ok(crashes)
}

/// Deletes the in-flight rows of a dead node and returns their tasks; none, if another node was
/// first or the node came back.
async fn release(store: &Store, node: Uuid) -> Result<Vec<(TaskId, Version)>, StoreError> {
    let mut tx = store.begin(PoolRole::Dispatcher).await?;
    // Changes nothing, but locks the row: the node stays lost until the commit.
    let is_lost = with_conn!(tx.conn(), c => sqlx::query("update node set state = 'lost' where id = $1 and state = 'lost'")
        .bind(node).execute(c).await?.rows_affected());
    if is_lost == 0 {
        return Ok(Vec::new());
    }
    let rows: Vec<Vec<u8>> = with_conn!(tx.conn(), c => sqlx::query_scalar(
        "delete from in_flight where node_id = $1 returning tasks")
        .bind(node).fetch_all(c).await)?;
    tx.commit().await?;
    Ok(rows.iter().flat_map(|tasks| decode(tasks)).collect())
}
