//! `/channels`: the ways out. For admins.

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
use domain::{
    Refusal, Timestamp,
    channel::{Channel, ChannelEdit, Doubt, FreshChannel, Happening, Way},
    ladder::Ladder,
    refusal::Problem,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A new channel, or other settings of one: what is not named stays, or is as usual.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// `webhook`; only for a new channel, and the only one there is.
    way: Option<String>,
    /// What it is called.
    name: Option<String>,
    /// Where it leads: `https://example.org/hook`.
    address: Option<String>,
    /// What it is told: `article.published`, `article.updated`, `article.unpublished`; all three unless said.
    events: Option<Vec<String>>,
    /// After which waits a failed message is sent again; `5s, 5m, 30m, 2h, 5h, 10h, 10h` unless said.
    ladder: Option<String>,
    /// When an answer was lost: `retry` (unless said) sends again with the same id, `hold` asks a person.
    on_ambiguous: Option<String>,
    /// At most so many messages on their way at once, 1 to 20; 4 unless said.
    concurrency: Option<u16>,
}

/// A channel.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelBody {
    /// Identity.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `webhook`.
    way: &'static str,
    /// What it is called.
    name: String,
    /// Where it leads.
    address: String,
    /// What it is told.
    events: Vec<&'static str>,
    /// After which waits a failed message is sent again.
    ladder: String,
    /// `retry` or `hold`.
    on_ambiguous: &'static str,
    /// At most so many messages on their way at once.
    concurrency: u16,
    /// `active`, `paused` or `off` (the other side answered 410).
    state: &'static str,
    /// Until when messages are signed with the former secret too.
    #[schema(value_type = Option<String>, format = DateTime)]
    rotating_until: Option<Timestamp>,
    /// Attempts that failed in a row.
    failures: u32,
    /// Nothing is sent before this moment.
    #[schema(value_type = Option<String>, format = DateTime)]
    rests_until: Option<Timestamp>,
    /// When a message last arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    succeeded_at: Option<Timestamp>,
    /// When an attempt last failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
    /// How many messages wait or are on their way.
    waiting: u64,
    /// How many need a person.
    needing: u64,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// A channel with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreshChannelBody {
    /// The channel.
    #[serde(flatten)]
    channel: ChannelBody,
    /// `whsec_…`; shown only now.
    secret: String,
}

/// All channels.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelPage {
    /// By name.
    items: Vec<ChannelBody>,
    /// Always null: this is the only page.
    next_cursor: Option<String>,
}

impl From<Channel> for ChannelBody {
    fn from(channel: Channel) -> Self {
        let (settings, health) = (channel.settings, channel.health);
        Self {
            id: channel.id.0,
            way: channel.way.as_str(),
            name: settings.name,
            address: settings.address,
            events: settings.events.into_iter().map(Happening::as_str).collect(),
            ladder: settings.ladder.to_string(),
            on_ambiguous: settings.on_ambiguous.as_str(),
            concurrency: settings.concurrency,
            state: channel.state.as_str(),
            rotating_until: channel.rotating_until,
            failures: health.failures,
            rests_until: health.rests_until,
            succeeded_at: health.succeeded_at,
            failed_at: health.failed_at,
            waiting: health.waiting,
            needing: health.needing,
            created_at: channel.created_at,
        }
    }
}

impl From<FreshChannel> for FreshChannelBody {
    fn from(fresh: FreshChannel) -> Self {
        Self { channel: fresh.channel.into(), secret: fresh.secret }
    }
}

impl ChannelSettings {
    /// These settings over `was`.
    fn over(self, was: ChannelEdit) -> Result<ChannelEdit, Refusal> {
        let (happenings, doubts) =
            (words(&Happening::CHOICES, Happening::as_str), words(Doubt::ALL, Doubt::as_str));
        let events = self.events.map(|events| {
            events.iter().map(|event| word("events", event, &happenings)).collect::<Result<Vec<_>, _>>()
        });
        Ok(ChannelEdit {
            name: self.name.unwrap_or(was.name),
            address: self.address.unwrap_or(was.address),
            events: events.transpose()?.unwrap_or(was.events),
            ladder: self.ladder.map(|text| ladder(&text)).transpose()?.unwrap_or(was.ladder),
            on_ambiguous: self
                .on_ambiguous
                .map(|doubt| word("on_ambiguous", &doubt, &doubts))
                .transpose()?
                .unwrap_or(was.on_ambiguous),
            concurrency: self.concurrency.unwrap_or(was.concurrency),
        })
    }
}

fn words<T: Copy>(all: &[T], text: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|one| text(*one)).collect()
}

fn ladder(text: &str) -> Result<Ladder, Refusal> {
    text.parse().map_err(|_| Refusal::invalid("ladder", Problem::NotALadder))
}

/// Lists the channels.
#[utoipa::path(get, path = "/channels", tag = "channels", responses(
    (status = 200, description = "All channels", body = ChannelPage),
    (status = 403, description = "For admins", body = ErrorBody)))]
pub(super) async fn list(
    State(web): State<Web>,
    Bearer(actor): Bearer,
) -> Result<Json<ChannelPage>, ApiError> {
    let items = web.desk.channels.list(&actor).await?.into_iter().map(ChannelBody::from).collect();
    Ok(Json(ChannelPage { items, next_cursor: None }))
}

/// Makes a channel. Its secret is in the answer and nowhere else.
#[utoipa::path(post, path = "/channels", tag = "channels", request_body = ChannelSettings, responses(
    (status = 201, description = "The channel and its secret", body = FreshChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn create(
    State(web): State<Web>,
    Sent(actor, new): Sent<ChannelSettings>,
) -> Result<(StatusCode, Json<FreshChannelBody>), ApiError> {
    let ways = words(Way::ALL, Way::as_str);
    let way = new.way.as_deref().map_or(Ok(Way::Webhook), |way| word("way", way, &ways))?;
    let fresh = web.desk.channels.add(&actor, way, new.over(ChannelEdit::usual())?).await?;
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
    if edit.way.as_deref().is_some_and(|way| way != was.way.as_str()) {
        return Err(Refusal::invalid("way", Problem::NotOneOf { words: was.way.to_string() }).into());
    }
    Ok(Json(web.desk.channels.edit(&actor, id, edit.over(was.settings)?).await?.into()))
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

/// Makes a new secret. For 24 hours messages are signed with the former one too.
#[utoipa::path(post, path = "/channels/{id}/rotate", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The channel and its new secret", body = FreshChannelBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn rotate(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(channel): Path<String>,
) -> Result<Json<FreshChannelBody>, ApiError> {
    Ok(Json(web.desk.channels.rotate(&actor, id(&channel, "channel")?).await?.into()))
}
