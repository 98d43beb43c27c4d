//! The service of delayed messages.

use super::{
    message::Notice,
    message::{
        BulkMessageChange, ChangedMessages, Message, MessageChange, MessageDetails, MessageList,
        MessageQuery, MessageRef, MessageRow, NewMessage,
    },
};
use crate::{Actor, DomainError, MessageId, Page, Version};
use async_trait::async_trait;

/// Delayed messages. Admins only: a message goes to whatever a channel leads to.
#[async_trait]
pub trait Messages: Send + Sync {
    /// One page of the list, newest first.
    async fn list(&self, actor: &Actor, query: MessageQuery) -> Result<Page<MessageRow>, DomainError>;
    /// The same page with the task of each message and the number of messages in each state.
    async fn list_with_tasks(&self, actor: &Actor, query: MessageQuery) -> Result<MessageList, DomainError>;
    /// One message by its id or its key, with its task.
    async fn details(&self, actor: &Actor, id_or_key: &str) -> Result<MessageDetails, DomainError>;
    /// Changes several messages as they are now, at most
    /// [`MAX_PAGE_ITEMS`](crate::input_limits::MAX_PAGE_ITEMS).
    async fn change_all(
        &self,
        actor: &Actor,
        ids: Vec<MessageId>,
        change: BulkMessageChange,
    ) -> Result<ChangedMessages, DomainError>;
    /// One message with its body. `AmbiguousKey` if several channels have one with its key; so do all that
    /// follow.
    async fn find(&self, actor: &Actor, which: MessageRef) -> Result<Message, DomainError>;
    /// Schedules a message. The same request with the same key and channel returns the same message;
    /// `MessageExists` if its content differs.
    async fn schedule(&self, actor: &Actor, new: NewMessage) -> Result<MessageRow, DomainError>;
    /// Schedules all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`]; `Bulk` lists the
    /// invalid ones by index.
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewMessage>)
    -> Result<Vec<MessageRow>, DomainError>;
    /// Refuses what [`Self::schedule_all`] would refuse; stores nothing.
    async fn check_all(&self, actor: &Actor, new: Vec<NewMessage>) -> Result<(), DomainError>;
    /// Sends a message now and repeats it until it is acknowledged. The same request with the same
    /// key returns the same notice.
    async fn notify(&self, actor: &Actor, new: NewMessage) -> Result<Notice, DomainError>;
    /// One notice with the line of its attempts.
    async fn notice(&self, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError>;
    /// Acknowledges a notice: no attempt is begun any more. Acknowledging it again changes nothing.
    async fn acknowledge(&self, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError>;
    /// Changes a message. `TaskConflict` if `seen` is not its version or its state does not allow
    /// the change. `None`: whatever its version is.
    async fn change(
        &self,
        actor: &Actor,
        which: MessageRef,
        change: MessageChange,
        seen: Option<Version>,
    ) -> Result<MessageRow, DomainError>;
}
