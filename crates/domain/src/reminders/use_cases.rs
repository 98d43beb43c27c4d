//! The services of reminders and notifications.

use super::{
    NewReminder, NotificationChoices, NotificationList, Recipient, Reminder, ReminderChange, ReminderCounts,
    ReminderQuery, ReminderSelection, ReminderWords, RemindersChange,
};
use crate::{
    Actor, DomainError, Page, ReminderId, Version, base::when::TypedWords, bulk_change::BulkOutcome,
};
use async_trait::async_trait;
use uuid::Uuid;

/// Reminders. A user sees and changes those that it created, and snoozes or completes those that are
/// for it; admins may change all.
#[async_trait]
pub trait Reminders: Send + Sync {
    /// One page of the list.
    async fn list(&self, actor: &Actor, query: ReminderQuery) -> Result<Page<Reminder>, DomainError>;
    /// Number of reminders in each part of the list.
    async fn counts(&self, actor: &Actor) -> Result<ReminderCounts, DomainError>;
    /// One reminder.
    async fn find(&self, actor: &Actor, id: ReminderId) -> Result<Reminder, DomainError>;
    /// The reminders of users about an article or a meeting that the user sees, by due time.
    async fn about(&self, actor: &Actor, id: Uuid) -> Result<Vec<Reminder>, DomainError>;
    /// The recipient that an e-mail address means: the account that has it, else a mail.
    async fn recipient_at(&self, actor: &Actor, address: &str) -> Result<Recipient, DomainError>;
    /// What a time in words means for a reminder: a moment, or a series.
    async fn read_words(&self, actor: &Actor, words: TypedWords) -> Result<ReminderWords, DomainError>;
    /// Creates a reminder.
    async fn create(&self, actor: &Actor, new: NewReminder) -> Result<Reminder, DomainError>;
    /// Changes a reminder. `Changed` if `seen` is not its version. `None`: whatever its version is.
    async fn change(
        &self,
        actor: &Actor,
        id: ReminderId,
        change: ReminderChange,
        seen: Option<Version>,
    ) -> Result<Reminder, DomainError>;
    /// Changes up to [`super::MAX_BULK_REMINDERS`] reminders, each that can be changed. `is_dry_run`:
    /// changes nothing and lists what would happen.
    async fn change_many(
        &self,
        actor: &Actor,
        selection: ReminderSelection,
        change: RemindersChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError>;
}

/// Notifications of the user.
#[async_trait]
pub trait Notifications: Send + Sync {
    /// The newest notifications, at most `limit`.
    async fn list(&self, actor: &Actor, limit: u32) -> Result<NotificationList, DomainError>;
    /// Number of unread notifications.
    async fn unread(&self, actor: &Actor) -> Result<u64, DomainError>;
    /// Marks all notifications as read.
    async fn mark_all_read(&self, actor: &Actor) -> Result<NotificationList, DomainError>;
    /// What the user is notified of, and how.
    async fn choices(&self, actor: &Actor) -> Result<NotificationChoices, DomainError>;
    /// Replaces what the user is notified of. It holds for what happens from now on.
    async fn choose(
        &self,
        actor: &Actor,
        choices: NotificationChoices,
    ) -> Result<NotificationChoices, DomainError>;
}
