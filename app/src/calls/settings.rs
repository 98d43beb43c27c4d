//! Settings of the desk, and the zones there are.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
use domain::person::Language;
#[cfg(feature = "ssr")]
use domain::settings::DeskSettings;
use leptos::prelude::*;

/// Changes the settings of the desk.
#[server(name = ChangeSettings, prefix = "/fn", endpoint = "change_settings", output = Told)]
pub async fn change_settings(title: String, zone: String, language: Language) -> Result<(), Refused> {
    ssr::answer(
        async {
            let settings =
                DeskSettings { title: title.trim().to_owned(), zone: zone.trim().to_owned(), language };
            ssr::desk()?.people.change_settings(&ssr::actor()?, settings).await?;
            ssr::go("/settings/desk?done=save");
            Ok(())
        }
        .await,
    )
}

/// Names of all zones, for completing what is typed.
#[server(name = Zones, prefix = "/fn", endpoint = "zones", output = Told)]
pub async fn zones() -> Result<Vec<String>, Refused> {
    ssr::answer(async { Ok(ssr::desk()?.tasks.zones().await) }.await)
}
