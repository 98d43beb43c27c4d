//! `/healthz`, `/readyz` and `/metrics`.

pub mod metrics;
pub mod probe;

use super::{Web, auth};
use axum::{
    Extension, Json,
    extract::{Query, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{DomainError, engine::EngineStatus, health::Severity};
use probe::ProbeQuery;
use serde::Serialize;
use texts::{Language, engine::health::HealthTexts};

/// An engine without a heartbeat for this long is reported as not running, milliseconds.
const SILENT_AFTER_MS: i64 = 5_000;

/// Answers while the process is running. To a challenge it also says which desk it is.
pub async fn alive(State(web): State<Web>, Query(query): Query<ProbeQuery>) -> Response {
    match query.challenge {
        Some(challenge) => probe::answer(&web, &challenge).await,
        None => "ok".into_response(),
    }
}

/// Whether the engine executes the tasks that are due, and why not.
#[derive(Serialize)]
struct Readiness {
    ready: bool,
    /// Why it is not ready: a health issue, `paused`, `engine_not_running` or `overdue`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The issue as a sentence; also for issues that do not stop the execution of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    /// Version of the program, for clients on this machine only.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
    /// Status of the engine; without `attention` for clients on other machines.
    engine: serde_json::Value,
}

/// Answers 200 while the engine executes the tasks that are due, else 503 with the reason. While it
/// is paused it answers 503 once a task is overdue.
pub async fn ready(State(web): State<Web>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let engine = web.services.engine.status().await;
    let reason = match &engine {
        status if status.is_healthy => None,
        EngineStatus { issue: Some(kind), .. } if kind.severity() == Severity::Blocking => {
            Some(kind.as_str())
        }
        status if status.is_paused() => Some("paused"),
        status if status.now.since(status.heartbeat_at) > SILENT_AFTER_MS => Some("engine_not_running"),
        _ => Some("overdue"),
    };
    let status = if reason.is_none() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let issue = engine.issue.map(|kind| HealthTexts(Language::En).summary(kind));
    let message = match reason {
        Some("paused") => Some("An admin has paused the engine. Due tasks wait until it is resumed."),
        Some("engine_not_running") => Some("No heartbeat from the engine for more than 5 s."),
        Some("overdue") => {
            Some("A task is overdue by more than 5 s, or the engine has not checked for that long.")
        }
        _ => issue,
    };
    let mut engine = serde_json::to_value(engine).unwrap_or_default();
    let is_local = auth::is_local(&head);
    if let Some(fields) = engine.as_object_mut().filter(|_| !is_local) {
        fields.remove("attention");
        fields.remove("attention_watched");
    }
    let version = is_local.then_some(env!("CARGO_PKG_VERSION"));
    (status, Json(Readiness { ready: reason.is_none(), reason, message, version, engine })).into_response()
}

/// Returns the metrics for Prometheus. Only for this machine, and for admins with a token.
pub async fn show_metrics(State(web): State<Web>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    if !auth::is_local(&head) {
        match auth::token_actor(&web, &head).await {
            Ok(actor) if actor.is_admin() => {}
            Ok(_) => return refused(&DomainError::NotAllowed),
            Err(refusal) => return refused(&refusal),
        }
    }
    let status = web.services.engine.status().await;
    let issues = web.parts.engine.health_issues(status.now);
    let text = metrics::text(&status, &issues);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Returns an error as plain text. Browsers get it as a page instead ([`super::pages::error_page`]).
pub fn refused(refusal: &DomainError) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Extension(refusal.clone()), refusal.to_string()).into_response();
    if let DomainError::TooMany { seconds } = refusal {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
    }
    response
}
