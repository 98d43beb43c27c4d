//! `/messages`: delayed messages.

mod body;
pub mod bulk;
pub mod notices;

pub use body::{MessageBody, MessageDetail, NewMessageBody};

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{AuthJson, AuthQuery, AuthQueryJson, id, page_size, word},
        numbers::{optional_integer, query_limit},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    DomainError, State as TaskState, Version,
    error::ValidationError,
    input_limits,
    message::{MessageChange, MessageQuery, MessageRef},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A page of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessagePage {
    /// Newest first.
    items: Vec<MessageBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// Schedules a message. The same request with the same `key` and channel returns the same message.
#[utoipa::path(post, path = "/messages", tag = "messages", request_body = NewMessageBody, responses(
    (status = 201, description = "The message", body = MessageBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "The channel has a message with this key, whose content differs", body = ErrorBody),
    (status = 422, description = "A field is invalid; `choices` if a local time occurs twice or does not exist", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewMessageBody>,
) -> Result<(StatusCode, Json<MessageBody>), ApiError> {
    let message = web.services.messages.schedule(&actor, new.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(message.into())))
}

/// Filter of the list of messages.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Only messages with this key, one of each channel at most.
    key: Option<String>,
    /// Only messages of this channel.
    channel_id: Option<String>,
    /// Only messages in this state.
    state: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists messages, newest first.
#[utoipa::path(get, path = "/messages", tag = "messages", params(MessagesQuery), responses(
    (status = 200, description = "A page of messages", body = MessagePage),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<MessagesQuery>,
) -> Result<Json<MessagePage>, ApiError> {
    let query = MessageQuery {
        key: query.key,
        key_prefix: None,
        channel: query.channel_id.map(|channel| id(&channel, "channel")).transpose()?,
        state: query.state.map(|state| word("state", &state, TaskState::NAMES)).transpose()?,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let page = web.services.messages.list(&actor, query).await?.map(MessageBody::from);
    Ok(Json(MessagePage { items: page.items, next_cursor: page.next_cursor }))
}

/// The channel of a message.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessageChannel {
    /// Channel of the message. Absent: the only channel that has a message with the key.
    channel_id: Option<String>,
}

/// Names a message by its key and its channel.
fn message_ref(key: String, channel: Option<String>) -> Result<MessageRef, DomainError> {
    let channel = channel.map(|channel| id(&channel, "channel")).transpose()?;
    Ok(MessageRef::Key { key, channel })
}

/// Returns a message with its body.
#[utoipa::path(get, path = "/messages/{key}", tag = "messages",
    params(("key" = String, Path, description = "Key of the message, percent-encoded"), MessageChannel), responses(
    (status = 200, description = "The message", body = MessageDetail),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such message", body = ErrorBody),
    (status = 409, description = "Several channels have a message with this key: send `channel_id`", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQuery(actor, query): AuthQuery<MessageChannel>,
) -> Result<Json<MessageDetail>, ApiError> {
    let which = message_ref(key, query.channel_id)?;
    Ok(Json(web.services.messages.find(&actor, which).await?.into()))
}

/// A change: a new time, a new body or channel, or several of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageEditBody {
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A duration by ISO 8601, from the request on: `PT30M`.
    delay: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// New body, at most 65,536 bytes.
    body: Option<String>,
    /// Another channel.
    #[schema(format = Uuid)]
    channel_id: Option<String>,
    /// `version` of the message that the caller saw; a different current one is a conflict. Absent:
    /// no check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

impl MessageEditBody {
    fn change(self) -> Result<MessageChange, DomainError> {
        let time = body::Time {
            due_at: self.due_at,
            delay: self.delay,
            local: self.local,
            zone: self.zone,
            disambiguation: self.disambiguation,
        };
        let channel_id = self.channel_id.as_deref().map(body::channel_id).transpose()?;
        let time = if time.is_absent() { None } else { Some(time.read()?) };
        if time.is_none() && self.body.is_none() && channel_id.is_none() {
            let why = "send due_at, delay, local and zone, body or channel_id".to_owned();
            return Err(DomainError::invalid("due_at", ValidationError::Sentence { why }));
        }
        Ok(MessageChange::Edit { time, body: self.body, channel_id })
    }
}

/// Moves a message, or changes its body or channel.
#[utoipa::path(patch, path = "/messages/{key}", tag = "messages", request_body = MessageEditBody,
    params(("key" = String, Path, description = "Key of the message, percent-encoded"), MessageChannel), responses(
    (status = 200, description = "The message", body = MessageBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such message or channel", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or sent; `task` is its task. Or several channels have a message with this key, or the other channel has one: see `error`", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQueryJson(actor, query, edit): AuthQueryJson<MessageChannel, MessageEditBody>,
) -> Result<Json<MessageBody>, ApiError> {
    let (which, seen) = (message_ref(key, query.channel_id)?, edit.seen_version.map(Version));
    Ok(Json(web.services.messages.change(&actor, which, edit.change()?, seen).await?.into()))
}

/// The channel of the message, and the version that the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenMessage {
    /// Channel of the message. Absent: the only channel that has a message with the key.
    channel_id: Option<String>,
    /// `version` of the message that the caller saw; a different current one is a conflict. Absent:
    /// no check.
    seen_version: Option<i32>,
}

/// Cancels a message. If its first attempt failed, no other one is made. A cancelled message stays
/// as it is.
#[utoipa::path(delete, path = "/messages/{key}", tag = "messages",
    params(("key" = String, Path, description = "Key of the message, percent-encoded"), SeenMessage), responses(
    (status = 200, description = "The message", body = MessageBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such message", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, being sent, or sent; or several channels have a message with this key", body = ErrorBody)))]
pub async fn cancel(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQuery(actor, query): AuthQuery<SeenMessage>,
) -> Result<Json<MessageBody>, ApiError> {
    let (which, seen) = (message_ref(key, query.channel_id)?, query.seen_version.map(Version));
    Ok(Json(web.services.messages.change(&actor, which, MessageChange::Cancel, seen).await?.into()))
}

/// Sends a message now. If an attempt failed, the next one is made now, with the whole retry
/// schedule ahead.
#[utoipa::path(post, path = "/messages/{key}/run-now", tag = "messages",
    params(("key" = String, Path, description = "Key of the message, percent-encoded"), SeenMessage), responses(
    (status = 200, description = "The message", body = MessageBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such message", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, cancelled, being sent, or sent; or several channels have a message with this key", body = ErrorBody)))]
pub async fn run_now(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQuery(actor, query): AuthQuery<SeenMessage>,
) -> Result<Json<MessageBody>, ApiError> {
    let (which, seen) = (message_ref(key, query.channel_id)?, query.seen_version.map(Version));
    Ok(Json(web.services.messages.change(&actor, which, MessageChange::RunNow, seen).await?.into()))
}
