//! Content security policies.

use axum::http::HeaderValue;

/// Content security policy of a response. Handlers set it in the response's extensions; without it
/// no script may run.
#[derive(Debug, Clone)]
pub enum Policy {
    /// A page of the desk: only scripts with this nonce.
    Desk(String),
    /// A page of the public site: no scripts; images of an article may come from other hosts. Programs that examine
    /// the page in a browser may read `robots.txt`.
    Site,
    /// An uploaded file: it may load and run nothing.
    Media {
        /// Whether other sites may show it, e.g. readers of the feeds.
        is_public: bool,
    },
}

/// Returns the header of a policy.
pub fn policy(policy: Option<&Policy>) -> HeaderValue {
    let end = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let text = match policy {
        None => format!("default-src 'none'; style-src 'self'; img-src 'self' data:; {end}"),
        Some(Policy::Site) => {
            format!(
                "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data: https:; \
                 connect-src 'self'; {end}"
            )
        }
        Some(Policy::Media { .. }) => {
            "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                .to_owned()
        }
        Some(Policy::Desk(nonce)) => format!(
            "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
             style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; \
             manifest-src 'self'; worker-src 'self'; {end}"
        ),
    };
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}
