//! The service of delayed messages.

use super::message::{Message, MessageChange, MessageQuery, MessageRow, NewMessage};
use crate::{Actor, DomainError, Page, Version};
use async_trait::async_trait;

/// Delayed messages. Admins only: a message goes to whatever a channel leads to.
#[async_trait]
pub trait Messages: Send + Sync {
    /// One page of the list, newest first.
    async fn list(&self, actor: &Actor, query: MessageQuery) -> Result<Page<MessageRow>, DomainError>;
    /// One message with its body.
    async fn find(&self, actor: &Actor, key: &str) -> Result<Message, DomainError>;
    /// Schedules a message. The same request with the same key returns the same message;
    /// `MessageExists` if its content differs.
    async fn schedule(&self, actor: &Actor, new: NewMessage) -> Result<MessageRow, DomainError>;
    /// Schedules all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`]; `Bulk` lists the
    /// invalid ones by index.
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewMessage>)
    -> Result<Vec<MessageRow>, DomainError>;
    /// Changes a message. `TaskConflict` if `seen` is not its version or its state does not allow
    /// the change. `None`: whatever its version is.
    async fn change(
        &self,
        actor: &Actor,
        key: &str,
        change: MessageChange,
        seen: Option<Version>,
    ) -> Result<MessageRow, DomainError>;
}
