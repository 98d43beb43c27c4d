//! Whether the process is up, whether it publishes, and its numbers.

use super::{Web, auth, metrics};
use app::words::{Language, weather::WeatherWords};
use axum::{
    Extension, Json,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{Refusal, engine::Heartbeat};
use serde::Serialize;

/// Answers while the process lives.
pub async fn alive() -> &'static str {
    "ok"
}

/// Whether the engine publishes, and why not.
#[derive(Serialize)]
struct Readiness {
    ready: bool,
    /// A word: what is wrong, `paused`, `silent` or `behind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// What is wrong, in plain words; also of what does not keep it from publishing.
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<&'static str>,
    /// Without `attention` for strangers.
    heartbeat: serde_json::Value,
}

/// 200 while the engine publishes, else 503 with the reason.
pub async fn ready(State(web): State<Web>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let heartbeat = web.desk.engine.heartbeat().await;
    let reason = match &heartbeat {
        beat if beat.is_healthy => None,
        Heartbeat { weather: Some(weather), .. } if weather.stops() => Some(weather.as_str()),
        beat if beat.is_paused => Some("paused"),
        beat if beat.now.since(beat.beat_at) > 5_000 => Some("silent"),
        _ => Some("behind"),
    };
    let status = if reason.is_none() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let weather = heartbeat.weather.map(|weather| WeatherWords(Language::En).sentence(weather));
    let says = match reason {
        Some("paused") => Some("An admin has paused all publishing. What falls due waits."),
        Some("silent") => Some("The engine has shown no sign of life for more than 5 s."),
        Some("behind") => {
            Some("Something is overdue by more than 5 s, or the engine has not looked for so long.")
        }
        _ => weather,
    };
    let mut heartbeat = serde_json::to_value(heartbeat).unwrap_or_default();
    if let Some(fields) = heartbeat.as_object_mut().filter(|_| !auth::is_local(&head)) {
        fields.remove("attention");
    }
    (status, Json(Readiness { ready: reason.is_none(), reason, says, heartbeat })).into_response()
}

/// The numbers for Prometheus: to this machine, and to admins with a token.
pub async fn numbers(State(web): State<Web>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    if !auth::is_local(&head) {
        match auth::token_actor(&web, &head).await {
            Ok(actor) if actor.is_admin() => {}
            Ok(_) => return refused(&Refusal::NotAllowed),
            Err(refusal) => return refused(&refusal),
        }
    }
    let beat = web.desk.engine.heartbeat().await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::text(&beat))
        .into_response()
}

/// A refusal as one plain sentence; whoever reads pages gets it as one ([`super::sorry`]).
pub fn refused(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = (status, Extension(refusal.clone()), refusal.to_string()).into_response();
    if let Refusal::TooMany { seconds } = refusal {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
    }
    answer
}
