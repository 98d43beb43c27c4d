//! The settings of the queue: reads them, and changes how a channel sends.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::{
    ChannelId, Priority,
    channel::{ChannelSettings, RatePeriod, SendingSettings},
    engine::queue::{KindSettings, SettingChange},
};
#[cfg(feature = "ssr")]
use domain::{DomainError, error::ValidationError};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePage {
    /// The kinds of tasks.
    pub kinds: Vec<KindSettings>,
    /// The channels, by name.
    pub channels: Vec<ChannelSending>,
}

/// A channel and how it sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSending {
    /// Id of the channel.
    pub id: ChannelId,
    /// Its settings.
    pub settings: ChannelSettings,
    /// The last change of its settings; `None`: that is no longer known.
    pub change: Option<SettingChange>,
}

/// Returns what the page shows. For admins.
#[server(name = ReadQueueSettings, prefix = "/fn", endpoint = "queue_settings", output = JsonOutput)]
pub async fn queue_settings() -> Result<QueuePage, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let report = services.engine.queue(&actor).await?;
            let change_of = |id: ChannelId| {
                let found = report.channels.iter().find(|(known, _)| *known == id);
                found.map(|(_, change)| change.clone())
            };
            let channels = services.channels.list(&actor).await?;
            let channels = channels.into_iter().map(|channel| ChannelSending {
                id: channel.id,
                settings: channel.settings,
                change: change_of(channel.id),
            });
            let channels = channels.collect();
            Ok(QueuePage { kinds: report.kinds, channels })
        }
        .await,
    )
}

/// Changes how a channel sends, unless it no longer does as `seen`; an empty `rate` is no limit. For admins.
#[server(name = SetChannelSending, prefix = "/fn", endpoint = "set_channel_sending", output = JsonOutput)]
pub async fn set_channel_sending(
    id: ChannelId,
    concurrency: String,
    priority: Priority,
    rate: String,
    rate_per: RatePeriod,
    seen: SendingSettings,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (channels, actor) = (ssr::services()?.channels, ssr::actor()?);
            let number = |field: &str, typed: &str| {
                let wrong = |_| DomainError::invalid(field, ValidationError::NotANumber);
                typed.trim().parse::<u16>().map_err(wrong)
            };
            let concurrency = number("concurrency", &concurrency)?;
            let rate = match rate.trim() {
                "" => None,
                typed => Some(number("rate", typed)?),
            };
            let new = SendingSettings { concurrency, priority, rate, rate_per };
            channels.set_sending(&actor, id, new, seen).await?;
            ssr::redirect_back(&with_done(&from, "limit-kind"));
            Ok(())
        }
        .await,
    )
}
