//! `/sw.js`: the script that browsers run when a push message arrives. Only the page of notifications
//! registers it, and it stores nothing.

use axum::{
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};

/// Path of the route.
pub const PATH: &str = "/sw.js";
const SCRIPT: &str = include_str!("sw.js");

/// Returns the script. Browsers ask for it again each time, so that a new release replaces it.
pub async fn show() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("service-worker-allowed"), "/"),
    ];
    (headers, SCRIPT).into_response()
}
