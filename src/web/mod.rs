//! axum: router, authentication, API, live stream, pages, public site, security layers.

pub mod api;
pub mod assets;
pub mod auth;
mod forms;
mod headers;
mod health;
mod live;
pub mod metrics;
pub mod pages;
mod routes;
mod site;
mod sorry;
pub mod steady;

pub use routes::{Access, Route, routes};

use crate::parts::Parts;
use auth::Door;
use axum::{Router, middleware};
use domain::Desk;
use std::{net::IpAddr, sync::Arc};
use tokio_util::sync::CancellationToken;
use tower_http::{compression::CompressionLayer, csrf::CsrfLayer};

/// How the desk is reached from outside.
#[derive(Debug, Clone)]
pub struct Address {
    /// Where people reach it, `https://desk.example.org`, without a slash at its end.
    pub public_url: String,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<IpAddr>,
}

impl Address {
    /// Whether a browser keeps a `Secure` cookie from there: https, or this machine.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        let url = self.public_url.as_str();
        let Some(host) = url.strip_prefix("http://") else { return url.starts_with("https://") };
        let host = host.split('/').next().unwrap_or_default();
        let name = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
        name == "localhost" || name.starts_with("127.") || host.starts_with("[::1]")
    }
}

/// What the web needs of the house. Cheap to clone.
#[derive(Clone)]
pub struct Web {
    /// What people and programs can do.
    pub desk: Desk,
    /// Who they are.
    pub door: Arc<dyn Door>,
    /// The memory of the public site, and the live stream.
    pub parts: Parts,
    /// How the desk is reached.
    pub address: Arc<Address>,
    /// Ends the live streams, so that the server can end.
    pub stop: CancellationToken,
}

/// Everything the server answers. Serve it with `into_make_service_with_connect_info::<SocketAddr>()`.
pub fn router(web: Web) -> Router {
    metrics::count();
    let inner = routes::all().fallback(pages::other).with_state(web.clone());
    let inner = steady::around(inner).layer(CsrfLayer::new());
    // Compression is the last: what is inside writes answers anew.
    inner.layer(middleware::from_fn_with_state(web, headers::dress)).layer(CompressionLayer::new())
}
