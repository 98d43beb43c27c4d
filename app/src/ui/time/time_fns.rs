//! Times that a form offers and shows.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{ssr, time_of_form::local_time};
use domain::{LocalizedTime, TimePresets};
use leptos::prelude::*;

/// Resolves a local time.
#[server(name = ResolveTime, prefix = "/fn", endpoint = "resolve", output = JsonOutput)]
pub async fn resolve_time(
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
) -> Result<LocalizedTime, Refused> {
    ssr::respond(
        async {
            let when = local_time(&date, &time, &zone, &which);
            ssr::services()?.tasks.resolve(&ssr::actor()?, &when).await
        }
        .await,
    )
}

/// Returns the time presets in `zone`; in the user's time zone if `zone` is invalid.
#[server(name = ReadTimePresets, prefix = "/fn", endpoint = "time_presets", output = JsonOutput)]
pub async fn time_presets(#[server(default)] zone: String) -> Result<TimePresets, Refused> {
    ssr::respond(async { ssr::services()?.tasks.time_presets(&ssr::actor()?, &zone).await }.await)
}

/// Names of all time zones, for autocompletion.
#[server(name = Zones, prefix = "/fn", endpoint = "zones", output = JsonOutput)]
pub async fn zones() -> Result<Vec<String>, Refused> {
    ssr::respond(async { Ok(ssr::services()?.tasks.time_zones().await) }.await)
}
