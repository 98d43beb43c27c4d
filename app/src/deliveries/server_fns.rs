//! Channels and deliveries.

use super::channel_form::ChannelForm;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    deliveries::mail_fields::desk_route,
    server_fns::{result_url::with_done, ssr},
};
use domain::{
    ChannelId, DeliveryId, Page,
    channel::{Channel, MailEndpoint},
    delivery::{Delivery, DeliveryCounts, DeliveryQuery, DeliveryRow},
};
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    channel::{ChannelEdit, CreatedChannel},
    delivery::DeliveryDecision,
    error::ValidationError,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The secret of a channel. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSecret {
    /// Name of the channel.
    pub name: String,
    /// The secret.
    pub secret: String,
}

/// All channels, by name.
#[server(name = ListChannels, prefix = "/fn", endpoint = "channels", output = JsonOutput)]
pub async fn list_channels() -> Result<Vec<Channel>, Refused> {
    ssr::respond(async { ssr::services()?.channels.list(&ssr::actor()?).await }.await)
}

/// A channel, and the mail server of the desk, which may send for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedChannel {
    /// The channel.
    pub channel: Channel,
    /// The mail server; `None`: the desk has none.
    pub desk: Option<MailEndpoint>,
}

/// One channel.
#[server(name = FindChannel, prefix = "/fn", endpoint = "channel", output = JsonOutput)]
pub async fn find_channel(id: String) -> Result<OpenedChannel, Refused> {
    ssr::respond(
        async {
            let (channels, actor) = (ssr::services()?.channels, ssr::actor()?);
            let channel = channels.find(&actor, read(&id, "channel")?).await?;
            Ok(OpenedChannel { channel, desk: desk_route(channels.mail_server(&actor).await?) })
        }
        .await,
    )
}

/// A page of the log of a channel, with the number of deliveries in each state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeliveryLog {
    /// The page.
    pub page: Page<DeliveryRow>,
    /// Counts over all deliveries of the channel.
    pub counts: DeliveryCounts,
}

/// A page of the log of a channel.
#[server(name = ReadLog, prefix = "/fn", endpoint = "channel_log", output = JsonOutput)]
pub async fn channel_log(
    id: String,
    #[server(default)] query: DeliveryQuery,
) -> Result<DeliveryLog, Refused> {
    ssr::respond(
        async {
            let (channels, actor) = (ssr::services()?.channels, ssr::actor()?);
            let id = read(&id, "channel")?;
            let counts = channels.delivery_counts(&actor, id).await?;
            let query = DeliveryQuery { channel: Some(id), ..query };
            Ok(DeliveryLog { page: channels.deliveries(&actor, query).await?, counts })
        }
        .await,
    )
}

/// A delivery with its message and attempts; `None` if `id` is `None`.
#[server(name = FindDelivery, prefix = "/fn", endpoint = "delivery", output = JsonOutput)]
pub async fn find_delivery(id: Option<String>) -> Result<Option<Delivery>, Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            let Some(id) = id else { return Ok(None) };
            ssr::services()?.channels.delivery(&actor, read(&id, "delivery")?).await.map(Some)
        }
        .await,
    )
}

/// Deliveries caused by a task.
#[server(name = DeliveriesOf, prefix = "/fn", endpoint = "deliveries_of", output = JsonOutput)]
pub async fn deliveries_of(task: String) -> Result<Vec<DeliveryRow>, Refused> {
    ssr::respond(
        async {
            let task = Some(read(&task, "task")?);
            let query = DeliveryQuery { task, limit: Some(200), ..DeliveryQuery::default() };
            Ok(ssr::services()?.channels.deliveries(&ssr::actor()?, query).await?.items)
        }
        .await,
    )
}

/// Adds a channel. The secret of a webhook is shown once.
#[server(name = AddChannel, prefix = "/fn", endpoint = "add_channel", output = JsonOutput)]
pub async fn add_channel(channel: ChannelForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            let (new, secret) = channel.read(actor.language)?;
            let created = ssr::services()?.channels.add(&actor, new, secret).await?;
            if !show_secret(&created, "/settings/channels") {
                ssr::redirect(&page(created.channel.id, "add"));
            }
            Ok(())
        }
        .await,
    )
}

/// Changes the settings of a channel, unless they are no longer `seen`: the settings as JSON.
#[server(name = EditChannel, prefix = "/fn", endpoint = "edit_channel", output = JsonOutput)]
pub async fn edit_channel(
    id: ChannelId,
    channel: ChannelForm,
    #[server(default)] seen: Option<String>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            let (settings, secret) = channel.read(actor.language)?;
            let seen = seen.map(|json| serde_json::from_str(&json)).transpose();
            let seen = seen.map_err(|_| DomainError::Changed)?;
            let edit = ChannelEdit { settings, secret, seen };
            ssr::services()?.channels.edit(&actor, id, edit).await?;
            ssr::redirect(&format!("{}&tab=settings", page(id, "save")));
            Ok(())
        }
        .await,
    )
}

/// Sends a test message.
#[server(name = TestChannel, prefix = "/fn", endpoint = "test_channel", output = JsonOutput)]
pub async fn test_channel(id: ChannelId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.channels.test(&ssr::actor()?, id).await?;
            ssr::redirect(&page(id, "test"));
            Ok(())
        }
        .await,
    )
}

/// Pauses a channel, or resumes it.
#[server(name = PauseChannel, prefix = "/fn", endpoint = "pause_channel", output = JsonOutput)]
pub async fn pause_channel(id: ChannelId, is_paused: bool) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.channels.pause(&ssr::actor()?, id, is_paused).await?;
            ssr::redirect(&page(id, if is_paused { "pause" } else { "resume" }));
            Ok(())
        }
        .await,
    )
}

/// Replaces the secret of a webhook. The new one is shown once.
#[server(name = RotateChannel, prefix = "/fn", endpoint = "rotate_channel", output = JsonOutput)]
pub async fn rotate_channel(id: ChannelId, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let created =
                ssr::services()?.channels.rotate_secret(&ssr::confirmed(password).await?, id).await?;
            show_secret(&created, &format!("/settings/channels/{id}?tab=settings"));
            Ok(())
        }
        .await,
    )
}

/// Returns the secret that a form without JavaScript has just created; `None` after the first call.
#[server(name = TakeNewSecret, prefix = "/fn", endpoint = "new_secret", output = JsonOutput)]
pub async fn new_secret() -> Result<Option<NewSecret>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("channel")))
}

/// Deletes a channel.
#[server(name = DeleteChannel, prefix = "/fn", endpoint = "delete_channel", output = JsonOutput)]
pub async fn delete_channel(id: ChannelId) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            services.channels.delete(&actor, id).await?;
            // Many waiting messages are cancelled first.
            match services.channels.find(&actor, id).await {
                Ok(_) => ssr::redirect("/settings/channels?done=deleting"),
                Err(DomainError::NoSuch { .. }) => ssr::redirect("/settings/channels?done=delete"),
                Err(other) => return Err(other),
            }
            Ok(())
        }
        .await,
    )
}

/// Resolves a delivery: `resend`, `arrived` or `drop`.
#[server(name = ResolveDelivery, prefix = "/fn", endpoint = "resolve_delivery", output = JsonOutput)]
pub async fn resolve_delivery(id: DeliveryId, what: String, from: String) -> Result<DeliveryRow, Refused> {
    ssr::respond(resolve(id, &what, &from).await)
}

/// Resolves a delivery from a list: one form for all rows, so a button carries the decision and the
/// id, as `resend.ID`.
#[server(name = ActOnDelivery, prefix = "/fn", endpoint = "act_on_delivery", output = JsonOutput)]
pub async fn act_on_delivery(act: String, from: String) -> Result<DeliveryRow, Refused> {
    ssr::respond(
        async {
            let (what, id) = act.split_once('.').unwrap_or((&act, ""));
            // A visitor learns nothing of ids.
            ssr::actor()?;
            resolve(read(id, "delivery")?, what, &from).await
        }
        .await,
    )
}

/// Resolves a delivery and returns to the page of the form.
#[cfg(feature = "ssr")]
async fn resolve(id: DeliveryId, what: &str, from: &str) -> Result<DeliveryRow, DomainError> {
    let decision = match what {
        "resend" => DeliveryDecision::Resend,
        "arrived" => DeliveryDecision::Arrived,
        "drop" => DeliveryDecision::Drop,
        _ => {
            let words = "resend, arrived, drop".to_owned();
            return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
        }
    };
    let row = ssr::services()?.channels.resolve(&ssr::actor()?, id, decision).await?;
    ssr::redirect_back(&with_done(from, what));
    Ok(row)
}

#[cfg(feature = "ssr")]
fn read<T: std::str::FromStr>(id: &str, what: &str) -> Result<T, DomainError> {
    id.parse().map_err(|_| DomainError::no_such(what))
}

#[cfg(feature = "ssr")]
fn page(id: ChannelId, done: &str) -> String {
    format!("/settings/channels/{id}?done={done}")
}

/// Redirects to a page that shows the new secret, if there is one.
#[cfg(feature = "ssr")]
fn show_secret(created: &CreatedChannel, to: &str) -> bool {
    let Some(secret) = &created.secret else { return false };
    let name = created.channel.settings.name.clone();
    ssr::show_once("channel", &NewSecret { name, secret: secret.0.clone() }, to);
    true
}
