//! Changes several messages at once.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::group_commit,
};
use domain::{
    Actor, DomainError, MessageId,
    error::ValidationError,
    input_limits::MAX_PAGE_ITEMS,
    message::{BulkMessageChange, ChangedMessages},
    task::Change,
};
use std::collections::HashSet;
use store::{PoolRole, task_list};
use uuid::Uuid;

/// Changes the messages that were not handed to their channel, each as it is now.
pub async fn change_all(
    parts: &AppState,
    actor: &Actor,
    ids: &[MessageId],
    change: BulkMessageChange,
) -> Result<ChangedMessages, DomainError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect::<HashSet<_>>().into_iter().collect();
    if ids.is_empty() {
        return Err(DomainError::invalid("ids", ValidationError::Empty));
    }
    if ids.len() > MAX_PAGE_ITEMS as usize {
        return Err(DomainError::invalid("ids", ValidationError::TooMany { max: MAX_PAGE_ITEMS }));
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = task_list::open_of_targets(lease.conn(), &ids).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    drop(lease);
    let (scheduled, ended): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.state == "scheduled");
    let (first, second) = match change {
        BulkMessageChange::Cancel => (Change::Cancel, Change::Cancel),
        BulkMessageChange::RunNow => (Change::Reschedule { when: presenter.now.into() }, Change::Retry),
    };
    let mut changed = group_commit::change_all(parts, &presenter, &first, scheduled).await?;
    changed.extend(group_commit::change_all(parts, &presenter, &second, ended).await?);
    let count = changed.len() as u64;
    Ok(ChangedMessages { changed: count, unchanged: ids.len() as u64 - count })
}
