//! `/mail-server`.

use crate::{
    deliveries::api::DeliveryBody,
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, word},
            numbers::required_integer,
        },
    },
};
use axum::{Json, extract::State, http::StatusCode};
use domain::{
    DomainError, Timestamp,
    account::Language,
    channel::{Channel, Endpoint, MailEndpoint, MailSecurity, Secret},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The mail server of the desk. Its password is never returned.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailServerBody {
    /// Host name.
    host: String,
    /// Port.
    port: u16,
    /// `starttls`, `tls` or `none`.
    security: &'static str,
    /// User name; null: no log-in.
    username: Option<String>,
    /// Whether a password is stored.
    has_password: bool,
    /// Sender of the mails.
    from: String,
    /// When it last accepted a mail.
    #[schema(value_type = Option<String>, format = DateTime)]
    succeeded_at: Option<Timestamp>,
    /// When it last refused a mail or could not be reached.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
    /// What it last answered.
    last_response_body: Option<String>,
}

impl TryFrom<Channel> for MailServerBody {
    type Error = DomainError;
    fn try_from(channel: Channel) -> Result<Self, DomainError> {
        let Endpoint::Mail(route) = channel.settings.endpoint else {
            return Err(DomainError::no_such("mail server"));
        };
        Ok(Self {
            host: route.host,
            port: route.port,
            security: route.security.as_str(),
            username: route.username,
            has_password: channel.has_secret,
            from: route.from,
            succeeded_at: channel.health.succeeded_at,
            failed_at: channel.health.failed_at,
            last_response_body: channel.health.last_response_body,
        })
    }
}

/// Settings of the mail server.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMailServer {
    /// Host name.
    #[schema(max_length = 253)]
    host: String,
    /// 25, 465, 587, or from 1024 on.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 1, maximum = 65_535)]
    port: u16,
    /// `starttls` (if absent), `tls`, or `none`, which is allowed only inside a private network.
    security: Option<String>,
    /// User name; null: no log-in.
    #[schema(max_length = 254)]
    username: Option<String>,
    /// Password; if absent, the stored one stays, unless host, port or user name change.
    #[schema(max_length = 1000)]
    password: Option<String>,
    /// Sender of the mails.
    #[schema(max_length = 254)]
    from: String,
}

impl NewMailServer {
    fn read(self) -> Result<(MailEndpoint, Option<Secret>), DomainError> {
        let security = self.security.map(|name| word("security", &name, MailSecurity::NAMES)).transpose()?;
        let route = MailEndpoint {
            host: self.host,
            port: self.port,
            security: security.unwrap_or(MailSecurity::StartTls),
            username: self.username.filter(|name| !name.trim().is_empty()),
            from: self.from,
            to: Vec::new(),
            language: Language::En,
        };
        Ok((route, self.password.map(Secret)))
    }
}

/// Returns the mail server of the desk.
#[utoipa::path(get, path = "/mail-server", tag = "deliveries", responses(
    (status = 200, description = "The mail server", body = MailServerBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "The desk has none: reminders to addresses fail", body = ErrorBody)))]
pub async fn show(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<MailServerBody>, ApiError> {
    let found = web.services.channels.mail_server(&actor).await?;
    Ok(Json(found.ok_or_else(|| DomainError::no_such("mail server"))?.try_into()?))
}

/// Sets or changes the mail server of the desk.
#[utoipa::path(put, path = "/mail-server", tag = "deliveries", request_body = NewMailServer, responses(
    (status = 200, description = "The mail server", body = MailServerBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn set(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewMailServer>,
) -> Result<Json<MailServerBody>, ApiError> {
    let (route, secret) = new.read()?;
    Ok(Json(web.services.channels.set_mail_server(&actor, route, secret).await?.try_into()?))
}

/// Removes the mail server. Reminders to addresses fail from then on.
#[utoipa::path(delete, path = "/mail-server", tag = "deliveries", responses(
    (status = 204, description = "It is removed"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "The desk has none", body = ErrorBody)))]
pub async fn remove(State(web): State<Web>, Auth(actor): Auth) -> Result<StatusCode, ApiError> {
    web.services.channels.remove_mail_server(&actor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a mail to the caller through the mail server, with one attempt. The delivery shows what the
/// server answered.
#[utoipa::path(post, path = "/mail-server/test", tag = "deliveries", responses(
    (status = 202, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "The desk has none", body = ErrorBody)))]
pub async fn test(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<(StatusCode, Json<DeliveryBody>), ApiError> {
    let row = web.services.channels.test_mail_server(&actor).await?;
    Ok((StatusCode::ACCEPTED, Json(row.into())))
}
