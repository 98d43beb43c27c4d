//! Settings of the desk, and time zones.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    server_fns::{result_url::with_done, ssr},
    tasks::list_page::bulk::result_value,
};
#[cfg(feature = "ssr")]
use domain::settings::SiteSettings;
use domain::{account::Language, settings::ZoneChange};
use leptos::prelude::*;

/// Changes the settings of the desk. With another time zone, the first form without `zone_change` comes back
/// with the question what scheduled items keep.
#[server(name = ChangeSettings, prefix = "/fn", endpoint = "change_settings", output = JsonOutput)]
pub async fn change_settings(
    title: String,
    zone: String,
    language: Language,
    #[server(default)] zone_change: Option<ZoneChange>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let settings =
                SiteSettings { title: title.trim().to_owned(), zone: zone.trim().to_owned(), language };
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let outcome = services.settings.change_desk(&actor, settings, zone_change).await?.outcome;
            let done = outcome.batch.map_or_else(|| "save".to_owned(), |_| result_value::value(&outcome, ""));
            ssr::redirect(&with_done("/settings/desk", &done));
            Ok(())
        }
        .await,
    )
}
