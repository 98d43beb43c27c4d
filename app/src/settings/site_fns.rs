//! Settings of the public site.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::accounts::site_look::{SiteLook, SiteStyle};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, Version,
    accounts::site_look::{SiteLayout, SiteLink},
    error::ValidationError,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The form as it was typed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TypedSiteLook {
    /// Description.
    pub description: String,
    /// Colour.
    pub accent: String,
    /// Text in the footer.
    pub footer: String,
    /// One link a line: name and address.
    pub links: String,
    /// One slug a line.
    pub navigation: String,
    /// Word of the layout.
    pub layout: String,
    /// Address of the logo.
    #[serde(default)]
    pub logo: String,
    /// Address of the icon.
    #[serde(default)]
    pub favicon: String,
}

/// Returns how the site looks.
#[server(name = FindSiteLook, prefix = "/fn", endpoint = "site_look", output = JsonOutput)]
pub async fn find_site_look() -> Result<SiteLook, Refused> {
    ssr::respond(
        async {
            ssr::actor()?;
            ssr::services()?.settings.look().await
        }
        .await,
    )
}

/// Changes how the site looks.
#[server(name = SaveSiteLook, prefix = "/fn", endpoint = "save_site_look", output = JsonOutput)]
pub async fn save_site_look(seen: i32, #[server(flatten)] typed: TypedSiteLook) -> Result<(), Refused> {
    ssr::respond(
        async {
            let look = look_of(typed)?;
            ssr::services()?.settings.change_look(&ssr::actor()?, look, Some(Version(seen))).await?;
            ssr::redirect("/settings/site?done=save");
            Ok(())
        }
        .await,
    )
}

/// Returns the draft of the site's stylesheet.
#[server(name = FindSiteStyle, prefix = "/fn", endpoint = "site_style", output = JsonOutput)]
pub async fn find_site_style() -> Result<SiteStyle, Refused> {
    ssr::respond(async { ssr::services()?.settings.style(&ssr::actor()?).await }.await)
}

/// Keeps a stylesheet as the draft.
#[server(name = KeepSiteStyle, prefix = "/fn", endpoint = "keep_site_style", output = JsonOutput)]
pub async fn keep_site_style(css: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.settings.keep_style(&ssr::actor()?, css).await?;
            ssr::redirect("/settings/site?done=style");
            Ok(())
        }
        .await,
    )
}

/// Publishes the draft with this hash.
#[server(name = PublishSiteStyle, prefix = "/fn", endpoint = "publish_site_style", output = JsonOutput)]
pub async fn publish_site_style(#[server(default)] hash: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.settings.publish_style(&ssr::actor()?, hash).await?;
            ssr::redirect("/settings/site?done=save");
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn look_of(typed: TypedSiteLook) -> Result<SiteLook, DomainError> {
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let link = |line: String| {
        let (name, url) = line.rsplit_once(char::is_whitespace).unwrap_or(("", &line));
        SiteLink { name: name.trim().to_owned(), url: url.to_owned() }
    };
    let layout = typed.layout.parse().map_err(|_| {
        let words = SiteLayout::NAMES.join(", ");
        DomainError::invalid("layout", ValidationError::NotOneOf { words })
    })?;
    Ok(SiteLook {
        description: typed.description,
        accent: typed.accent,
        footer: typed.footer,
        links: lines(&typed.links).into_iter().map(link).collect(),
        navigation: lines(&typed.navigation),
        layout,
        logo: typed.logo,
        favicon: typed.favicon,
        ..SiteLook::default()
    })
}
