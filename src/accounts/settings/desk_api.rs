//! `/settings/desk`.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, word},
        },
    },
    tasks::api::bulk_change::BulkOutcomeBody,
};
use axum::{Json, extract::State};
use domain::{
    DomainError,
    account::Language,
    settings::{SettingsChange, SiteSettings, ZoneChange},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The settings of the desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskBody {
    /// Title of the desk and of the public site.
    title: String,
    /// IANA time zone.
    zone: String,
    /// Language of the public site, `en`, `zh` or `de`.
    language: &'static str,
}

impl From<SiteSettings> for DeskBody {
    fn from(settings: SiteSettings) -> Self {
        let SiteSettings { title, zone, language } = settings;
        Self { title, zone, language: language.as_str() }
    }
}

/// Changes of the settings. Fields that are absent stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeskEditBody {
    /// Title, at most 100 characters.
    #[schema(max_length = 100)]
    title: Option<String>,
    /// Time zone: a name or a city.
    zone: Option<String>,
    /// `en`, `zh` or `de`.
    language: Option<String>,
    /// With another zone: what scheduled tasks keep that are planned in the current one.
    /// `keep_wall_clock`: they move to the same wall-clock time in the new zone; those that would have passed
    /// keep their instant. `keep_instant`: they keep their instant, and stay planned in the current zone.
    /// Tasks of meetings and reminders keep their times.
    zone_change: Option<String>,
}

impl DeskEditBody {
    fn apply(self, before: SiteSettings) -> Result<(SiteSettings, Option<ZoneChange>), DomainError> {
        let language = self.language.map(|text| word("language", &text, Language::NAMES)).transpose()?;
        let choice =
            self.zone_change.map(|text| word("zone_change", &text, ZoneChange::NAMES)).transpose()?;
        let settings = SiteSettings {
            title: self.title.unwrap_or(before.title),
            zone: self.zone.unwrap_or(before.zone),
            language: language.unwrap_or(before.language),
        };
        Ok((settings, choice))
    }
}

/// The changed settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskChangeBody {
    #[serde(flatten)]
    desk: DeskBody,
    /// What became of scheduled tasks. Its `batch_id` undoes the change of the zone and of all of them.
    tasks: BulkOutcomeBody,
}

impl From<SettingsChange> for DeskChangeBody {
    fn from(change: SettingsChange) -> Self {
        Self { desk: change.settings.into(), tasks: change.outcome.into() }
    }
}

/// Returns the title, time zone and language of the desk.
#[utoipa::path(get, path = "/settings/desk", tag = "articles", responses(
    (status = 200, description = "The settings of the desk", body = DeskBody)))]
pub async fn find(State(web): State<Web>, Auth(_actor): Auth) -> Result<Json<DeskBody>, ApiError> {
    Ok(Json(web.services.settings.settings().await?.into()))
}

/// Changes the title, time zone and language of the desk.
#[utoipa::path(patch, path = "/settings/desk", tag = "articles", request_body = DeskEditBody, responses(
    (status = 200, description = "The settings of the desk", body = DeskChangeBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "Scheduled tasks are planned in the current zone, and `zone_change` is missing: see `zone_effect`; nothing was changed", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, edit): AuthJson<DeskEditBody>,
) -> Result<Json<DeskChangeBody>, ApiError> {
    let before = web.services.settings.settings().await?;
    let (settings, choice) = edit.apply(before)?;
    Ok(Json(web.services.settings.change_desk(&actor, settings, choice).await?.into()))
}
