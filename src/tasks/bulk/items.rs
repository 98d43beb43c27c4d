//! The meetings and reminders that a change of many changed: each feature undoes its own.

use crate::{
    app_state::AppState,
    services::{internal_error, write_error},
};
use domain::{AccountId, Actor, BatchId, DomainError};
use store::{
    PoolRole,
    batch::{self, BatchItem, ItemKind},
};

/// Marks a batch as undone and returns what it changed, the last change first; `None`: it changed nothing
/// of this kind. `CannotUndo` if it was undone before.
pub async fn take(
    parts: &AppState,
    actor: &Actor,
    id: BatchId,
    kind: ItemKind,
) -> Result<Option<Vec<BatchItem>>, DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let mut items = batch::items(tx.conn(), id).await.map_err(internal_error)?;
    items.retain(|item| item.kind == kind);
    let found = batch::find(tx.conn(), id).await.map_err(internal_error)?;
    let Some(found) = found.filter(|_| !items.is_empty()) else { return Ok(None) };
    if !actor.may_change(AccountId(found.account_id)) {
        return Err(DomainError::NotAllowed);
    }
    let now = parts.clock.now();
    if !batch::mark_undone(tx.conn(), id, now).await.map_err(write_error(parts))? {
        return Err(DomainError::CannotUndo);
    }
    tx.commit().await.map_err(write_error(parts))?;
    Ok(Some(items))
}
