//! Notices: messages that are repeated by a schedule of their own until they are acknowledged.

use super::{change, create, notice_line::view, read};
use crate::{
    app_state::AppState,
    services::{internal_error, write_error},
};
use domain::{
    Actor, DomainError, State,
    message::{MessageChange, MessageRef, MessageRow, NewMessage, Notice},
};
use serde_json::json;
use store::{
    PoolRole,
    event::{self, NewEvent},
    notice,
};

/// Sends a notice now.
pub async fn notify(parts: &AppState, actor: &Actor, new: NewMessage) -> Result<Notice, DomainError> {
    let row = create::one(parts, actor, new).await?;
    view(parts, actor, row).await
}

/// Returns one notice.
pub async fn find(parts: &AppState, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError> {
    let row = row(parts, actor, which).await?;
    view(parts, actor, row).await
}

async fn row(parts: &AppState, actor: &Actor, which: MessageRef) -> Result<MessageRow, DomainError> {
    let found = match read::id_of(parts, which).await {
        Ok(id) => read::row(parts, actor, id).await,
        Err(refusal) => Err(refusal),
    };
    match found {
        Ok(row) if row.options.notice.is_some() => Ok(row),
        Ok(_) | Err(DomainError::NoSuch { .. }) => Err(DomainError::no_such("notice")),
        Err(other) => Err(other),
    }
}

/// Ends a notice.
pub async fn acknowledge(parts: &AppState, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError> {
    let mut found = row(parts, actor, which).await?;
    if found.state == State::Scheduled {
        found = change::change(parts, actor, found.id, MessageChange::Cancel, None).await?;
    }
    if found.acknowledged.is_some() {
        return view(parts, actor, found).await;
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let ended = notice::acknowledge(tx.conn(), found.id, found.task_id, now).await;
    if let Some(ended) = ended.map_err(write_error(parts))? {
        let task = found.task_id.0;
        let plain = NewEvent::simple(now, Some(actor.account), "task", task, "acknowledge");
        let detail = json!({"deliveries": ended}).to_string();
        event::append(tx.conn(), &[NewEvent { detail, ..plain }]).await.map_err(write_error(parts))?;
        tx.commit().await.map_err(write_error(parts))?;
        parts.committed.notify_waiters();
    }
    find(parts, actor, MessageRef::Id(found.id)).await
}
