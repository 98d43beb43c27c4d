//! The files the browser gets: script, wasm, style, icons. Made by `cargo xtask`, embedded in the binary, compressed before.
//! The program hands them in ([`carry`]), so that a new face means to link anew, not to compile the server anew.

use app::document::Manifest;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::EmbeddedFile;
use serde::Deserialize;
use std::{
    fmt::Write as _,
    sync::{LazyLock, OnceLock},
};

/// Finds an embedded file by its path below `target/site`.
pub type Find = fn(&str) -> Option<EmbeddedFile>;

static FILES: OnceLock<Find> = OnceLock::new();

/// Says where the files are. To be called before anything is served; later calls change nothing.
pub fn carry(files: Find) {
    FILES.get_or_init(|| files);
}

fn get(path: &str) -> Option<EmbeddedFile> {
    FILES.get().and_then(|files| files(path))
}

/// The addresses of the built files.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Built {
    js: String,
    wasm: String,
    css: String,
    site_css: String,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let file = get("manifest.json");
    file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
});

/// Addresses of script, wasm and style, as pages name them. Empty while nothing was built.
#[must_use]
pub fn manifest() -> Manifest {
    let Built { js, wasm, css, .. } = BUILT.clone();
    Manifest { js, wasm, css }
}

/// Address of the public site's style; that of the desk where it has none of its own.
#[must_use]
pub fn site_style() -> &'static str {
    if BUILT.site_css.is_empty() { &BUILT.css } else { &BUILT.site_css }
}

/// `Link` header that has the browser fetch what a page of the desk needs before it reads the page.
#[must_use]
pub fn preload() -> Option<HeaderValue> {
    let Built { js, wasm, css, .. } = &*BUILT;
    let links = [
        (css, "rel=preload; as=style"),
        (js, "rel=modulepreload"),
        (wasm, "rel=preload; as=fetch; type=\"application/wasm\"; crossorigin"),
    ];
    let mut text = String::new();
    for (address, kind) in links.into_iter().filter(|(address, _)| !address.is_empty()) {
        let _ = write!(text, "{}<{address}>; {kind}", if text.is_empty() { "" } else { ", " });
    }
    HeaderValue::try_from(text).ok().filter(|links| !links.is_empty())
}

/// The file at this path, in the smallest form the client reads; `None`: there is none.
#[must_use]
pub fn find(path: &str, headers: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    if name.is_empty() || name == "manifest.json" || is_twin(name) {
        return None;
    }
    let plain = get(name)?;
    let tag = tag(&plain);
    let is_hashed = name.starts_with("pkg/");
    let lasting = if is_hashed { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    let mut answer = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        whole(name, plain, headers)
    };
    let out = answer.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        out.insert(header::ETAG, tag);
    }
    Some(answer)
}

fn whole(name: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Response {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let twin = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| reads(accepted, coding))
        .find_map(|(coding, ending)| Some((coding, get(&format!("{name}.{ending}"))?)));
    let (coding, file) = match twin {
        Some((coding, file)) => (Some(coding), file),
        None => (None, plain),
    };
    let mut answer = Body::from(file.data.into_owned()).into_response();
    let out = answer.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    if let Some(coding) = coding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    answer
}

/// Whether a client reads this coding: it is named, and not with a quality of 0.
fn reads(accepted: &str, coding: &str) -> bool {
    accepted.split(',').any(|part| {
        let mut part = part.split(';');
        let is_it = part.next().is_some_and(|name| name.trim().eq_ignore_ascii_case(coding));
        is_it
            && !part
                .any(|quality| quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32)))
    })
}

fn is_twin(name: &str) -> bool {
    ["br", "gz"].iter().any(|ending| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('.')))
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let mut tag = String::from("\"");
    for byte in hash.iter().take(12) {
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

fn kind(name: &str) -> &'static str {
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
