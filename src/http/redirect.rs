//! Answers HTTP with a redirect to the public URL, and nothing else.

use axum::{
    Router,
    extract::State,
    http::{StatusCode, Uri, header, uri::PathAndQuery},
    response::{IntoResponse as _, Response},
};
use std::sync::Arc;

/// Returns the routes; `public_url`: without a trailing slash.
pub fn router(public_url: &str) -> Router {
    Router::new().fallback(redirect).with_state(Arc::<str>::from(public_url))
}

/// Redirects to the same path of the public URL; the requested host and the body are ignored.
async fn redirect(State(public_url): State<Arc<str>>, uri: Uri) -> Response {
    let path = uri.path_and_query().map(PathAndQuery::as_str).filter(|path| path.starts_with('/'));
    let location = format!("{public_url}{}", path.unwrap_or("/"));
    let headers = [(header::LOCATION, location), (header::CONNECTION, "close".to_owned())];
    (StatusCode::PERMANENT_REDIRECT, headers).into_response()
}
