//! `/messages/bulk`: schedules many messages in one transaction.

use super::{MessageBody, NewMessageBody};
use crate::http::{
    Web,
    api::{ApiError, ErrorBody, bulk_items::Items, extract::AuthJson},
};
use axum::{Json, extract::State, http::StatusCode};
use domain::message::NewMessage;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// New messages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessagesBody {
    /// 1 to 10,000 new messages, each of a channel with another key.
    #[schema(value_type = Vec<NewMessageBody>)]
    items: Items<2>,
}

/// The messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessagesResponse {
    /// In the order of the request.
    items: Vec<MessageBody>,
}

/// Schedules up to 10,000 messages, all or nothing.
#[utoipa::path(post, path = "/messages/bulk", tag = "messages", request_body = MessagesBody, responses(
    (status = 201, description = "The messages", body = MessagesResponse),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "Every invalid item names a channel that does not exist: see `errors`; nothing was stored", body = ErrorBody),
    (status = 413, description = "Larger than 8 MiB", body = ErrorBody),
    (status = 422, description = "Some items are invalid: see `errors`; nothing was stored", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, bulk): AuthJson<MessagesBody>,
) -> Result<(StatusCode, Json<MessagesResponse>), ApiError> {
    let messages = &web.services.messages;
    let check = async |new: Vec<NewMessage>| messages.check_all(&actor, new).await;
    let new = bulk.items.read::<NewMessageBody, NewMessage>(check).await?;
    let created = messages.schedule_all(&actor, new).await?;
    let items = created.into_iter().map(MessageBody::from).collect();
    Ok((StatusCode::CREATED, Json(MessagesResponse { items })))
}
