//! Static files for browsers: script, wasm, stylesheet, icons. `cargo xtask` builds and compresses
//! them; they are embedded in the binary. The binary passes them in ([`set_files`]), so that a new
//! frontend needs a new link, not a new build of the server.

mod scripts;
#[cfg(debug_assertions)]
pub mod watch;

use app::shell::document::Manifest;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::EmbeddedFile;
use serde::Deserialize;
use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{LazyLock, OnceLock},
};

/// Caching of files whose names contain a hash of their content.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Finds an embedded file by its path below `target/site`.
pub type Find = fn(&str) -> Option<EmbeddedFile>;

static FILES: OnceLock<Find> = OnceLock::new();

/// Sets the source of the files. Call it before serving; later calls have no effect.
pub fn set_files(files: Find) {
    FILES.get_or_init(|| files);
}

fn get(path: &str) -> Option<EmbeddedFile> {
    #[cfg(debug_assertions)]
    if watch::is_on() {
        return watch::read(path);
    }
    FILES.get().and_then(|files| files(path))
}

/// URLs of the built files.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct BuiltFiles {
    js: String,
    wasm: String,
    css: String,
    site_css: String,
    editor: String,
    /// Not empty: `cargo xtask watch` builds them again after each change.
    #[cfg(debug_assertions)]
    watch: String,
}

impl BuiltFiles {
    /// Whether pages wait for other files: the first build goes on, or sources are watched.
    #[cfg(debug_assertions)]
    fn may_change(&self) -> bool {
        self.js.is_empty() || !self.watch.is_empty()
    }

    fn read() -> Self {
        let file = get("manifest.json");
        file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
    }

    fn of_site(&self) -> &str {
        if self.site_css.is_empty() { &self.css } else { &self.site_css }
    }
}

/// Returns the URLs of the embedded files.
fn built_files() -> Cow<'static, BuiltFiles> {
    static EMBEDDED: LazyLock<BuiltFiles> = LazyLock::new(BuiltFiles::read);
    #[cfg(debug_assertions)]
    if watch::is_on() {
        return Cow::Owned(BuiltFiles::read());
    }
    Cow::Borrowed(&EMBEDDED)
}

/// Returns the URLs of the files of the desk's pages. Empty if the frontend is not built.
#[must_use]
pub fn manifest() -> Manifest {
    let BuiltFiles { js, wasm, css, editor, .. } = built_files().into_owned();
    Manifest { js, scripts: scripts::url().to_owned(), wasm, css, editor }
}

/// Returns the URL of the public site's stylesheet; the desk's if it has none of its own.
#[must_use]
pub fn site_style() -> Cow<'static, str> {
    match built_files() {
        Cow::Borrowed(files) => Cow::Borrowed(files.of_site()),
        Cow::Owned(files) => Cow::Owned(files.of_site().to_owned()),
    }
}

/// Returns the `Link` header that lets the browser load the stylesheet before it has read the page.
/// Nothing else: the text of a page is not painted without the stylesheet, and works without the wasm.
#[must_use]
pub fn preload() -> Option<HeaderValue> {
    let css = &built_files().css;
    if css.is_empty() {
        return None;
    }
    HeaderValue::try_from(format!("<{css}>; rel=preload; as=style")).ok()
}

/// Returns the file at this path, in the smallest encoding that the client accepts; `None`: there
/// is none.
#[must_use]
pub fn find(path: &str, headers: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    if name.is_empty() || name == "manifest.json" || is_compressed_copy(name) {
        return None;
    }
    if let Some(scripts) = scripts::find(path) {
        return Some(scripts);
    }
    let plain = get(name)?;
    let tag = etag(&plain);
    let is_hashed = name.starts_with("pkg/");
    let cache_control = if is_hashed { IMMUTABLE } else { "public, max-age=3600" };
    let mut response = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        full_response(name, plain, headers)
    };
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        out.insert(header::ETAG, tag);
    }
    Some(response)
}

fn full_response(name: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Response {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let compressed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| accepts(accepted, coding))
        .find_map(|(coding, ending)| Some((coding, get(&format!("{name}.{ending}"))?)));
    let (coding, file) = match compressed {
        Some((coding, file)) => (Some(coding), file),
        None => (None, plain),
    };
    let mut response = Body::from(file.data.into_owned()).into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    if let Some(coding) = coding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Whether the client accepts this encoding: it is listed, and not with a quality of 0.
fn accepts(accepted: &str, coding: &str) -> bool {
    accepted.split(',').any(|part| {
        let mut part = part.split(';');
        let is_it = part.next().is_some_and(|name| name.trim().eq_ignore_ascii_case(coding));
        is_it
            && !part
                .any(|quality| quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32)))
    })
}

fn is_compressed_copy(name: &str) -> bool {
    ["br", "gz"].iter().any(|ending| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('.')))
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

fn etag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let mut tag = String::from("\"");
    for byte in hash.iter().take(12) {
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
