//! `/feeds`: calendars that programs read by a secret address.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, id, word},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    RoomId, Timestamp,
    calendar::{Feed, FeedKind, NewFeed},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A new feed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFeedBody {
    /// `person` (the caller's meetings and articles), `room` or `desk`.
    kind: String,
    /// Id of the room, for `room`.
    #[schema(format = Uuid)]
    room_id: Option<String>,
}

/// A feed.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedBody {
    /// Id of the feed.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `person`, `room` or `desk`.
    kind: &'static str,
    /// Id of its room; null: it is not the feed of a room.
    #[schema(value_type = Option<String>, format = Uuid)]
    room_id: Option<Uuid>,
    /// Name of its room; empty: it is not the feed of a room.
    room: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When a program read it: the first read of about an hour counts. Null: never.
    #[schema(value_type = Option<String>, format = DateTime)]
    read_at: Option<Timestamp>,
}

/// A new feed with its address, which is shown once.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedFeedBody {
    /// The feed.
    #[serde(flatten)]
    feed: FeedBody,
    /// Its address. A client that knows it can read the feed until it is revoked.
    url: String,
}

/// The feeds of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedsBody {
    /// Oldest first, at most 20.
    items: Vec<FeedBody>,
}

impl From<Feed> for FeedBody {
    fn from(feed: Feed) -> Self {
        Self {
            id: feed.id,
            kind: feed.kind.as_str(),
            room_id: feed.room_id.map(|room| room.0),
            room: feed.room,
            created_at: feed.created_at,
            read_at: feed.read_at,
        }
    }
}

/// Creates a feed.
#[utoipa::path(post, path = "/feeds", tag = "calendar", request_body = NewFeedBody, responses(
    (status = 201, description = "The feed with its address", body = CreatedFeedBody),
    (status = 422, description = "A field is invalid, or there are 20 feeds already", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewFeedBody>,
) -> Result<(StatusCode, Json<CreatedFeedBody>), ApiError> {
    let kind = word("kind", &new.kind, FeedKind::NAMES)?;
    let room = |text: &str| text.parse::<RoomId>().map_err(|_| crate::meetings::unknown_room());
    let room_id = new.room_id.as_deref().map(room).transpose()?;
    let created = web.services.feeds.create(&actor, NewFeed { kind, room_id }).await?;
    let url = format!("{}{}", web.address.public_url, created.path());
    Ok((StatusCode::CREATED, Json(CreatedFeedBody { feed: created.feed.into(), url })))
}

/// Lists the caller's feeds, without their addresses.
#[utoipa::path(get, path = "/feeds", tag = "calendar", responses(
    (status = 200, description = "The feeds", body = FeedsBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<FeedsBody>, ApiError> {
    let items = web.services.feeds.list(&actor).await?;
    Ok(Json(FeedsBody { items: items.into_iter().map(FeedBody::from).collect() }))
}

/// Revokes a feed of the caller: its address is unknown from now on.
#[utoipa::path(delete, path = "/feeds/{id}", tag = "calendar",
    params(("id" = String, Path, description = "Id of the feed")), responses(
    (status = 204, description = "It was revoked"),
    (status = 404, description = "The caller has no such feed", body = ErrorBody)))]
pub async fn revoke(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(feed): Path<String>,
) -> Result<StatusCode, ApiError> {
    web.services.feeds.revoke(&actor, id(&feed, "feed")?).await?;
    Ok(StatusCode::NO_CONTENT)
}
