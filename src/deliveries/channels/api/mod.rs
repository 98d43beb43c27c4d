//! `/channels`, for admins.

mod body;
mod settings;

use crate::{
    deliveries::api::DeliveryBody,
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, id, word},
        },
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
pub use body::{ChannelBody, ChannelPage, CreatedChannelBody};
use domain::channel::{ChannelEdit, ChannelSettings as DomainSettings, Transport};
pub use settings::ChannelSettings;

/// Lists all channels.
#[utoipa::path(get, path = "/channels", tag = "channels", responses(
    (status = 200, description = "All channels", body = ChannelPage),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<ChannelPage>, ApiError> {
    let items = web.services.channels.list(&actor).await?.into_iter().map(ChannelBody::from).collect();
    Ok(Json(ChannelPage::whole(items)))
}

/// Creates a channel. The signing secret of a webhook is returned only here, and again to a
/// request with the same `Idempotency-Key`.
#[utoipa::path(post, path = "/channels", tag = "channels", request_body = ChannelSettings, responses(
    (status = 201, description = "The channel, with the signing secret of a webhook", body = CreatedChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<ChannelSettings>,
) -> Result<(StatusCode, Json<CreatedChannelBody>), ApiError> {
    let transport = match new.transport.as_deref() {
        Some(name) => word("transport", name, Transport::NAMES)?,
        None => Transport::Webhook,
    };
    let (new, secret) = new.apply_to(DomainSettings::initial(transport))?;
    let created = web.services.channels.add(&actor, new, secret).await?;
    Ok((StatusCode::CREATED, Json(created.into())))
}

/// Returns a channel.
#[utoipa::path(get, path = "/channels/{id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    Ok(Json(web.services.channels.find(&actor, id(&channel, "channel")?).await?.into()))
}

/// Changes the settings of a channel.
#[utoipa::path(patch, path = "/channels/{id}", tag = "channels", request_body = ChannelSettings,
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "It has another transport, or was changed at the same time", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(channel): Path<String>,
    AuthJson(actor, edit): AuthJson<ChannelSettings>,
) -> Result<Json<ChannelBody>, ApiError> {
    let id = id(&channel, "channel")?;
    let current = web.services.channels.find(&actor, id).await?;
    let transport = current.settings.endpoint.transport();
    let requested: Transport =
        edit.transport.as_deref().map_or(Ok(transport), |name| word("transport", name, Transport::NAMES))?;
    if requested != transport || edit.has_other_transport(transport) {
        let why = format!(
            "the transport of this channel is {transport} and cannot be changed; create another channel"
        );
        return Err(ApiError::Unreadable(StatusCode::CONFLICT, why));
    }
    let seen = Some(current.settings.clone());
    let (settings, secret) = edit.apply_to(current.settings)?;
    let edit = ChannelEdit { settings, secret, seen };
    Ok(Json(web.services.channels.edit(&actor, id, edit).await?.into()))
}

/// Deletes a channel and cancels its pending deliveries; its log is kept. With more than 1,000 of them the
/// channel has the state `deleting` until all are cancelled.
#[utoipa::path(delete, path = "/channels/{id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 204, description = "Deleted, or being deleted"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "It is being deleted", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<StatusCode, ApiError> {
    web.services.channels.delete(&actor, id(&channel, "channel")?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test message with a single attempt.
#[utoipa::path(post, path = "/channels/{id}/test", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 202, description = "The delivery; it is being sent", body = DeliveryBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "The channel is not active", body = ErrorBody)))]
pub async fn test(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<(StatusCode, Json<DeliveryBody>), ApiError> {
    let row = web.services.channels.test(&actor, id(&channel, "channel")?).await?;
    Ok((StatusCode::ACCEPTED, Json(row.into())))
}

async fn set_paused(
    web: &Web,
    actor: &domain::Actor,
    channel: &str,
    is_paused: bool,
) -> Result<Json<ChannelBody>, ApiError> {
    Ok(Json(web.services.channels.pause(actor, id(channel, "channel")?, is_paused).await?.into()))
}

/// Pauses a channel; its deliveries wait.
#[utoipa::path(post, path = "/channels/{id}/pause", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "The channel is not active", body = ErrorBody)))]
pub async fn pause(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    set_paused(&web, &actor, &channel, true).await
}

/// Resumes a channel: ends a pause, closes the circuit breaker, and enables it again after a 410.
#[utoipa::path(post, path = "/channels/{id}/resume", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody)))]
pub async fn resume(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    set_paused(&web, &actor, &channel, false).await
}

/// Replaces the signing secret of a webhook. For 24 hours messages are also signed with the
/// previous one.
#[utoipa::path(post, path = "/channels/{id}/rotate", tag = "channels",
    params(("id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The channel with its new secret", body = CreatedChannelBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "Its transport has no signing secret", body = ErrorBody)))]
pub async fn rotate(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(channel): Path<String>,
) -> Result<Json<CreatedChannelBody>, ApiError> {
    Ok(Json(web.services.channels.rotate_secret(&actor, id(&channel, "channel")?).await?.into()))
}
