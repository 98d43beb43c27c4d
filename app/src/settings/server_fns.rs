//! Settings of the desk, and time zones.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::account::Language;
#[cfg(feature = "ssr")]
use domain::settings::SiteSettings;
use leptos::prelude::*;

/// Changes the settings of the desk.
#[server(name = ChangeSettings, prefix = "/fn", endpoint = "change_settings", output = JsonOutput)]
pub async fn change_settings(title: String, zone: String, language: Language) -> Result<(), Refused> {
    ssr::respond(
        async {
            let settings =
                SiteSettings { title: title.trim().to_owned(), zone: zone.trim().to_owned(), language };
            ssr::services()?.settings.change_settings(&ssr::actor()?, settings).await?;
            ssr::redirect("/settings/desk?done=save");
            Ok(())
        }
        .await,
    )
}

/// Names of all time zones, for autocompletion.
#[server(name = Zones, prefix = "/fn", endpoint = "zones", output = JsonOutput)]
pub async fn zones() -> Result<Vec<String>, Refused> {
    ssr::respond(async { Ok(ssr::services()?.tasks.time_zones().await) }.await)
}
