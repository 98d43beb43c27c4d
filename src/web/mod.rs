//! axum: router, authentication, API, live stream, pages, public site, security layers.

pub mod api;
pub mod auth;
pub mod steady;

use auth::Door;
use axum::Router;
use domain::Desk;
use std::{net::IpAddr, sync::Arc};

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
    /// How they reach it.
    pub address: Arc<Address>,
}

/// Everything the server answers.
pub fn router(web: Web) -> Router {
    let (api, _document) = api::router();
    steady::around(Router::new().nest("/api/v1", api).with_state(web))
}
