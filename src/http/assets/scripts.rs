//! The scripts of the desk's pages as one file. They are compiled into this program.

use super::{IMMUTABLE, content_type};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, sync::LazyLock};

struct Scripts {
    url: String,
    text: String,
}

static SCRIPTS: LazyLock<Scripts> = LazyLock::new(|| {
    let text = app::shell::document::scripts();
    let mut url = String::from("/pkg/desk.");
    for byte in Sha256::digest(&text).iter().take(8) {
        let _ = write!(url, "{byte:02x}");
    }
    Scripts { url: url + ".js", text }
});

/// Returns the URL, with a hash of the content.
pub fn url() -> &'static str {
    &SCRIPTS.url
}

/// Returns the file if this is its path.
pub fn find(path: &str) -> Option<Response> {
    let headers = [(header::CONTENT_TYPE, content_type(path)), (header::CACHE_CONTROL, IMMUTABLE)];
    (path == url()).then(|| (headers, SCRIPTS.text.as_str()).into_response())
}
