//! Channels and deliveries. Admins change them; every user sees the deliveries of a task.

pub mod api;
mod broker;
mod change;
mod check;
mod endpoint;
mod group;
pub(crate) mod log;
mod mail_server;
mod posts;

use crate::{app_state::AppState, services::internal_error};
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, ChannelId, DeliveryId, DomainError, Page, PostId, Timestamp, Version,
    channel::{
        Channel, ChannelEdit, ChannelSettings, CreatedChannel, MAIL_SERVER, MailEndpoint, Secret,
        SendingSettings,
    },
    delivery::{
        Delivery, DeliveryCounts, DeliveryDecision, DeliveryQuery, DeliveryRow, DeliveryState, Undelivered,
    },
    post::{Post, PostAction, PostQuery},
    services::Channels,
    task::BulkResult,
};
use store::{PoolRole, channel, due_reminder};

/// The channel service.
#[derive(Clone)]
pub struct ChannelService {
    parts: AppState,
}

impl ChannelService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }

    async fn read(&self, id: ChannelId) -> Result<Channel, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = channel::find(lease.conn(), id).await.map_err(internal_error)?;
        present(found.ok_or_else(|| DomainError::no_such("channel"))?, &self.parts)
    }
}

/// Presents a channel to admins. Omits an expired previous secret and a pause that has ended.
fn present(record: channel::ChannelRecord, parts: &AppState) -> Result<Channel, DomainError> {
    let now = parts.clock.now();
    let mut channel = Channel::try_from(record).map_err(internal_error)?;
    channel.rotating_until = channel.rotating_until.filter(|until| *until > now);
    channel.health.breaker_open_until = channel.health.breaker_open_until.filter(|until| *until > now);
    Ok(channel)
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

#[async_trait]
impl Channels for ChannelService {
    async fn list(&self, actor: &Actor) -> Result<Vec<Channel>, DomainError> {
        admin_only(actor)?;
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let all = channel::all(lease.conn()).await.map_err(internal_error)?;
        // The mail server has a page of its own.
        let all = all.into_iter().filter(|record| record.id != MAIL_SERVER.0);
        all.map(|record| present(record, &self.parts)).collect()
    }
    async fn find(&self, actor: &Actor, id: ChannelId) -> Result<Channel, DomainError> {
        admin_only(actor)?;
        self.read(id).await
    }
    async fn add(
        &self,
        actor: &Actor,
        new: ChannelSettings,
        secret: Option<Secret>,
    ) -> Result<CreatedChannel, DomainError> {
        admin_only(actor)?;
        let (id, secret) = change::add(&self.parts, actor, new, secret).await?;
        Ok(CreatedChannel { channel: self.read(id).await?, secret })
    }
    async fn edit(&self, actor: &Actor, id: ChannelId, edit: ChannelEdit) -> Result<Channel, DomainError> {
        admin_only(actor)?;
        change::edit(&self.parts, actor, id, edit).await?;
        self.read(id).await
    }
    async fn set_sending(
        &self,
        actor: &Actor,
        id: ChannelId,
        new: SendingSettings,
        seen: SendingSettings,
    ) -> Result<Channel, DomainError> {
        admin_only(actor)?;
        change::set_sending(&self.parts, actor, id, new, seen).await?;
        self.read(id).await
    }
    async fn mail_server(&self, actor: &Actor) -> Result<Option<Channel>, DomainError> {
        admin_only(actor)?;
        match self.read(MAIL_SERVER).await {
            Err(DomainError::NoSuch { .. }) => Ok(None),
            found => found.map(Some),
        }
    }
    async fn has_mail_server(&self, _actor: &Actor) -> Result<bool, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = channel::transports(lease.conn(), &[MAIL_SERVER.0]).await.map_err(internal_error)?;
        Ok(!found.is_empty())
    }
    async fn has_sms_channel(&self, _actor: &Actor) -> Result<bool, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let (_, sms) = due_reminder::channels(lease.conn()).await.map_err(internal_error)?;
        Ok(sms.is_some())
    }
    async fn set_mail_server(
        &self,
        actor: &Actor,
        route: MailEndpoint,
        secret: Option<Secret>,
    ) -> Result<Channel, DomainError> {
        admin_only(actor)?;
        mail_server::set(&self.parts, actor, route, secret).await?;
        self.read(MAIL_SERVER).await
    }
    async fn test_mail_server(&self, actor: &Actor) -> Result<DeliveryRow, DomainError> {
        admin_only(actor)?;
        mail_server::test(&self.parts, actor).await
    }
    async fn remove_mail_server(&self, actor: &Actor) -> Result<(), DomainError> {
        admin_only(actor)?;
        change::delete(&self.parts, actor, MAIL_SERVER).await
    }
    async fn test(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryRow, DomainError> {
        admin_only(actor)?;
        change::test(&self.parts, actor, &self.read(id).await?).await
    }
    async fn pause(&self, actor: &Actor, id: ChannelId, is_paused: bool) -> Result<Channel, DomainError> {
        admin_only(actor)?;
        change::pause(&self.parts, actor, &self.read(id).await?, is_paused).await?;
        self.read(id).await
    }
    async fn rotate_secret(&self, actor: &Actor, id: ChannelId) -> Result<CreatedChannel, DomainError> {
        admin_only(actor)?;
        let secret = change::rotate(&self.parts, actor, &self.read(id).await?).await?;
        Ok(CreatedChannel { channel: self.read(id).await?, secret: Some(secret) })
    }
    async fn delete(&self, actor: &Actor, id: ChannelId) -> Result<(), DomainError> {
        admin_only(actor)?;
        change::delete(&self.parts, actor, id).await
    }
    async fn deliveries(
        &self,
        actor: &Actor,
        query: DeliveryQuery,
    ) -> Result<Page<DeliveryRow>, DomainError> {
        if query.task.is_none() {
            admin_only(actor)?;
        }
        log::list(&self.parts, actor, &query).await
    }
    async fn delivery_counts(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryCounts, DomainError> {
        admin_only(actor)?;
        log::counts(&self.parts, id).await
    }
    async fn delivery(&self, actor: &Actor, id: DeliveryId) -> Result<Delivery, DomainError> {
        admin_only(actor)?;
        log::find(&self.parts, actor, id).await
    }
    async fn resolve(
        &self,
        actor: &Actor,
        id: DeliveryId,
        resolve: DeliveryDecision,
    ) -> Result<DeliveryRow, DomainError> {
        admin_only(actor)?;
        log::resolve(&self.parts, actor, id, resolve).await
    }
    async fn resend_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        state: DeliveryState,
        most: u64,
    ) -> Result<BulkResult, DomainError> {
        admin_only(actor)?;
        group::resend(&self.parts, actor, &self.read(id).await?, state, most).await
    }
    async fn retry_all(&self, actor: &Actor, id: ChannelId, most: u64) -> Result<BulkResult, DomainError> {
        admin_only(actor)?;
        group::retry(&self.parts, actor, &self.read(id).await?, most).await
    }
    async fn dismiss_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        which: Undelivered,
        seen_at: Timestamp,
        most: u64,
    ) -> Result<BulkResult, DomainError> {
        admin_only(actor)?;
        group::dismiss(&self.parts, actor, id, which, (seen_at, most)).await
    }
    async fn all_posts(&self, actor: &Actor, query: PostQuery) -> Result<Page<Post>, DomainError> {
        admin_only(actor)?;
        posts::all(&self.parts, &query).await
    }
    async fn change_post(
        &self,
        actor: &Actor,
        id: PostId,
        action: PostAction,
        seen: Version,
    ) -> Result<Post, DomainError> {
        admin_only(actor)?;
        posts::change(&self.parts, actor, id, action, seen).await
    }
    async fn posts(&self, actor: &Actor, article: ArticleId) -> Result<Vec<Post>, DomainError> {
        admin_only(actor)?;
        posts::list(&self.parts, article).await
    }
    async fn post(&self, actor: &Actor, article: ArticleId, channel: ChannelId) -> Result<Post, DomainError> {
        admin_only(actor)?;
        posts::find(&self.parts, article, channel).await
    }
    async fn choose_post(
        &self,
        actor: &Actor,
        article: ArticleId,
        channel: ChannelId,
        is_chosen: bool,
    ) -> Result<Post, DomainError> {
        admin_only(actor)?;
        posts::choose(&self.parts, actor, (article, channel), is_chosen).await
    }
    async fn undo_dismissal(
        &self,
        actor: &Actor,
        id: ChannelId,
        between: (Timestamp, Timestamp),
    ) -> Result<BulkResult, DomainError> {
        admin_only(actor)?;
        group::undo_dismissal(&self.parts, actor, id, between).await
    }
}
