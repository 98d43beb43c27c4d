//! How the API says no: always JSON, always the same shape.

use super::shapes::TaskBody;
use axum::{
    Json,
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{Refusal, Timestamp};
use http_body_util::BodyExt;
use serde::Serialize;
use utoipa::ToSchema;

/// Characters shown of the beginning of a long message.
const SHOWN_CHARS: usize = 300;
/// Characters shown of its end: there it says what would be right.
const SHOWN_END: usize = 100;

/// What went wrong, and what to do it with.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error itself.
    pub error: ErrorPart,
    /// 409: the task as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskBody>,
    /// 409 of an article: the text as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentText>,
    /// 422 of a wall-clock time that happens twice or never: what to send instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    /// 422 of several items: what is wrong with which, at most 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<ItemError>>,
}

/// The error itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorPart {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// The field it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// The text somebody else saved meanwhile.
#[derive(Debug, Serialize, ToSchema)]
pub struct CurrentText {
    /// Number of the current revision.
    pub revision: i32,
    /// Its title.
    pub title: String,
    /// Its Markdown.
    pub body: String,
}

/// One thing to send instead.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Choice {
    /// The same wall-clock time, with a word that says which one.
    Which {
        /// `earlier` or `later`.
        disambiguation: &'static str,
        /// The moment it stands for.
        #[schema(value_type = String, format = DateTime)]
        due_at: Timestamp,
    },
    /// Another wall-clock time.
    Instead {
        /// A `local` that exists.
        local: String,
    },
}

/// What is wrong with one of several items.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemError {
    /// Its place in the list, from 0.
    pub index: usize,
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// The field it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// An answer that says no.
#[derive(Debug)]
pub enum ApiError {
    /// The desk said so.
    Refused(Refusal),
    /// The request could not be read: status and sentence.
    Unreadable(StatusCode, String),
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl ErrorPart {
    fn of(refusal: &Refusal) -> Self {
        let message = match refusal {
            Refusal::Invalid { field, problem }
                if !matches!(problem, domain::refusal::Problem::Unreadable { .. }) =>
            {
                format!("{field} {problem}")
            }
            other => other.to_string(),
        };
        Self { code: refusal.code().to_owned(), message: brief(message), field: refusal.field().map(brief) }
    }
}

impl From<Refusal> for ErrorBody {
    fn from(refusal: Refusal) -> Self {
        let error = ErrorPart::of(&refusal);
        let mut body = Self { error, task: None, current: None, choices: None, errors: None };
        match refusal {
            Refusal::TaskConflict { task } | Refusal::AlreadyScheduled { task } => {
                body.task = Some(TaskBody::from(*task));
            }
            Refusal::InTheWay { tasks, .. } => body.task = tasks.into_iter().next().map(TaskBody::from),
            Refusal::TextConflict { revision, title, body: text } => {
                body.current = Some(CurrentText { revision, title, body: text });
            }
            Refusal::DoubledTime { earlier, later, .. } => {
                body.choices = Some(vec![
                    Choice::Which { disambiguation: "earlier", due_at: earlier },
                    Choice::Which { disambiguation: "later", due_at: later },
                ]);
            }
            Refusal::SkippedTime { before, after, .. } => {
                body.choices =
                    Some(vec![Choice::Instead { local: before }, Choice::Instead { local: after }]);
            }
            Refusal::Bulk { items } => body.errors = Some(items.into_iter().map(item_error).collect()),
            _ => {}
        }
        body
    }
}

/// A text that may repeat what was sent, without its middle if it is long: 8 MB in must not be 8 MB out.
fn brief(text: impl Into<String>) -> String {
    let text = text.into();
    let count = text.chars().count();
    if count <= SHOWN_CHARS + SHOWN_END {
        return text;
    }
    let (begin, end) = (text.chars().take(SHOWN_CHARS), text.chars().skip(count - SHOWN_END));
    begin.chain(['…']).chain(end).collect()
}

fn item_error((index, refusal): (usize, Refusal)) -> ItemError {
    let ErrorPart { code, message, field } = ErrorPart::of(&refusal);
    ItemError { index, code, message, field }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::Unreadable(status, message) => plain(status, message),
            Self::Refused(refusal) => {
                let status =
                    StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let wait = match &refusal {
                    Refusal::TooMany { seconds } => Some(*seconds),
                    Refusal::Unavailable | Refusal::Busy => Some(1),
                    _ => None,
                };
                let mut answer = (status, Json(ErrorBody::from(refusal))).into_response();
                if let Some(seconds) = wait {
                    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                }
                if status == StatusCode::UNAUTHORIZED {
                    answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                }
                answer
            }
        }
    }
}

fn plain(status: StatusCode, message: String) -> Response {
    let error = ErrorPart { code: code_of(status).to_owned(), message: brief(message), field: None };
    (status, Json(ErrorBody { error, task: None, current: None, choices: None, errors: None }))
        .into_response()
}

const fn code_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "log_in",
        403 => "not_allowed",
        404 => "no_such",
        405 => "no_such_method",
        408 => "too_slow",
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

/// Turns a refusal that some layer wrote as plain text into the API's shape.
pub async fn as_json(answer: Response) -> Response {
    let status = answer.status();
    let is_json = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let text = match body.collect().await {
        Ok(whole) => String::from_utf8_lossy(&whole.to_bytes()).into_owned(),
        Err(_) => String::new(),
    };
    let message = match status {
        StatusCode::NOT_FOUND => "there is nothing at this address; see /api/v1/openapi.json".to_owned(),
        StatusCode::METHOD_NOT_ALLOWED => "this address does not take that method".to_owned(),
        _ if text.is_empty() => status.canonical_reason().unwrap_or("refused").to_lowercase(),
        _ => text,
    };
    let (shape, body) = plain(status, message).into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(shape.headers);
    Response::from_parts(head, Body::new(body))
}
