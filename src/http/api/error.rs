//! Error responses of the API, always JSON of the same shape.

use super::dto::TaskBody;
use crate::http::api::{media_use::MediaUseBody, zone_effect::ZoneEffectBody};
use axum::{
    Json,
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    DomainError, Timestamp,
    media::MediaProblem,
    meetings::{BookingConflict, OccurrenceConflict},
};
use http_body_util::BodyExt;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Characters kept from the beginning of a long message.
const MAX_HEAD_CHARS: usize = 300;
/// Characters kept from its end, which says what would be valid.
const MAX_TAIL_CHARS: usize = 100;

/// An error response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
    /// Status 409: the current task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskBody>,
    /// Status 409 of an article: its current text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentText>,
    /// Status 409 of a room that is taken: the bookings in the way, by start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<Vec<ConflictBody>>,
    /// Status 409 of a series: its occurrences that are not possible, by start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Vec<OccurrenceConflictBody>>,
    /// Status 409 of a file that is in use: the articles that use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<Vec<MediaUseBody>>,
    /// Status 409 of another time zone of the desk: what it means for scheduled items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone_effect: Option<ZoneEffectBody>,
    /// Status 422 of a local time that occurs twice or does not exist: what to send instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    /// Status 404 or 422 of a bulk request: its invalid items, the first 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<ItemError>>,
}

/// The error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// Stable code for programs.
    pub code: String,
    /// Message for people.
    pub message: String,
    /// Path of the invalid field, e.g. `mail.host`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// The text of an article that was saved in the meantime.
#[derive(Debug, Serialize, ToSchema)]
pub struct CurrentText {
    /// Number of the current revision.
    pub revision: i32,
    /// Its title.
    pub title: String,
    /// Its Markdown.
    pub body: String,
}

/// A booking that is in the way of another one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConflictBody {
    /// Id of the meeting.
    #[schema(value_type = String, format = Uuid)]
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// When it starts.
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub ends_at: Timestamp,
}

/// An occurrence of a series that is not possible.
#[derive(Debug, Serialize, ToSchema)]
pub struct OccurrenceConflictBody {
    /// Local time by the rule; identifies the occurrence in its series.
    pub original_local: String,
    /// When it would start.
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: Timestamp,
    /// When it would end.
    #[schema(value_type = String, format = DateTime)]
    pub ends_at: Timestamp,
    /// `room_taken`, `closed`, `no_room` (the room was archived) or `missed` (no node ran in time).
    pub reason: &'static str,
    /// The bookings in the way, by start; at most 3.
    pub conflicts: Vec<ConflictBody>,
}

/// A value to send instead.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Choice {
    /// The same local time, with a disambiguation.
    Disambiguated {
        /// `earlier` or `later`.
        disambiguation: &'static str,
        /// The resulting instant.
        #[schema(value_type = String, format = DateTime)]
        due_at: Timestamp,
    },
    /// Another local time that exists, in the field that `error.field` names: `local`, `local_start` or
    /// `local_end`.
    OtherLocal(BTreeMap<String, String>),
}

/// Error of one item of a bulk request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemError {
    /// Index in the list, from 0.
    pub index: usize,
    /// Stable code for programs.
    pub code: String,
    /// Message for people.
    pub message: String,
    /// Path of the invalid field, e.g. `mail.host`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// An error of an API operation.
#[derive(Debug)]
pub enum ApiError {
    /// A service refused the request.
    Refused(DomainError),
    /// The request could not be read: status and message.
    Unreadable(StatusCode, String),
}

impl From<DomainError> for ApiError {
    fn from(refusal: DomainError) -> Self {
        Self::Refused(refusal)
    }
}

impl ErrorDetail {
    /// Describes a refusal.
    pub fn of(refusal: &DomainError) -> Self {
        let message = match refusal {
            DomainError::Invalid { field, problem } => problem.with_field(field),
            other => other.to_string(),
        };
        Self {
            code: refusal.code().to_owned(),
            message: shorten(message),
            field: refusal.field().map(shorten),
        }
    }
}

impl ErrorBody {
    /// An error without details.
    const fn of(error: ErrorDetail) -> Self {
        Self {
            error,
            task: None,
            current: None,
            conflicts: None,
            occurrences: None,
            uses: None,
            zone_effect: None,
            choices: None,
            errors: None,
        }
    }
}

impl From<BookingConflict> for ConflictBody {
    fn from(one: BookingConflict) -> Self {
        Self { id: one.id.0, title: one.title, starts_at: one.starts.at, ends_at: one.ends.at }
    }
}

impl ConflictBody {
    /// The bookings in the way of occurrences, each once.
    pub fn of_occurrences(all: &[OccurrenceConflict]) -> Vec<Self> {
        let mut seen = std::collections::HashSet::new();
        let each = all.iter().flat_map(|one| &one.meetings).filter(|meeting| seen.insert(meeting.id));
        each.cloned().map(Self::from).collect()
    }
}

impl From<OccurrenceConflict> for OccurrenceConflictBody {
    fn from(one: OccurrenceConflict) -> Self {
        Self {
            original_local: one.original_local,
            starts_at: one.starts.at,
            ends_at: one.ends.at,
            reason: one.reason.as_str(),
            conflicts: one.meetings.into_iter().map(ConflictBody::from).collect(),
        }
    }
}

impl From<DomainError> for ErrorBody {
    fn from(refusal: DomainError) -> Self {
        let error = ErrorDetail::of(&refusal);
        let mut body = Self::of(error);
        match refusal {
            DomainError::TaskConflict { task, .. } | DomainError::AlreadyScheduled { task } => {
                body.task = Some(TaskBody::from(*task));
            }
            DomainError::InTheWay { tasks, .. } => body.task = tasks.into_iter().next().map(TaskBody::from),
            DomainError::TextConflict { revision, title, body: text, .. } => {
                body.current = Some(CurrentText { revision, title, body: text });
            }
            DomainError::RoomTaken { conflicts } => {
                body.conflicts = Some(conflicts.into_iter().map(ConflictBody::from).collect());
            }
            DomainError::OccurrencesTaken { conflicts, .. } => {
                body.conflicts = Some(ConflictBody::of_occurrences(&conflicts));
                body.occurrences = Some(conflicts.into_iter().map(OccurrenceConflictBody::from).collect());
            }
            DomainError::Media { problem: MediaProblem::InUse { uses } } => {
                body.uses = Some(uses.into_iter().map(MediaUseBody::from).collect());
            }
            DomainError::ZoneChoice { effect } => body.zone_effect = Some((*effect).into()),
            DomainError::DoubledTime { earlier, later, .. } => {
                body.choices = Some(vec![
                    Choice::Disambiguated { disambiguation: "earlier", due_at: earlier },
                    Choice::Disambiguated { disambiguation: "later", due_at: later },
                ]);
            }
            DomainError::SkippedTime { field, before, after, .. } => {
                let other = |local| Choice::OtherLocal(BTreeMap::from([(field.clone(), local)]));
                body.choices = Some(vec![other(before), other(after)]);
            }
            DomainError::Bulk { items, .. } => {
                body.errors = Some(items.into_iter().map(item_error).collect())
            }
            _ => {}
        }
        body
    }
}

/// Cuts the middle out of a long message: it may repeat the request, and 8 MB in must not become 8
/// MB out.
fn shorten(text: impl Into<String>) -> String {
    let text = text.into();
    let count = text.chars().count();
    if count <= MAX_HEAD_CHARS + MAX_TAIL_CHARS {
        return text;
    }
    let (begin, end) = (text.chars().take(MAX_HEAD_CHARS), text.chars().skip(count - MAX_TAIL_CHARS));
    begin.chain(['…']).chain(end).collect()
}

fn item_error((index, refusal): (usize, DomainError)) -> ItemError {
    let ErrorDetail { code, message, field } = ErrorDetail::of(&refusal);
    ItemError { index, code, message, field }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::Unreadable(status, message) => error_response(status, message),
            Self::Refused(refusal) => {
                let status =
                    StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let wait = match &refusal {
                    DomainError::TooMany { seconds } | DomainError::SignalRate { seconds, .. } => {
                        Some(*seconds)
                    }
                    DomainError::Unavailable | DomainError::Busy => Some(1),
                    DomainError::Media { problem: MediaProblem::Busy } => Some(2),
                    DomainError::Media { problem: MediaProblem::StorageUnavailable } => Some(10),
                    _ => None,
                };
                let mut response = (status, Json(ErrorBody::from(refusal))).into_response();
                if let Some(seconds) = wait {
                    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                }
                if status == StatusCode::UNAUTHORIZED {
                    response
                        .headers_mut()
                        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                }
                response
            }
        }
    }
}

fn error_response(status: StatusCode, message: String) -> Response {
    let error = ErrorDetail { code: code_of(status).to_owned(), message: shorten(message), field: None };
    (status, Json(ErrorBody::of(error))).into_response()
}

const fn code_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "log_in",
        403 => "not_allowed",
        404 => "no_such",
        405 => "no_such_method",
        408 => "too_slow",
        409 => "wrong_transport",
        410 => "in_trash",
        413 => "too_large",
        415 => "not_json",
        421 => "wrong_host",
        429 => "too_many",
        431 => "headers_too_large",
        503 => "unavailable",
        400..=499 => "unreadable",
        _ => "internal",
    }
}

/// Converts a plain-text error of a layer below into an API error.
pub async fn as_json(response: Response) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let text = match body.collect().await {
        Ok(whole) => String::from_utf8_lossy(&whole.to_bytes()).into_owned(),
        Err(_) => String::new(),
    };
    let message = match status {
        StatusCode::NOT_FOUND => "no such path; see /api/v1/openapi.json".to_owned(),
        StatusCode::METHOD_NOT_ALLOWED => "this path does not support that method".to_owned(),
        _ if text.is_empty() => status.canonical_reason().unwrap_or("refused").to_lowercase(),
        _ => text,
    };
    let (shape, body) = error_response(status, message).into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(shape.headers);
    Response::from_parts(head, Body::new(body))
}
