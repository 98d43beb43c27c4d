//! The stylesheet of the site from the settings. Its address has the hash of its content.

use super::respond::{etag, respond};
use crate::{
    http::{Web, assets::IMMUTABLE, health::refused},
    services::{hex::address_hash, internal_error},
};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::DomainError;
use store::{PoolRole, setting, site};

/// `/site/style/{hash}`: the published stylesheet with this hash, such as `0d56….css`, or the draft, whose
/// hash only admins know.
pub async fn sheet(State(web): State<Web>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(hash) = name.strip_suffix(".css") else { return StatusCode::NOT_FOUND.into_response() };
    match find(&web, hash).await {
        Ok(Some(css)) => {
            let tag = etag("style", &css);
            let mut sheet = respond(&headers, tag, "text/css; charset=utf-8", async { Ok(css.into()) }).await;
            if sheet.status().is_success() || sheet.status() == StatusCode::NOT_MODIFIED {
                sheet.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
            }
            sheet
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(refusal) => refused(&refusal),
    }
}

async fn find(web: &Web, hash: &str) -> Result<Option<String>, DomainError> {
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    for name in [site::STYLE, site::STYLE_DRAFT] {
        let css = setting::find(lease.conn(), name).await.map_err(internal_error)?;
        if let Some(css) = css.filter(|css| !css.is_empty() && address_hash(css) == hash) {
            return Ok(Some(css));
        }
    }
    Ok(None)
}
