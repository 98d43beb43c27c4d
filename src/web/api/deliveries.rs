//! `/deliveries`: what went through the channels, and what becomes of what did not.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Asked, Bearer, id, page_size, word},
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Actor, Timestamp,
    delivery::{Attempt, Delivery, DeliveryQuery, DeliveryRow, DeliveryState, Outcome, Recipient, Resolve},
    limit,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// One message to the outside.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryBody {
    /// Identity; the header `webhook-id` is `msg_` and this.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// The channel.
    #[schema(value_type = String, format = Uuid)]
    channel_id: Uuid,
    /// What the channel is called.
    channel: String,
    /// `article.published`, `article.updated`, `article.unpublished` or `test`.
    event: &'static str,
    /// Because of which task; null: a test.
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<Uuid>,
    /// Title of what it is about.
    title: String,
    /// `pending`, `sending`, `delivered`, `failed`, `unconfirmed`, `cancelled` or `held`.
    state: &'static str,
    /// How often it was tried.
    attempts: u32,
    /// How the last attempt ended: `delivered`, `refused`, `unreachable`, `blocked`, `unknown` or `not_sent`.
    outcome: Option<&'static str>,
    /// When it is tried next.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it came to its end.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
}

/// A delivery with its message and attempts.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryWhole {
    /// The delivery.
    #[serde(flatten)]
    delivery: DeliveryBody,
    /// The message: the same bytes at every attempt.
    body: String,
    /// Oldest first.
    tries: Vec<AttemptBody>,
    /// What became of it at each recipient; empty where it is the same for all.
    recipients: Vec<RecipientBody>,
}

/// A recipient of a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipientBody {
    /// Address.
    recipient: String,
    /// `delivered`, `deferred` (refused for now, tried again), `refused` (for good) or `unknown` (it may have arrived).
    outcome: &'static str,
    /// Status of the answer.
    status: Option<u16>,
    /// The answer.
    answer: Option<String>,
}

/// One attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptBody {
    /// From 1.
    number: u32,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// How.
    outcome: Option<&'static str>,
    /// Status of the answer.
    status: Option<u16>,
    /// Beginning of the answer.
    answer: Option<String>,
}

/// A page of deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryPage {
    /// Newest first.
    items: Vec<DeliveryBody>,
    /// Where the next page starts; null: this is the last one.
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
        let Attempt { number, started_at, ended_at, outcome, status, answer } = attempt;
        Self { number, started_at, ended_at, outcome: outcome.map(Outcome::as_str), status, answer }
    }
}

impl From<Delivery> for DeliveryWhole {
    fn from(delivery: Delivery) -> Self {
        let tries = delivery.attempts.into_iter().map(AttemptBody::from).collect();
        let recipient = |one: Recipient| {
            let Recipient { recipient, outcome, status, answer } = one;
            RecipientBody { recipient, outcome: outcome.as_str(), status, answer }
        };
        let recipients = delivery.recipients.into_iter().map(recipient).collect();
        Self { delivery: delivery.row.into(), body: delivery.body, tries, recipients }
    }
}

/// Which deliveries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesAsked {
    /// Only of this channel.
    channel: Option<String>,
    /// Only because of this task. Needed unless the token's owner is an admin.
    task: Option<String>,
    /// Only in this state.
    state: Option<String>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Items on the page, at most 200.
    limit: Option<u64>,
}

/// Lists deliveries, newest first.
#[utoipa::path(get, path = "/deliveries", tag = "channels", params(DeliveriesAsked), responses(
    (status = 200, description = "A page of deliveries", body = DeliveryPage),
    (status = 403, description = "All deliveries are for admins", body = ErrorBody),
    (status = 422, description = "A filter is wrong", body = ErrorBody)))]
pub(super) async fn list(
    State(web): State<Web>,
    Asked(actor, asked): Asked<DeliveriesAsked>,
) -> Result<Json<DeliveryPage>, ApiError> {
    let states: Vec<&str> = DeliveryState::ALL.iter().map(|state| state.as_str()).collect();
    let query = DeliveryQuery {
        channel: asked.channel.map(|channel| id(&channel, "channel")).transpose()?,
        task: asked.task.map(|task| id(&task, "task")).transpose()?,
        state: asked.state.map(|state| word("state", &state, &states)).transpose()?,
        cursor: asked.cursor,
        limit: Some(page_size(asked.limit, limit::PAGE_ITEMS)),
    };
    let page = web.desk.channels.deliveries(&actor, query).await?.map(DeliveryBody::from);
    Ok(Json(DeliveryPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Shows one delivery with its message and attempts.
#[utoipa::path(get, path = "/deliveries/{id}", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The delivery", body = DeliveryWhole),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn find(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryWhole>, ApiError> {
    Ok(Json(web.desk.channels.delivery(&actor, id(&delivery, "delivery")?).await?.into()))
}

async fn decide(
    web: &Web,
    actor: &Actor,
    delivery: &str,
    resolve: Resolve,
) -> Result<Json<DeliveryBody>, ApiError> {
    Ok(Json(web.desk.channels.resolve(actor, id(delivery, "delivery")?, resolve).await?.into()))
}

/// Sends a delivery again, with the same id.
#[utoipa::path(post, path = "/deliveries/{id}/resend", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "It is on its way, or its channel is off or gone", body = ErrorBody)))]
pub(super) async fn resend(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, Resolve::Resend).await
}

/// Takes your word that an unconfirmed delivery arrived.
#[utoipa::path(post, path = "/deliveries/{id}/arrived", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "It is not unconfirmed", body = ErrorBody)))]
pub(super) async fn arrived(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, Resolve::Arrived).await
}

/// Lets a delivery be: calls it off, or puts its failure aside.
#[utoipa::path(post, path = "/deliveries/{id}/drop", tag = "channels",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The delivery", body = DeliveryBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "It is on its way, or has arrived", body = ErrorBody)))]
pub(super) async fn drop(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(delivery): Path<String>,
) -> Result<Json<DeliveryBody>, ApiError> {
    decide(&web, &actor, &delivery, Resolve::Drop).await
}
