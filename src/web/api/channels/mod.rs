//! `/channels`: the ways out. For admins.

mod body;
mod settings;

use super::{
    super::Web,
    ApiError, ErrorBody,
    deliveries::DeliveryBody,
    sent::{Bearer, Sent, id, word},
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
pub use body::{ChannelBody, ChannelPage, FreshChannelBody};
use domain::{
    Refusal,
    channel::{ChannelEdit, Way},
    refusal::Problem,
};
pub use settings::ChannelSettings;

/// Lists the channels.
#[utoipa::path(get, path = "/channels", tag = "channels", responses(
    (status = 200, description = "All channels", body = ChannelPage),
    (status = 403, description = "For admins", body = ErrorBody)))]
pub(super) async fn list(
    State(web): State<Web>,
    Bearer(actor): Bearer,
) -> Result<Json<ChannelPage>, ApiError> {
    let items = web.desk.channels.list(&actor).await?.into_iter().map(ChannelBody::from).collect();
    Ok(Json(ChannelPage::whole(items)))
}

/// Makes a channel. The secret of a webhook is in the answer and nowhere else.
#[utoipa::path(post, path = "/channels", tag = "channels", request_body = ChannelSettings, responses(
    (status = 201, description = "The channel, and the secret of a webhook", body = FreshChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn create(
    State(web): State<Web>,
    Sent(actor, new): Sent<ChannelSettings>,
) -> Result<(StatusCode, Json<FreshChannelBody>), ApiError> {
    let way = new.way.as_deref().map_or(Ok(Way::Webhook), |way| word("way", way, Way::WORDS))?;
    let (new, secret) = new.over(ChannelEdit::usual(way))?;
    let fresh = web.desk.channels.add(&actor, new, secret).await?;
    Ok((StatusCode::CREATED, Json(fresh.into())))
}

/// Shows a channel.
#[utoipa::path(get, path = "/channels/{id}", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn find(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    Ok(Json(web.desk.channels.find(&actor, id(&channel, "channel")?).await?.into()))
}

/// Changes the settings of a channel.
#[utoipa::path(patch, path = "/channels/{id}", tag = "channels", request_body = ChannelSettings,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn edit(
    State(web): State<Web>,
    Path(channel): Path<String>,
    Sent(actor, edit): Sent<ChannelSettings>,
) -> Result<Json<ChannelBody>, ApiError> {
    let id = id(&channel, "channel")?;
    let was = web.desk.channels.find(&actor, id).await?;
    let way = was.settings.route.way();
    if edit.way.as_deref().is_some_and(|asked| asked != way.as_str()) {
        return Err(Refusal::invalid("way", Problem::NotOneOf { words: way.to_string() }).into());
    }
    let (edit, secret) = edit.over(was.settings)?;
    Ok(Json(web.desk.channels.edit(&actor, id, edit, secret).await?.into()))
}

/// Ends a channel and calls off what waits for it; its log stays.
#[utoipa::path(delete, path = "/channels/{id}", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 204, description = "It is gone"),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn delete(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<StatusCode, ApiError> {
    web.desk.channels.delete(&actor, id(&channel, "channel")?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test message, tried once.
#[utoipa::path(post, path = "/channels/{id}/test", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 202, description = "The delivery, on its way", body = DeliveryBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "The channel does not send", body = ErrorBody)))]
pub(super) async fn test(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<(StatusCode, Json<DeliveryBody>), ApiError> {
    let row = web.desk.channels.test(&actor, id(&channel, "channel")?).await?;
    Ok((StatusCode::ACCEPTED, Json(row.into())))
}

async fn switch(
    web: &Web,
    actor: &domain::Actor,
    channel: &str,
    is_paused: bool,
) -> Result<Json<ChannelBody>, ApiError> {
    Ok(Json(web.desk.channels.pause(actor, id(channel, "channel")?, is_paused).await?.into()))
}

/// Stops sending; what is to be sent waits.
#[utoipa::path(post, path = "/channels/{id}/pause", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "It does not send", body = ErrorBody)))]
pub(super) async fn pause(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    switch(&web, &actor, &channel, true).await
}

/// Goes on sending: ends a pause, a rest after failures, and what a 410 has switched off.
#[utoipa::path(post, path = "/channels/{id}/resume", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel", body = ChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn resume(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<Json<ChannelBody>, ApiError> {
    switch(&web, &actor, &channel, false).await
}

/// Makes a new secret for a webhook. For 24 hours messages are signed with the former one too.
#[utoipa::path(post, path = "/channels/{id}/rotate", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel and its new secret", body = FreshChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Its way has no secret of ours", body = ErrorBody)))]
pub(super) async fn rotate(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<Json<FreshChannelBody>, ApiError> {
    Ok(Json(web.desk.channels.rotate(&actor, id(&channel, "channel")?).await?.into()))
}
