//! Security headers of every response: content security policy, isolation, no sniffing, no caching
//! unless the handler allows it.

use super::policy::{Policy, policy};
use crate::{
    http::{
        Web, api, origin,
        pages::error_page::{self, Reader},
    },
    process::telemetry,
};
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::DomainError;
use tracing::{Instrument, field::Empty};

/// Adds the security headers to every response. Converts errors: to JSON for the API, to a page for
/// browsers.
pub async fn security_headers(State(web): State<Web>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/") || request.uri().path() == "/api";
    let reader = Reader::of(&request);
    let refused = origin::refuse(&web.address, &request).or_else(|| refuse_without_origin(&request));
    let mut response = match refused {
        Some(refused) => refused,
        None => handle_traced(request, next).await,
    };
    if is_api {
        response = api::as_json(response).await;
    } else if let (Some(reader), Some(refusal)) = (reader, response.extensions().get::<DomainError>()) {
        let issue = web.services.engine.status().await.issue;
        response = error_page::page(&reader, refusal, issue);
    }
    let is_for_other_sites = matches!(response.extensions().get(), Some(Policy::Media { is_public: true }));
    let policy = policy(response.extensions().get());
    let is_https = web.address.public_url.starts_with("https://");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in FIXED_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_for_other_sites {
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    }
    if is_https {
        let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.remove(header::SERVER);
    response
}

/// Handles the request in a tracing span that is named after the route, never after the requested
/// URL.
async fn handle_traced(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let span = tracing::info_span!(
        "request",
        otel.name = %format_args!("{} {route}", request.method()),
        otel.kind = "server",
        http.request.method = %request.method(),
        http.route = route,
        http.response.status_code = Empty,
    );
    telemetry::follow(&span, request.headers());
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    response
}

/// Headers with the same value in every response.
const FIXED_HEADERS: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("x-frame-options", "DENY"),
];

/// Refuses a change with a session cookie but without an origin: browsers always send one.
fn refuse_without_origin(request: &Request) -> Option<Response> {
    let headers = request.headers();
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    (is_change && origin::is_missing(headers) && has_session_cookie(headers)).then(|| {
        (StatusCode::FORBIDDEN, "a request with a session cookie needs an Origin header").into_response()
    })
}

fn has_session_cookie(headers: &HeaderMap) -> bool {
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get("sid").is_some() || jar.get("__Host-sid").is_some()
}
