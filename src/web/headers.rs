//! What every answer carries, whatever it says: content policy, isolation, no sniffing, and no caching unless it asked for it.

use super::{
    Web, api, origin,
    sorry::{self, Reader},
};
use crate::traces;
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Refusal;
use tracing::{Instrument, field::Empty};

/// Which scripts and pictures an answer may load. Handlers put it into the answer's extensions; without it nothing may run.
#[derive(Debug, Clone)]
pub enum Policy {
    /// A page of the desk: scripts that carry this nonce.
    Desk(String),
    /// A page of the public site: no script at all; pictures of an article may come from elsewhere.
    Site,
}

/// Puts the headers on every answer; answers of the API are always JSON.
pub async fn dress(State(web): State<Web>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/") || request.uri().path() == "/api";
    let reader = Reader::of(&request);
    let stranger = origin::refuse(&web.address, &request).or_else(|| refuse_nameless(&request));
    let mut answer = match stranger {
        Some(refused) => refused,
        None => traced(request, next).await,
    };
    if is_api {
        answer = api::as_json(answer).await;
    } else if let (Some(reader), Some(refusal)) = (reader, answer.extensions().get::<Refusal>()) {
        let weather = web.desk.engine.heartbeat().await.weather;
        answer = sorry::page(&reader, refusal, weather);
    }
    let policy = policy(answer.extensions().get());
    let is_https = web.address.public_url.starts_with("https://");
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in FIXED {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_https {
        let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.remove(header::SERVER);
    answer
}

/// Answers it within a span that is named after its route, never after what stands in its address.
async fn traced(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let span = tracing::info_span!(
        "request",
        otel.name = %format_args!("{} {route}", request.method()),
        otel.kind = "server",
        http.request.method = %request.method(),
        http.route = route,
        http.response.status_code = Empty,
    );
    traces::follow(&span, request.headers());
    let answer = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", answer.status().as_u16());
    answer
}

const FIXED: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("x-frame-options", "DENY"),
];

fn policy(policy: Option<&Policy>) -> HeaderValue {
    let end = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let text = match policy {
        None => format!("default-src 'none'; style-src 'self'; img-src 'self' data:; {end}"),
        Some(Policy::Site) => {
            format!(
                "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data: https:; {end}"
            )
        }
        Some(Policy::Desk(nonce)) => format!(
            "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
             style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; \
             manifest-src 'self'; {end}"
        ),
    };
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}

/// A browser that carries a session always says where a form stood. What carries one and does not say, is not believed.
fn refuse_nameless(request: &Request) -> Option<Response> {
    let headers = request.headers();
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    (is_change && origin::is_nameless(headers) && carries_session(headers)).then(|| {
        (StatusCode::FORBIDDEN, "a form with a session must come with an Origin header").into_response()
    })
}

fn carries_session(headers: &HeaderMap) -> bool {
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get("sid").is_some() || jar.get("__Host-sid").is_some()
}
