//! Delayed messages: programs give Presstime a message, a channel and a moment. Admins only.

pub mod api;
mod bulk;
mod change;
pub mod check;
mod create;
pub mod kinds;
mod notice_line;
mod notices;
mod read;
pub mod send_time;

use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    Actor, DomainError, MessageId, Page, Version,
    message::Notice,
    message::{
        BulkMessageChange, ChangedMessages, Message, MessageChange, MessageDetails, MessageList,
        MessageQuery, MessageRef, MessageRow, NewMessage,
    },
    services::Messages,
};

/// The service of delayed messages.
#[derive(Clone)]
pub struct MessageService {
    parts: AppState,
}

impl MessageService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

#[async_trait]
impl Messages for MessageService {
    async fn list(&self, actor: &Actor, query: MessageQuery) -> Result<Page<MessageRow>, DomainError> {
        admin_only(actor)?;
        read::list(&self.parts, actor, query).await
    }
    async fn list_with_tasks(&self, actor: &Actor, query: MessageQuery) -> Result<MessageList, DomainError> {
        admin_only(actor)?;
        read::list_with_tasks(&self.parts, actor, query).await
    }
    async fn details(&self, actor: &Actor, id_or_key: &str) -> Result<MessageDetails, DomainError> {
        admin_only(actor)?;
        read::details(&self.parts, actor, id_or_key).await
    }
    async fn change_all(
        &self,
        actor: &Actor,
        ids: Vec<MessageId>,
        change: BulkMessageChange,
    ) -> Result<ChangedMessages, DomainError> {
        admin_only(actor)?;
        bulk::change_all(&self.parts, actor, &ids, change).await
    }
    async fn find(&self, actor: &Actor, which: MessageRef) -> Result<Message, DomainError> {
        admin_only(actor)?;
        let id = read::id_of(&self.parts, which).await?;
        read::find(&self.parts, actor, id).await
    }
    async fn schedule(&self, actor: &Actor, new: NewMessage) -> Result<MessageRow, DomainError> {
        admin_only(actor)?;
        (self.parts.hooks.check_texts)(&self.parts, &[&new.body]).await?;
        create::one(&self.parts, actor, new).await
    }
    async fn schedule_all(
        &self,
        actor: &Actor,
        new: Vec<NewMessage>,
    ) -> Result<Vec<MessageRow>, DomainError> {
        admin_only(actor)?;
        (self.parts.hooks.check_texts)(
            &self.parts,
            &new.iter().map(|one| one.body.as_str()).collect::<Vec<_>>(),
        )
        .await?;
        create::all(&self.parts, actor, new).await
    }
    async fn check_all(&self, actor: &Actor, new: Vec<NewMessage>) -> Result<(), DomainError> {
        admin_only(actor)?;
        create::check_all(&self.parts, actor, new).await
    }
    async fn notify(&self, actor: &Actor, new: NewMessage) -> Result<Notice, DomainError> {
        admin_only(actor)?;
        (self.parts.hooks.check_texts)(&self.parts, &[&new.body]).await?;
        notices::notify(&self.parts, actor, new).await
    }
    async fn notice(&self, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError> {
        admin_only(actor)?;
        notices::find(&self.parts, actor, which).await
    }
    async fn acknowledge(&self, actor: &Actor, which: MessageRef) -> Result<Notice, DomainError> {
        admin_only(actor)?;
        notices::acknowledge(&self.parts, actor, which).await
    }
    async fn change(
        &self,
        actor: &Actor,
        which: MessageRef,
        change: MessageChange,
        seen: Option<Version>,
    ) -> Result<MessageRow, DomainError> {
        admin_only(actor)?;
        if let MessageChange::Edit { body: Some(body), .. } = &change {
            (self.parts.hooks.check_texts)(&self.parts, &[body]).await?;
        }
        let id = read::id_of(&self.parts, which).await?;
        change::change(&self.parts, actor, id, change, seen).await
    }
}
