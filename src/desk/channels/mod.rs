//! Channels and deliveries: the ways out. Admins change them; everybody sees what became of a task's deliveries.

mod change;
mod check;
mod group;
mod log;
mod route;

use crate::{desk::broken, parts::Parts};
use async_trait::async_trait;
use domain::{
    Actor, ChannelId, DeliveryId, Page, Refusal,
    channel::{Channel, ChannelEdit, FreshChannel, Secret},
    delivery::{Delivery, DeliveryQuery, DeliveryRow, DeliveryState, Resolve},
    desk::Channels,
    task::Retried,
};
use store::{Who, channel};

/// What people can do with channels.
#[derive(Clone)]
pub struct ChannelDesk {
    parts: Parts,
}

impl ChannelDesk {
    /// The desk of channels over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    async fn read(&self, id: ChannelId) -> Result<Channel, Refusal> {
        let mut lease = self.parts.store.read(Who::People).await.map_err(broken)?;
        let found = channel::find(lease.conn(), id).await.map_err(broken)?;
        shown(found.ok_or_else(|| Refusal::no_such("channel"))?, &self.parts)
    }
}

/// A channel as admins see it: a secret that no longer signs is not mentioned.
fn shown(record: channel::ChannelRecord, parts: &Parts) -> Result<Channel, Refusal> {
    let now = parts.clock.now();
    let mut channel = Channel::try_from(record).map_err(broken)?;
    channel.rotating_until = channel.rotating_until.filter(|until| *until > now);
    channel.health.rests_until = channel.health.rests_until.filter(|until| *until > now);
    Ok(channel)
}

fn admin_only(actor: &Actor) -> Result<(), Refusal> {
    if actor.is_admin() { Ok(()) } else { Err(Refusal::NotAllowed) }
}

#[async_trait]
impl Channels for ChannelDesk {
    async fn list(&self, actor: &Actor) -> Result<Vec<Channel>, Refusal> {
        admin_only(actor)?;
        let mut lease = self.parts.store.read(Who::People).await.map_err(broken)?;
        let all = channel::all(lease.conn()).await.map_err(broken)?;
        all.into_iter().map(|record| shown(record, &self.parts)).collect()
    }
    async fn find(&self, actor: &Actor, id: ChannelId) -> Result<Channel, Refusal> {
        admin_only(actor)?;
        self.read(id).await
    }
    async fn add(
        &self,
        actor: &Actor,
        new: ChannelEdit,
        secret: Option<Secret>,
    ) -> Result<FreshChannel, Refusal> {
        admin_only(actor)?;
        let (id, secret) = change::add(&self.parts, actor, new, secret).await?;
        Ok(FreshChannel { channel: self.read(id).await?, secret })
    }
    async fn edit(
        &self,
        actor: &Actor,
        id: ChannelId,
        edit: ChannelEdit,
        secret: Option<Secret>,
    ) -> Result<Channel, Refusal> {
        admin_only(actor)?;
        change::edit(&self.parts, actor, id, edit, secret).await?;
        self.read(id).await
    }
    async fn test(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryRow, Refusal> {
        admin_only(actor)?;
        change::test(&self.parts, actor, &self.read(id).await?).await
    }
    async fn pause(&self, actor: &Actor, id: ChannelId, is_paused: bool) -> Result<Channel, Refusal> {
        admin_only(actor)?;
        change::pause(&self.parts, actor, &self.read(id).await?, is_paused).await?;
        self.read(id).await
    }
    async fn rotate(&self, actor: &Actor, id: ChannelId) -> Result<FreshChannel, Refusal> {
        admin_only(actor)?;
        let secret = change::rotate(&self.parts, actor, &self.read(id).await?).await?;
        Ok(FreshChannel { channel: self.read(id).await?, secret: Some(secret) })
    }
    async fn delete(&self, actor: &Actor, id: ChannelId) -> Result<(), Refusal> {
        admin_only(actor)?;
        change::delete(&self.parts, actor, id).await
    }
    async fn deliveries(&self, actor: &Actor, query: DeliveryQuery) -> Result<Page<DeliveryRow>, Refusal> {
        if query.task.is_none() {
            admin_only(actor)?;
        }
        log::list(&self.parts, actor, &query).await
    }
    async fn delivery(&self, actor: &Actor, id: DeliveryId) -> Result<Delivery, Refusal> {
        admin_only(actor)?;
        log::find(&self.parts, actor, id).await
    }
    async fn resolve(&self, actor: &Actor, id: DeliveryId, resolve: Resolve) -> Result<DeliveryRow, Refusal> {
        admin_only(actor)?;
        log::resolve(&self.parts, actor, id, resolve).await
    }
    async fn resend_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        state: DeliveryState,
        most: u64,
    ) -> Result<Retried, Refusal> {
        admin_only(actor)?;
        group::resend(&self.parts, actor, &self.read(id).await?, state, most).await
    }
    async fn needing(&self, actor: &Actor) -> Result<Vec<DeliveryRow>, Refusal> {
        log::needing(&self.parts, actor).await
    }
}
