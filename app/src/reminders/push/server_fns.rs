//! Browsers that show the notifications of the user.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::push::NewPushDevice;
use domain::{PushDeviceId, push::PushDevices};
use leptos::prelude::*;

/// The user's browsers.
#[server(name = ReadPushDevices, prefix = "/fn", endpoint = "push_devices", output = JsonOutput)]
pub async fn push_devices() -> Result<PushDevices, Refused> {
    ssr::respond(async { ssr::services()?.push.devices(&ssr::actor()?).await }.await)
}

/// Adds this browser. The fields are those of its `PushSubscription`.
#[server(name = SubscribePush, prefix = "/fn", endpoint = "subscribe_push", output = JsonOutput)]
pub async fn subscribe_push(endpoint: String, p256dh: String, auth: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let agent = ssr::caller()?.client.agent;
            let new = NewPushDevice { endpoint, p256dh, auth, agent };
            ssr::services()?.push.subscribe(&ssr::actor()?, new).await?;
            Ok(())
        }
        .await,
    )
}

/// Removes this browser.
#[server(name = UnsubscribePush, prefix = "/fn", endpoint = "unsubscribe_push", output = JsonOutput)]
pub async fn unsubscribe_push(endpoint: String) -> Result<(), Refused> {
    ssr::respond(async { ssr::services()?.push.unsubscribe(&ssr::actor()?, &endpoint).await }.await)
}

/// Removes one of the user's browsers.
#[server(name = RemovePushDevice, prefix = "/fn", endpoint = "remove_push_device", output = JsonOutput)]
pub async fn remove_push_device(id: PushDeviceId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.push.remove(&ssr::actor()?, id).await?;
            ssr::redirect(&with_done("/notifications", "push-removed"));
            Ok(())
        }
        .await,
    )
}
