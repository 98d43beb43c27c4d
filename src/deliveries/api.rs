//! `/deliveries`: messages sent through channels, and decisions about those that were not
//! delivered.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthQuery, id, page_size, word},
        numbers::query_limit,
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Actor, Timestamp,
    delivery::{
        Attempt, Delivery, DeliveryDecision, DeliveryQuery, DeliveryRow, DeliveryState, Outcome, Recipient,
    },
    input_limits,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A delivery: one message for one channel.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryBody {
    /// Id; the header `webhook-id` is `msg_` and this id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Id of the channel.
    #[schema(value_type = String, format = Uuid)]
    channel_id: Uuid,
    /// Name of the channel.
    channel: String,
    /// What happened: an event of a channel, `message` or `test`; or what was done with a post: `post.prepared` or
    /// `post.seen`.
    event: &'static str,
    /// Task that caused it; null: a test, or a change of a meeting.
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<Uuid>,
    /// Title of the article or of the meeting.
    title: String,
    /// `pending`, `sending`, `delivered`, `failed`, `unconfirmed`, `cancelled` or `held`.
    state: &'static str,
    /// Number of attempts.
    attempts: u32,
    /// Outcome of the last attempt: `delivered`, `refused`, `unreachable`, `blocked`, `unknown` or
    /// `not_sent`.
    outcome: Option<&'static str>,
    /// When the next attempt is made, not before the circuit breaker of the channel closes; null: it does not
    /// wait, or the channel sends nothing.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it reached its final state.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
}

/// A delivery with its message and attempts.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryDetail {
    /// The delivery.
    #[serde(flatten)]
    delivery: DeliveryBody,
    /// Body of the message, the same bytes in every attempt.
    body: String,
    /// Its attempts, oldest first.
    attempt_log: Vec<AttemptBody>,
    /// Outcome for each recipient; empty if it is the same for all.
    recipients: Vec<RecipientBody>,
}

/// Outcome for one recipient.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipientBody {
    /// Address of the recipient.
    recipient: String,
    /// `delivered`, `deferred` (refused temporarily, retried), `refused` (permanently) or `unknown`
    /// (it may have arrived).
    outcome: &'static str,
    /// Status code of the response.
    status: Option<u16>,
    /// The response.
    response_body: Option<String>,
}

/// An attempt to send a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptBody {
    /// Number of the attempt, from 1.
    number: u32,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// Its outcome.
    outcome: Option<&'static str>,
    /// Status code of the response.
    status: Option<u16>,
    /// Beginning of the response.
    response_body: Option<String>,
}

/// A page of deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryPage {
    /// Newest first.
    items: Vec<DeliveryBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

impl From<DeliveryRow> for DeliveryBody {
    fn from(row: DeliveryRow) -> Self {
        Self {
            id: row.id.0,
            channel_id: row.channel_id.0,
            channel: row.channel,
            event: row.event.as_str(),
            task_id: row.task_id.map(|task| task.0),
            title: row.title,
            state: row.state.as_str(),
            attempts: row.attempts,
            outcome: row.outcome.map(Outcome::as_str),
            next_at: row.next_at,
            created_at: row.created_at,
            ended_at: row.ended_at,
        }
    }
}

impl From<Attempt> for AttemptBody {
    fn from(attempt: Attempt) -> Self {
        let Attempt { number, started_at, ended_at, outcome, status, response_body } = attempt;
        Self { number, started_at, ended_at, outcome: outcome.map(Outcome::as_str), status, response_body }
    }
}

impl From<Delivery> for DeliveryDetail {
    fn from(delivery: Delivery) -> Self {
        let attempt_log = delivery.attempts.into_iter().map(AttemptBody::from).collect();
        let recipient = |one: Recipient| {
            let Recipient { recipient, outcome, status, response_body } = one;
            RecipientBody { recipient, outcome: outcome.as_str(), status, response_body }
        };
        let recipients = delivery.recipients.into_iter().map(recipient).collect();
        Self { delivery: delivery.row.into(), body: delivery.body, attempt_log, recipients }
    }
}

/// Filter of the list of deliveries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesQuery {
    /// Only deliveries of this channel.
    channel: Option<String>,
    /// Only deliveries of this task. Required unless the token's owner is an admin.
    task: Option<String>,
    /// Only deliveries in this state.
    state: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists deliveries, newest first.
#[utoipa::path(get, path = "/deliveries", tag = "channels", params(DeliveriesQuery), responses(
    (status = 200, description = "A page of deliveries", body = DeliveryPage),
    (status = 403, description = "Without `task`: only for admins", body = ErrorBody),
    (status = 404, description = "No such channel or task", body = ErrorBody),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<DeliveriesQuery>,
) -> Result<Json<DeliveryPage>, ApiError> {
    let states: Vec<&str> = DeliveryState::ALL.iter().map(|state| state.as_str()).collect();
    let query = DeliveryQuery {
        channel: query.channel.map(|channel| id(&channel, "channel")).transpose()?,
        task: query.task.map(|task| id(&task, "task")).transpose()?,
        state: query.state.map(|state| word("state", &state, &states)).transpose()?,
        is_oldest_first: false,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let page = web.services.channels.deliveries(&actor, query).await?.map(DeliveryBody::from);
    Ok(Json(DeliveryPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Returns a delivery with its message and attempts.
#[utoipa::path(get, path = "/deliveries/{id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the delivery")), responses(
    (status = 200, description = "The delivery", body = DeliveryDetail),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such delivery", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryDetail>, ApiError> {
    Ok(Json(web.services.channels.delivery(&actor, id(&delivery, "delivery")?).await?.into()))
}

async fn decide(
    web: &Web,
    actor: &Actor,
    delivery: &str,
    decision: DeliveryDecision,
) -> Result<Json<DeliveryBody>, ApiError> {
    Ok(Json(web.services.channels.resolve(actor, id(delivery, "delivery")?, decision).await?.into()))
}

/// Sends a message again, with the same id.
#[utoipa::path(post, path = "/deliveries/{id}/resend", tag = "channels",
    params(("id" = String, Path, description = "Id of the delivery")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such delivery", body = ErrorBody),
    (status = 409, description = "It is being sent, or its channel is off or deleted", body = ErrorBody)))]
pub async fn resend(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, DeliveryDecision::Resend).await
}

/// Marks an unconfirmed delivery as delivered.
#[utoipa::path(post, path = "/deliveries/{id}/arrived", tag = "channels",
    params(("id" = String, Path, description = "Id of the delivery")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such delivery", body = ErrorBody),
    (status = 409, description = "It is not unconfirmed", body = ErrorBody)))]
pub async fn arrived(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, DeliveryDecision::Arrived).await
}

/// Cancels a pending delivery, or dismisses a failed one.
#[utoipa::path(post, path = "/deliveries/{id}/drop", tag = "channels",
    params(("id" = String, Path, description = "Id of the delivery")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such delivery", body = ErrorBody),
    (status = 409, description = "It is being sent, or is delivered", body = ErrorBody)))]
pub async fn drop(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, DeliveryDecision::Drop).await
}
