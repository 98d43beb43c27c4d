//! Reminders and notifications.

pub mod api;
mod apply;
pub mod article;
mod change;
mod create;
mod input;
pub mod kinds;
pub mod meeting;
pub mod meeting_by_engine;
pub mod notifications;
mod occurrence;
mod of_item;
mod read;
mod write_plans;

pub use change::bulk::undo as undo_many;

use crate::{
    app_state::AppState,
    services::{Presenter, idempotency::answered_once, internal_error},
};
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DomainError, NotificationId, Page, ReminderId, Version,
    base::when::TypedWords,
    bulk_change::BulkOutcome,
    input_limits::MAX_PAGE_ITEMS,
    reminders::{
        NewReminder, Notification, NotificationChoices, NotificationList, Recipient, Reminder,
        ReminderChange, ReminderCounts, ReminderEdit, ReminderQuery, ReminderSelection, ReminderWords,
        RemindersChange,
        use_cases::{Notifications, Reminders},
    },
};
use store::{PoolRole, account, notification};
use uuid::Uuid;

/// The service of reminders and notifications.
#[derive(Clone)]
pub struct ReminderService {
    parts: AppState,
}

impl ReminderService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Reminders for ReminderService {
    async fn list(&self, actor: &Actor, query: ReminderQuery) -> Result<Page<Reminder>, DomainError> {
        read::list(&self.parts, actor, query).await
    }
    async fn counts(&self, actor: &Actor) -> Result<ReminderCounts, DomainError> {
        read::counts(&self.parts, actor).await
    }
    async fn find(&self, actor: &Actor, id: ReminderId) -> Result<Reminder, DomainError> {
        read::find(&self.parts, actor, id).await
    }
    async fn about(&self, actor: &Actor, id: Uuid) -> Result<Vec<Reminder>, DomainError> {
        read::about(&self.parts, actor, id).await
    }
    async fn recipient_at(&self, _actor: &Actor, address: &str) -> Result<Recipient, DomainError> {
        let address = input::check::address(address)?;
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = account::find_by_email(lease.conn(), &address).await.map_err(internal_error)?;
        Ok(match found.filter(|account| account.is_disabled == 0) {
            Some(account) => Recipient::Account(AccountId(account.id)),
            None => Recipient::Mail(address),
        })
    }
    async fn read_words(&self, actor: &Actor, words: TypedWords) -> Result<ReminderWords, DomainError> {
        input::words::read(&self.parts, actor, &words).await
    }
    async fn create(&self, actor: &Actor, new: NewReminder) -> Result<Reminder, DomainError> {
        (self.parts.hooks.check_texts)(&self.parts, &[&new.text]).await?;
        create::create(&self.parts, actor, new).await
    }
    async fn change(
        &self,
        actor: &Actor,
        id: ReminderId,
        change: ReminderChange,
        seen: Option<Version>,
    ) -> Result<Reminder, DomainError> {
        if let ReminderChange::Edit(ReminderEdit { text: Some(text), .. }) = &change {
            (self.parts.hooks.check_texts)(&self.parts, &[text]).await?;
        }
        change::change(&self.parts, actor, id, change, seen).await
    }
    async fn change_many(
        &self,
        actor: &Actor,
        selection: ReminderSelection,
        change: RemindersChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError> {
        let change = Box::pin(change::bulk::change(&self.parts, actor, selection, change, is_dry_run));
        answered_once(&self.parts.store, actor, self.parts.clock.now(), change).await
    }
}

#[async_trait]
impl Notifications for ReminderService {
    async fn list(&self, actor: &Actor, limit: u32) -> Result<NotificationList, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        let unread = notification::unread(lease.conn(), actor.account).await.map_err(internal_error)?;
        let limit = limit.clamp(1, MAX_PAGE_ITEMS);
        let rows = notification::newest(lease.conn(), actor.account, limit).await.map_err(internal_error)?;
        let undos = notifications::undo::offers(lease.conn(), &presenter, &rows).await?;
        let item = |row: notification::NotificationRow| Notification {
            undo: undos.get(&row.id).copied(),
            id: NotificationId(row.id),
            text: row.text,
            link: row.link,
            created: presenter.moment(row.created_at),
            is_read: row.read_at.is_some(),
        };
        Ok(NotificationList { items: rows.into_iter().map(item).collect(), unread })
    }
    async fn unread(&self, actor: &Actor) -> Result<u64, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        notification::unread(lease.conn(), actor.account).await.map_err(internal_error)
    }
    async fn mark_all_read(&self, actor: &Actor) -> Result<NotificationList, DomainError> {
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        notification::mark_all_read(tx.conn(), actor.account, self.parts.clock.now())
            .await
            .map_err(internal_error)?;
        tx.commit().await.map_err(internal_error)?;
        Notifications::list(self, actor, domain::input_limits::DEFAULT_PAGE_ITEMS).await
    }
    async fn choices(&self, actor: &Actor) -> Result<NotificationChoices, DomainError> {
        notifications::choices::find(&self.parts, actor).await
    }
    async fn choose(
        &self,
        actor: &Actor,
        choices: NotificationChoices,
    ) -> Result<NotificationChoices, DomainError> {
        notifications::choices::choose(&self.parts, actor, choices).await
    }
}
