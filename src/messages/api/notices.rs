//! `/notices`: messages that are repeated until they are acknowledged.

use super::{MessageBody, MessageChannel, body::channel_id, message_ref};
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{AuthJson, AuthQuery},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    message::{MessageOptions, NewMessage, Notice, SendTime},
    notice::{AckRule, MomentState, NoticeMoment, NoticeTerms, PRESETS, preset},
    retry_schedule::RetrySchedule,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A new notice. It is sent now, and repeated until it is acknowledged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNoticeBody {
    /// Name by which the caller finds it again, 1 to 200 characters; unique in its channel.
    key: String,
    /// Id of the channel that sends it, of the type webhook or amqp.
    #[schema(format = Uuid)]
    channel_id: String,
    /// The notice, at most 65,536 bytes. `{{attempt}}` becomes the number of the attempt, which is also in
    /// the header `Presstime-Attempt`.
    body: String,
    /// Headers of the request or of the AMQP message, at most 20.
    headers: Option<BTreeMap<String, String>>,
    /// Delays after attempts that were not acknowledged: `presstime` (the default), `svix`, `alipay`, or
    /// a list of at most 20 delays like `["15s", "3m", "1h"]`.
    #[schema(value_type = Option<Object>)]
    retry_schedule: Option<Value>,
    /// The response that acknowledges it; any with a status from 200 to 299 if absent. A notice through
    /// AMQP is acknowledged by a request only.
    ack: Option<AckBody>,
}

/// The response that acknowledges a notice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AckBody {
    /// `2xx` (the default) or a status from 200 to 299.
    status: Option<String>,
    /// The whole text of the response, such as `success`, whatever its case; any if absent.
    body: Option<String>,
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Unreadable { why: why.to_owned() })
}

/// Reads a name or a list of delays.
fn schedule(value: Option<Value>) -> Result<RetrySchedule, DomainError> {
    let invalid = || DomainError::invalid("retry_schedule", ValidationError::InvalidRetrySchedule);
    let delays = match value {
        None => return preset(PRESETS[0].0).ok_or_else(invalid),
        Some(Value::String(name)) => {
            return preset(&name).ok_or_else(|| {
                let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                let words = format!("{}, or a list of delays", names.join(", "));
                DomainError::invalid("retry_schedule", ValidationError::NotOneOf { words })
            });
        }
        Some(Value::Array(delays)) => delays,
        Some(_) => return Err(invalid()),
    };
    let delays: Option<Vec<&str>> = delays.iter().map(Value::as_str).collect();
    let delays = delays.filter(|delays| !delays.is_empty()).ok_or_else(invalid)?;
    delays.join(", ").parse().map_err(|_| invalid())
}

impl TryFrom<AckBody> for AckRule {
    type Error = DomainError;

    fn try_from(ack: AckBody) -> Result<Self, DomainError> {
        let status = match ack.status.as_deref() {
            None | Some("2xx") => None,
            Some(status) => Some(
                status
                    .parse()
                    .ok()
                    .filter(|status| (200..300).contains(status))
                    .ok_or_else(|| unreadable("ack.status", "must be 2xx or a status from 200 to 299"))?,
            ),
        };
        Ok(Self { status, body: ack.body })
    }
}

impl TryFrom<NewNoticeBody> for NewMessage {
    type Error = DomainError;

    fn try_from(new: NewNoticeBody) -> Result<Self, DomainError> {
        let ack = new.ack.map_or(Ok(AckRule::default()), AckRule::try_from)?;
        let notice = NoticeTerms { retry_schedule: schedule(new.retry_schedule)?, ack };
        Ok(Self {
            key: Some(new.key),
            channel_id: channel_id(&new.channel_id)?,
            time: SendTime::After("PT0S".to_owned()),
            body: new.body,
            options: MessageOptions {
                headers: new.headers.unwrap_or_default(),
                notice: Some(notice),
                ..MessageOptions::default()
            },
            priority: None,
        })
    }
}

/// A notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeBody {
    /// The message.
    #[serde(flatten)]
    message: MessageBody,
    /// Delays after attempts that were not acknowledged.
    retry_schedule: Vec<String>,
    /// When it was acknowledged, by a request or by the response to an attempt; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    acknowledged_at: Option<Timestamp>,
    /// Attempts that were made, the next one, and those to come, in order.
    attempts: Vec<NoticeAttempt>,
}

/// One attempt of a notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeAttempt {
    /// When it was or will be made.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// `made`, `next` or `to_come`.
    state: &'static str,
    /// Result of an attempt that was made; null: it is not known. `refused`: it was not acknowledged.
    outcome: Option<&'static str>,
}

impl From<NoticeMoment> for NoticeAttempt {
    fn from(moment: NoticeMoment) -> Self {
        let (state, outcome) = match moment.state {
            MomentState::Made(outcome) => ("made", outcome.map(|outcome| outcome.as_str())),
            MomentState::Next => ("next", None),
            MomentState::ToCome => ("to_come", None),
        };
        Self { at: moment.at.at, state, outcome }
    }
}

impl From<Notice> for NoticeBody {
    fn from(notice: Notice) -> Self {
        let delays = notice.terms.retry_schedule.to_string();
        Self {
            retry_schedule: delays.split(", ").map(str::to_owned).collect(),
            acknowledged_at: notice.message.acknowledged.map(|at| at.at),
            attempts: notice.moments.into_iter().map(NoticeAttempt::from).collect(),
            message: notice.message.into(),
        }
    }
}

/// Sends a notice now and repeats it until it is acknowledged. The same request with the same `key`
/// and channel returns the same notice.
#[utoipa::path(post, path = "/notices", tag = "messages", request_body = NewNoticeBody, responses(
    (status = 201, description = "The notice", body = NoticeBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 409, description = "The channel has a message with this key, whose content differs", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewNoticeBody>,
) -> Result<(StatusCode, Json<NoticeBody>), ApiError> {
    let notice = web.services.messages.notify(&actor, new.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(notice.into())))
}

/// Returns a notice with its attempts.
#[utoipa::path(get, path = "/notices/{key}", tag = "messages",
    params(("key" = String, Path, description = "Key of the notice, percent-encoded"), MessageChannel), responses(
    (status = 200, description = "The notice", body = NoticeBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such notice", body = ErrorBody),
    (status = 409, description = "Several channels have a message with this key: send `channel_id`", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQuery(actor, query): AuthQuery<MessageChannel>,
) -> Result<Json<NoticeBody>, ApiError> {
    let which = message_ref(key, query.channel_id)?;
    Ok(Json(web.services.messages.notice(&actor, which).await?.into()))
}

/// Acknowledges a notice: no attempt is begun any more. Acknowledging it again changes nothing.
#[utoipa::path(post, path = "/notices/{key}/ack", tag = "messages",
    params(("key" = String, Path, description = "Key of the notice, percent-encoded"), MessageChannel), responses(
    (status = 200, description = "The notice", body = NoticeBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such notice", body = ErrorBody),
    (status = 409, description = "Several channels have a message with this key: send `channel_id`", body = ErrorBody)))]
pub async fn acknowledge(
    State(web): State<Web>,
    Path(key): Path<String>,
    AuthQuery(actor, query): AuthQuery<MessageChannel>,
) -> Result<Json<NoticeBody>, ApiError> {
    let which = message_ref(key, query.channel_id)?;
    Ok(Json(web.services.messages.acknowledge(&actor, which).await?.into()))
}
