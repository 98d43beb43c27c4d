//! Development with `cargo xtask run` and `watch`: the browser's files are read from a folder instead of the
//! binary, so that the server need not wait for them, and pages get a script that reloads them when they are
//! built. Builds without debug assertions do not contain this module.

use super::built_files;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::{self, Next},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures::{StreamExt as _, stream};
use rust_embed::EmbeddedFile;
use sha2::{Digest as _, Sha256};
use std::{
    path::{Component, Path, PathBuf},
    sync::{Arc, OnceLock},
};

const SCRIPT: &str = include_str!("watch.js");

static FOLDER: OnceLock<PathBuf> = OnceLock::new();
static PORT: OnceLock<u16> = OnceLock::new();

/// Starts the development mode with the folder of the files, and the port on this machine that reports new
/// builds, if there is one. Call it before serving; later calls have no effect.
pub fn start(folder: PathBuf, port: Option<u16>) {
    FOLDER.get_or_init(|| folder);
    if let Some(port) = port {
        PORT.get_or_init(|| port);
    }
}

/// Whether the development mode was started.
pub(super) fn is_on() -> bool {
    FOLDER.get().is_some()
}

/// Reads a file by its path below the folder.
pub(super) fn read(path: &str) -> Option<EmbeddedFile> {
    read_below(FOLDER.get()?, path)
}

fn read_below(folder: &Path, path: &str) -> Option<EmbeddedFile> {
    let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| rust_embed::utils::read_file_from_fs(&folder.join(path)).ok()).flatten()
}

/// Adds the script to the pages of this router; `None`: no port reports new builds. The responses must not
/// be compressed.
pub fn with_script(router: &Router) -> Option<Router> {
    let script = Arc::new(Script::new(*PORT.get()?));
    Some(router.clone().layer(middleware::from_fn_with_state(script, add_script)))
}

/// The script for a port.
struct Script {
    element: String,
    /// Source expression of the content security policy for exactly this script.
    hash: String,
    /// Origin of the stream that the script reads.
    origin: String,
}

impl Script {
    fn new(port: u16) -> Self {
        let text = SCRIPT.replace("PORT", &port.to_string());
        Self {
            hash: format!("'sha256-{}'", STANDARD.encode(Sha256::digest(&text))),
            element: format!("<script>{text}</script>"),
            origin: format!("http://127.0.0.1:{port}"),
        }
    }

    /// Returns the policy with permission for the script and its stream.
    fn permit(&self, policy: &str) -> String {
        let policy = with_source(policy, "script-src", &self.hash);
        with_source(&policy, "connect-src", &self.origin)
    }
}

/// Adds a source to a directive of a content security policy.
fn with_source(policy: &str, directive: &str, source: &str) -> String {
    match policy.split_once(&format!("{directive} ")) {
        Some((before, after)) => format!("{before}{directive} {source} {after}"),
        None => format!("{policy}; {directive} {source}"),
    }
}

/// Appends the script to a page: browsers execute a script after the end of the document too.
async fn add_script(State(script): State<Arc<Script>>, mut request: Request, next: Next) -> Response {
    // A copy of the page in the browser may have the script for another port, or none.
    request.headers_mut().remove(header::IF_NONE_MATCH);
    let is_head = request.method() == Method::HEAD;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_head || !is_page(headers) || !built_files().may_change() {
        return response;
    }
    let policy = headers.get(header::CONTENT_SECURITY_POLICY).and_then(|value| value.to_str().ok());
    if let Some(permitted) = policy.and_then(|policy| HeaderValue::try_from(script.permit(policy)).ok()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, permitted);
    }
    headers.remove(header::CONTENT_LENGTH);
    let element = Ok(Bytes::from(script.element.clone()));
    response.map(|body| Body::from_stream(body.into_data_stream().chain(stream::iter([element]))))
}

fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_permits_the_script_and_its_stream_in_addition() {
        let script = Script::new(4000);
        let hash = &script.hash;
        assert_eq!(
            script.permit("default-src 'none'; script-src 'nonce-x' 'strict-dynamic'; connect-src 'self'"),
            format!(
                "default-src 'none'; script-src {hash} 'nonce-x' 'strict-dynamic'; \
                 connect-src http://127.0.0.1:4000 'self'"
            )
        );
        assert_eq!(
            script.permit("default-src 'none'; style-src 'self'"),
            format!(
                "default-src 'none'; style-src 'self'; script-src {hash}; connect-src http://127.0.0.1:4000"
            )
        );
        assert!(script.element.contains("http://127.0.0.1:4000/") && !SCRIPT.contains("</script>"));
    }

    #[test]
    fn only_files_below_the_folder_are_read() {
        let read = |path: &str| read_below(Path::new("public"), path);
        assert!(read("favicon.svg").is_some());
        assert!(read("../Cargo.toml").is_none() && read("/etc/passwd").is_none());
    }
}
