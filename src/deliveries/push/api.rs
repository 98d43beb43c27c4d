//! `/push-subscriptions`: browsers that show the notifications of the caller.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    PushDeviceId, Timestamp,
    push::{NewPushDevice, PushDevice, PushDevices},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What [`id`] calls a browser in an error.
const DEVICE: &str = "device";

/// A browser, or another program that receives Web Push.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscriptionBody {
    /// Id of the subscription.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Address at its push service.
    endpoint: String,
    /// Name of the browser and its system.
    agent: String,
    /// When it was added.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When its push service last accepted a message; null: never.
    #[schema(value_type = Option<String>, format = DateTime)]
    used_at: Option<Timestamp>,
    /// When a message to it was last given up; null: not since the last accepted one.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
}

impl From<PushDevice> for PushSubscriptionBody {
    fn from(device: PushDevice) -> Self {
        Self {
            id: device.id.0,
            endpoint: device.endpoint,
            agent: device.agent,
            created_at: device.created.at,
            used_at: device.used.map(|moment| moment.at),
            failed_at: device.failed.map(|moment| moment.at),
        }
    }
}

/// The subscriptions of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscriptionsBody {
    /// Public key of this desk in base64url: the `applicationServerKey` of a subscription.
    public_key: String,
    /// Oldest first, at most 20.
    items: Vec<PushSubscriptionBody>,
}

impl From<PushDevices> for PushSubscriptionsBody {
    fn from(devices: PushDevices) -> Self {
        let items = devices.items.into_iter().map(PushSubscriptionBody::from).collect();
        Self { public_key: devices.public_key, items }
    }
}

/// A new subscription: the fields of the browser's `PushSubscription`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscriptionBody {
    /// Address at the push service: an `https` URL of at most 2,000 bytes.
    endpoint: String,
    /// `keys.p256dh`: an uncompressed point of P-256, 65 bytes in base64url.
    p256dh: String,
    /// `keys.auth`: 16 bytes in base64url.
    auth: String,
    /// Name of the browser or program, shown in the list of devices; only the first 200 characters are kept.
    #[serde(default)]
    agent: String,
}

/// Lists the caller's subscriptions, with the key that a new one needs.
#[utoipa::path(get, path = "/push-subscriptions", tag = "reminders", responses(
    (status = 200, description = "The subscriptions", body = PushSubscriptionsBody)))]
pub async fn list(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<Json<PushSubscriptionsBody>, ApiError> {
    Ok(Json(web.services.push.devices(&actor).await?.into()))
}

/// Adds a subscription: from now on it gets the caller's notifications. One with the same endpoint is
/// replaced. Of more than 20, the one that was not used for longest is removed.
#[utoipa::path(post, path = "/push-subscriptions", tag = "reminders", request_body = NewPushSubscriptionBody,
    responses(
    (status = 201, description = "The subscription", body = PushSubscriptionBody),
    (status = 422, description = "A field is invalid, or messages may not be sent to this address", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewPushSubscriptionBody>,
) -> Result<(StatusCode, Json<PushSubscriptionBody>), ApiError> {
    let NewPushSubscriptionBody { endpoint, p256dh, auth, agent } = new;
    let device = web.services.push.subscribe(&actor, NewPushDevice { endpoint, p256dh, auth, agent }).await?;
    Ok((StatusCode::CREATED, Json(device.into())))
}

/// Removes a subscription: it gets no more notifications.
#[utoipa::path(delete, path = "/push-subscriptions/{id}", tag = "reminders",
    params(("id" = String, Path, description = "Id of the subscription")), responses(
    (status = 204, description = "Removed"),
    (status = 404, description = "The caller has no such subscription", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(device): Path<String>,
) -> Result<StatusCode, ApiError> {
    web.services.push.remove(&actor, id::<PushDeviceId>(&device, DEVICE)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
