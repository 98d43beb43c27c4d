//! `/settings/site`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, word},
        numbers::optional_integer,
    },
};
use axum::{Json, extract::State};
use domain::{
    DomainError, Version,
    accounts::site_look::{SiteLayout, SiteLink, SiteLook},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How the public site looks.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteLookBody {
    /// Description for search engines and cards; empty: none.
    description: String,
    /// Accent colour as `#rrggbb`; empty: the built-in one.
    accent: String,
    /// Text in the footer; empty: none.
    footer: String,
    /// Links in the footer.
    links: Vec<SiteLinkBody>,
    /// Slugs of the pages in the navigation, in order; empty: all public pages by title.
    navigation: Vec<String>,
    /// `journal`, `notes` or `magazine`.
    layout: &'static str,
    /// Path of the logo in the media library; empty: none.
    logo: String,
    /// Path of the icon of the site in the media library; empty: the built-in one.
    favicon: String,
    /// Increases with each change.
    version: i32,
}

/// A link in the footer of the site.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteLinkBody {
    /// 1 to 40 characters.
    #[schema(min_length = 1, max_length = 40)]
    name: String,
    /// An `https` or `mailto` address.
    url: String,
}

impl From<SiteLook> for SiteLookBody {
    fn from(look: SiteLook) -> Self {
        let link = |SiteLink { name, url }| SiteLinkBody { name, url };
        Self {
            description: look.description,
            accent: look.accent,
            footer: look.footer,
            links: look.links.into_iter().map(link).collect(),
            navigation: look.navigation,
            layout: look.layout.as_str(),
            logo: look.logo,
            favicon: look.favicon,
            version: look.version.0,
        }
    }
}

/// Changes to the look of the site. Fields that are absent stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteLookEditBody {
    /// Description for search engines and cards, at most 300 characters.
    #[schema(max_length = 300)]
    description: Option<String>,
    /// A colour as `#rrggbb` with a contrast of at least 4.5 on the light background; empty: the built-in one.
    accent: Option<String>,
    /// Text in the footer, at most 300 characters.
    #[schema(max_length = 300)]
    footer: Option<String>,
    /// Replaces the links in the footer.
    #[schema(max_items = 8)]
    links: Option<Vec<SiteLinkBody>>,
    /// Replaces the slugs of the pages in the navigation.
    #[schema(max_items = 12)]
    navigation: Option<Vec<String>>,
    /// `journal`, `notes` or `magazine`.
    layout: Option<String>,
    /// Address of a picture in the media library, which stands in the head of each page instead of the
    /// title and becomes public; empty: none.
    logo: Option<String>,
    /// Address of a picture in the media library for the tab of the browser, which becomes public; empty:
    /// the built-in one.
    favicon: Option<String>,
    /// `version` that the caller saw; a different current one is a conflict.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

impl SiteLookEditBody {
    fn apply(self, before: SiteLook) -> Result<SiteLook, DomainError> {
        let layout = self.layout.map(|text| word("layout", &text, SiteLayout::NAMES)).transpose()?;
        let link = |SiteLinkBody { name, url }| SiteLink { name, url };
        let links = self.links.map(|links| links.into_iter().map(link).collect());
        Ok(SiteLook {
            description: self.description.unwrap_or(before.description),
            accent: self.accent.unwrap_or(before.accent),
            footer: self.footer.unwrap_or(before.footer),
            links: links.unwrap_or(before.links),
            navigation: self.navigation.unwrap_or(before.navigation),
            layout: layout.unwrap_or(before.layout),
            logo: self.logo.unwrap_or(before.logo),
            favicon: self.favicon.unwrap_or(before.favicon),
            style: before.style,
            version: before.version,
        })
    }
}

/// Returns how the public site looks.
#[utoipa::path(get, path = "/settings/site", tag = "articles", responses(
    (status = 200, description = "The look of the site", body = SiteLookBody)))]
pub async fn find(State(web): State<Web>, Auth(_actor): Auth) -> Result<Json<SiteLookBody>, ApiError> {
    Ok(Json(web.services.settings.look().await?.into()))
}

/// Changes how the public site looks.
#[utoipa::path(patch, path = "/settings/site", tag = "articles", request_body = SiteLookEditBody, responses(
    (status = 200, description = "The look of the site", body = SiteLookBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, edit): AuthJson<SiteLookEditBody>,
) -> Result<Json<SiteLookBody>, ApiError> {
    let before = web.services.settings.look().await?;
    // Without the version that the caller saw, the change applies to the one that was just read.
    let seen = edit.seen_version.map_or(before.version, Version);
    let look = edit.apply(before)?;
    Ok(Json(web.services.settings.change_look(&actor, look, Some(seen)).await?.into()))
}
