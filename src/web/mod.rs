//! axum: router, authentication, API, live stream, pages, public site, security layers.

mod admission;
pub mod api;
pub mod assets;
pub mod auth;
mod characters;
mod forms;
mod headers;
mod health;
pub mod limits;
mod live;
pub mod metrics;
mod origin;
pub mod pages;
mod routes;
pub mod serve;
mod site;
mod sorry;
pub mod steady;

pub use routes::{Access, Route, routes};

use crate::{channels::guard::Listed, parts::Parts};
use auth::Door;
use axum::{Router, middleware};
use domain::Desk;
use limits::Usage;
use origin::Authority;
use std::{net::IpAddr, sync::Arc};
use tokio_util::sync::CancellationToken;
use tower_http::{compression::CompressionLayer, csrf::CsrfLayer};
use url::Host;

/// How the desk is reached from outside.
#[derive(Debug, Clone)]
pub struct Address {
    /// Where people reach it, `https://desk.example.org`, without a slash at its end.
    pub public_url: String,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<IpAddr>,
    /// Further names by which it is reached.
    hosts: Vec<Listed>,
    /// Host and port of `public_url`.
    own: Option<Authority>,
    /// Whether the operator said where it is reached. If not, any address leads here, and no name does.
    is_given: bool,
}

impl Address {
    /// The desk at this URL; `is_given`: the operator said so.
    #[must_use]
    pub fn new(public_url: String, is_given: bool, proxies: Vec<IpAddr>, hosts: Vec<Listed>) -> Self {
        let own = public_url.split_once("://").and_then(|(_, rest)| Authority::parse(rest));
        Self { public_url, proxies, hosts, own, is_given }
    }

    /// Whether the desk is reached by this host, at whatever port.
    #[must_use]
    pub fn is_own(&self, named: &Authority) -> bool {
        let host = match &named.host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
        };
        named.is_loopback()
            || self.own.as_ref().is_some_and(|own| own.host == named.host)
            || (!self.is_given && !matches!(host, Host::Domain(_)))
            || self.hosts.iter().any(|listed| listed.means(&host))
    }

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
    /// What clients use of this node, and what they may.
    pub usage: Arc<Usage>,
    /// Ends the live streams, so that the server can end.
    pub stop: CancellationToken,
}

/// Everything the server answers. Serve it with `into_make_service_with_connect_info::<SocketAddr>()`.
pub fn router(web: Web) -> Router {
    metrics::count();
    let inner = routes::all().fallback(pages::other).with_state(web.clone());
    let inner = steady::around(inner, web.clone()).layer(CsrfLayer::new());
    // Compression is the last: what is inside writes answers anew.
    inner.layer(middleware::from_fn_with_state(web, headers::dress)).layer(CompressionLayer::new())
}
