//! `/signals`: what happened elsewhere.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        bulk_items::Items,
        extract::{AuthJson, instant},
    },
};
use axum::{Json, extract::State, http::StatusCode};
use domain::{
    DomainError,
    signal::{NewSignal, SignalResult},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A signal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalBody {
    /// What happened, 1 to 100 letters, digits and `._-:/`: `order.created`.
    name: String,
    /// Whom or what it is about, 1 to 200 characters.
    subject: String,
    /// A repeated signal with the same id does nothing; 1 to 200 characters.
    id: Option<String>,
    /// Part of the subject, such as an order of a customer; at most 200 characters.
    key: Option<String>,
    /// When it happened, RFC 3339; now if absent. At most 5 minutes ahead.
    at: Option<String>,
    /// Fields for templates: texts, numbers and booleans; at most 32, 8,192 bytes in total.
    #[schema(value_type = Option<Object>)]
    data: Option<Map<String, Value>>,
}

impl TryFrom<SignalBody> for NewSignal {
    type Error = DomainError;
    fn try_from(new: SignalBody) -> Result<Self, DomainError> {
        Ok(Self {
            name: new.name,
            subject: new.subject,
            id: new.id,
            key: new.key.unwrap_or_default(),
            at: new.at.map(|at| instant("at", &at)).transpose()?,
            data: new.data.unwrap_or_default(),
        })
    }
}

/// What a signal did.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignalResultBody {
    /// Id that the sender gave it, else its own.
    id: String,
    /// Whether the same signal was stored before; then it did nothing.
    duplicate: bool,
    /// Number of waits that it opened or started again.
    opened: u32,
    /// Number of waits that it closed: their rules do not act.
    closed: u32,
}

impl From<SignalResult> for SignalResultBody {
    fn from(result: SignalResult) -> Self {
        let SignalResult { id, is_duplicate: duplicate, opened, closed } = result;
        Self { id, duplicate, opened, closed }
    }
}

/// Stores a signal. An account sends at most 20,000 a minute. The waits that it closes are closed when the
/// response arrives. A request with the same `Idempotency-Key` is answered as a signal with the same `id`:
/// `duplicate` is true.
#[utoipa::path(post, path = "/signals", tag = "signals", request_body = SignalBody, responses(
    (status = 202, description = "What it did", body = SignalResultBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<SignalBody>,
) -> Result<(StatusCode, Json<SignalResultBody>), ApiError> {
    let results = web.services.rules.signal(&actor, vec![new.try_into()?]).await?;
    let result = results.into_iter().next().ok_or_else(|| DomainError::no_such("signal"))?;
    Ok((StatusCode::ACCEPTED, Json(result.into())))
}

/// Signals.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalsBody {
    /// 1 to 10,000 signals, processed in this order.
    #[schema(value_type = Vec<SignalBody>)]
    items: Items<2>,
}

/// What signals did.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignalResultsBody {
    /// In the order of the request.
    items: Vec<SignalResultBody>,
}

/// Stores up to 10,000 signals, all or nothing. An account sends at most 20,000 a minute, and by them a rule
/// opens at most 30,000 waits a minute; beyond that the answer is 429. A request with the same
/// `Idempotency-Key` is answered with the same ids: `duplicate` is true.
#[utoipa::path(post, path = "/signals/bulk", tag = "signals", request_body = SignalsBody, responses(
    (status = 202, description = "What they did", body = SignalResultsBody),
    (status = 413, description = "Larger than 8 MiB", body = ErrorBody),
    (status = 422, description = "Some items are invalid: see `errors`; nothing was stored", body = ErrorBody)))]
pub async fn create_all(
    State(web): State<Web>,
    AuthJson(actor, bulk): AuthJson<SignalsBody>,
) -> Result<(StatusCode, Json<SignalResultsBody>), ApiError> {
    let rules = &web.services.rules;
    let check = async |new: Vec<NewSignal>| rules.check_signals(&new);
    let results = rules.signal(&actor, bulk.items.read::<SignalBody, NewSignal>(check).await?).await?;
    let items = results.into_iter().map(SignalResultBody::from).collect();
    Ok((StatusCode::ACCEPTED, Json(SignalResultsBody { items })))
}
