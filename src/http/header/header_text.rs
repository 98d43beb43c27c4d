//! Reads headers of requests.

use axum::http::{HeaderMap, header};

/// Returns a header as text; empty if it is absent or not text.
pub fn text<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
