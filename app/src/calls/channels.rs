//! The ways out: channels and deliveries.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told, channel_form::ChannelForm};
use domain::{
    ChannelId, DeliveryId, Page,
    channel::Channel,
    delivery::{Delivery, DeliveryRow},
};
#[cfg(feature = "ssr")]
use domain::{
    Refusal,
    channel::FreshChannel,
    delivery::{DeliveryQuery, Resolve},
    refusal::Problem,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A channel's secret. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshSecret {
    /// What the channel is called.
    pub name: String,
    /// The secret.
    pub secret: String,
}

/// All channels, by name.
#[server(name = ListChannels, prefix = "/fn", endpoint = "channels", output = Told)]
pub async fn list_channels() -> Result<Vec<Channel>, Refused> {
    ssr::answer(async { ssr::desk()?.channels.list(&ssr::actor()?).await }.await)
}

/// One channel.
#[server(name = FindChannel, prefix = "/fn", endpoint = "channel", output = Told)]
pub async fn find_channel(id: String) -> Result<Channel, Refused> {
    ssr::answer(async { ssr::desk()?.channels.find(&ssr::actor()?, read(&id, "channel")?).await }.await)
}

/// A page of the log of a channel.
#[server(name = ReadLog, prefix = "/fn", endpoint = "channel_log", output = Told)]
pub async fn channel_log(id: String, cursor: Option<String>) -> Result<Page<DeliveryRow>, Refused> {
    ssr::answer(
        async {
            let channel = Some(read(&id, "channel")?);
            let query = DeliveryQuery { channel, cursor, ..DeliveryQuery::default() };
            ssr::desk()?.channels.deliveries(&ssr::actor()?, query).await
        }
        .await,
    )
}

/// One delivery with its message and attempts; `None`: none was asked for.
#[server(name = FindDelivery, prefix = "/fn", endpoint = "delivery", output = Told)]
pub async fn find_delivery(id: Option<String>) -> Result<Option<Delivery>, Refused> {
    ssr::answer(
        async {
            let actor = ssr::actor()?;
            let Some(id) = id else { return Ok(None) };
            ssr::desk()?.channels.delivery(&actor, read(&id, "delivery")?).await.map(Some)
        }
        .await,
    )
}

/// What was told to the outside because of a task.
#[server(name = DeliveriesOf, prefix = "/fn", endpoint = "deliveries_of", output = Told)]
pub async fn deliveries_of(task: String) -> Result<Vec<DeliveryRow>, Refused> {
    ssr::answer(
        async {
            let task = Some(read(&task, "task")?);
            let query = DeliveryQuery { task, limit: Some(200), ..DeliveryQuery::default() };
            Ok(ssr::desk()?.channels.deliveries(&ssr::actor()?, query).await?.items)
        }
        .await,
    )
}

/// A new channel. A webhook's secret is shown once.
#[server(name = AddChannel, prefix = "/fn", endpoint = "add_channel", output = Told)]
pub async fn add_channel(channel: ChannelForm) -> Result<(), Refused> {
    ssr::answer(
        async {
            let (new, secret) = channel.read()?;
            let fresh = ssr::desk()?.channels.add(&ssr::actor()?, new, secret).await?;
            if !show(&fresh, "/settings/channels") {
                ssr::go(&page(fresh.channel.id, "add"));
            }
            Ok(())
        }
        .await,
    )
}

/// Other settings of a channel.
#[server(name = EditChannel, prefix = "/fn", endpoint = "edit_channel", output = Told)]
pub async fn edit_channel(id: ChannelId, channel: ChannelForm) -> Result<(), Refused> {
    ssr::answer(
        async {
            let (edit, secret) = channel.read()?;
            ssr::desk()?.channels.edit(&ssr::actor()?, id, edit, secret).await?;
            ssr::go(&page(id, "save"));
            Ok(())
        }
        .await,
    )
}

/// Sends a test message.
#[server(name = TestChannel, prefix = "/fn", endpoint = "test_channel", output = Told)]
pub async fn test_channel(id: ChannelId) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.channels.test(&ssr::actor()?, id).await?;
            ssr::go(&page(id, "test"));
            Ok(())
        }
        .await,
    )
}

/// Stops a channel, or lets it send again.
#[server(name = PauseChannel, prefix = "/fn", endpoint = "pause_channel", output = Told)]
pub async fn pause_channel(id: ChannelId, is_paused: bool) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.channels.pause(&ssr::actor()?, id, is_paused).await?;
            ssr::go(&page(id, if is_paused { "pause" } else { "resume" }));
            Ok(())
        }
        .await,
    )
}

/// A new secret for a webhook. Shown once.
#[server(name = RotateChannel, prefix = "/fn", endpoint = "rotate_channel", output = Told)]
pub async fn rotate_channel(id: ChannelId, password: Option<String>) -> Result<(), Refused> {
    ssr::answer(
        async {
            let fresh = ssr::desk()?.channels.rotate(&ssr::confirmed(password).await?, id).await?;
            show(&fresh, &format!("/settings/channels/{id}"));
            Ok(())
        }
        .await,
    )
}

/// The secret made a moment ago by a form without JavaScript; `None` the second time.
#[server(name = TakeFreshSecret, prefix = "/fn", endpoint = "fresh_secret", output = Told)]
pub async fn fresh_secret() -> Result<Option<FreshSecret>, Refused> {
    ssr::answer(ssr::actor().map(|_| ssr::take_once("channel")))
}

/// Ends a channel.
#[server(name = DeleteChannel, prefix = "/fn", endpoint = "delete_channel", output = Told)]
pub async fn delete_channel(id: ChannelId) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.channels.delete(&ssr::actor()?, id).await?;
            ssr::go("/settings/channels?done=delete");
            Ok(())
        }
        .await,
    )
}

/// Decides about a delivery: `resend`, `arrived` or `drop`.
#[server(name = ResolveDelivery, prefix = "/fn", endpoint = "resolve_delivery", output = Told)]
pub async fn resolve_delivery(id: DeliveryId, what: String, from: String) -> Result<DeliveryRow, Refused> {
    ssr::answer(
        async {
            let resolve = match what.as_str() {
                "resend" => Resolve::Resend,
                "arrived" => Resolve::Arrived,
                "drop" => Resolve::Drop,
                _ => {
                    let words = "resend, arrived, drop".to_owned();
                    return Err(Refusal::invalid("what", Problem::NotOneOf { words }));
                }
            };
            let row = ssr::desk()?.channels.resolve(&ssr::actor()?, id, resolve).await?;
            ssr::go_back(&from);
            Ok(row)
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn read<T: std::str::FromStr>(id: &str, what: &str) -> Result<T, Refusal> {
    id.parse().map_err(|_| Refusal::no_such(what))
}

#[cfg(feature = "ssr")]
fn page(id: ChannelId, done: &str) -> String {
    format!("/settings/channels/{id}?done={done}")
}

/// Leads to a page that shows the secret, if one was made.
#[cfg(feature = "ssr")]
fn show(fresh: &FreshChannel, to: &str) -> bool {
    let Some(secret) = &fresh.secret else { return false };
    let name = fresh.channel.settings.name.clone();
    ssr::show_once("channel", &FreshSecret { name, secret: secret.0.clone() }, to);
    true
}
