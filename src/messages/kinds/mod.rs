//! Kinds of delayed messages.

mod send;

pub use send::Send;

use crate::kinds::{new_tasks::store_tasks, task_kind::TaskKind as _};
use domain::{AccountId, ChannelId, MessageId, Priority, TaskId, Timestamp, message::MessageOptions};
use store::{
    StoreError, Tx,
    execute::SideEffects,
    message::{self, NewMessageRow},
    task::NewTaskRow,
};

/// What the targets are.
const MESSAGE: &str = "message";
/// Word of [`Send`].
pub const SEND: &str = "message.send";

/// Returns a message that Presstime itself writes. `key`: how its key begins; its id follows.
pub fn own_message(
    (channel, owner): (ChannelId, AccountId),
    key: &str,
    body: String,
    options: &MessageOptions,
) -> Result<NewMessageRow, StoreError> {
    let id = MessageId::generate();
    Ok(NewMessageRow {
        id,
        key: format!("{key}{id}"),
        channel,
        body,
        options: serde_json::to_string(options).map_err(|error| StoreError::Corrupt(error.to_string()))?,
        fingerprint: String::new(),
        task: TaskId::generate(),
        owner,
    })
}

/// Returns the task that sends a message. `bucket`: shard of its hints.
pub fn task_of(message: &NewMessageRow, (bucket, due_at): (u16, Timestamp)) -> NewTaskRow {
    NewTaskRow {
        id: message.task,
        kind: Send.word(),
        grace_ms: Send.grace_ms(),
        unique_key: Send.unique_key(message.id.0),
        priority: Priority::Normal,
        bucket,
        target_id: message.id.0,
        revision_id: None,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: message.owner,
    }
}

/// Stores messages with the tasks that send them now.
pub async fn send_now(
    tx: &mut Tx,
    messages: &[NewMessageRow],
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    if messages.is_empty() {
        return Ok(());
    }
    message::insert(tx.conn(), messages, at).await?;
    let tasks: Vec<NewTaskRow> = messages.iter().map(|one| task_of(one, (bucket, at))).collect();
    store_tasks(tx, &tasks, at, after).await
}
