//! HTTP (axum): authentication, API, live stream, pages, public site, security layers.

pub mod api;
pub mod assets;
pub mod auth;
pub mod buffer_and_detach;
pub mod header;
pub mod health;
pub mod limits;
pub mod live;
pub mod origin;
pub mod pages;
pub mod redirect;
pub mod serve;
pub mod site;
pub mod tls;

use crate::{
    app_state::AppState,
    process::{client::ProxyNetwork, host_rule::HostRule},
};
use auth::Authenticator;
use domain::Services;
use limits::{Usage, uploads::Upload};
use origin::Authority;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Host;

/// How clients reach this server.
#[derive(Debug, Clone)]
pub struct Address {
    /// Public URL, e.g. `https://desk.example.org`, without a trailing slash.
    pub public_url: String,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Vec<ProxyNetwork>,
    /// Additional host names of this server.
    hosts: Vec<HostRule>,
    /// Host and port of `public_url`.
    own: Option<Authority>,
    /// Whether the operator configured the public URL. If not, any IP address is accepted as host,
    /// and no name.
    is_configured: bool,
}

impl Address {
    /// Returns the address; `is_configured`: whether the operator configured `public_url`.
    #[must_use]
    pub fn new(
        public_url: String,
        is_configured: bool,
        proxies: Vec<ProxyNetwork>,
        hosts: Vec<HostRule>,
    ) -> Self {
        let own = public_url.split_once("://").and_then(|(_, rest)| Authority::parse(rest));
        Self { public_url, proxies, hosts, own, is_configured }
    }

    /// Whether this host belongs to this server, at any port.
    #[must_use]
    pub fn is_own(&self, named: &Authority) -> bool {
        let host = match &named.host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
        };
        named.is_loopback()
            || self.own.as_ref().is_some_and(|own| own.host == named.host)
            || (!self.is_configured && !matches!(host, Host::Domain(_)))
            || self.hosts.iter().any(|listed| listed.matches(&host))
    }

    /// Whether browsers accept a `Secure` cookie from the public URL: https, or this machine.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        let url = self.public_url.as_str();
        let Some(host) = url.strip_prefix("http://") else { return url.starts_with("https://") };
        let host = host.split('/').next().unwrap_or_default();
        let name = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
        name == "localhost" || name.starts_with("127.") || host.starts_with("[::1]")
    }
}

/// State shared by all request handlers. Cheap to clone.
#[derive(Clone)]
pub struct Web {
    /// Services for users and programs.
    pub services: Services,
    /// Finds the account behind a session or a token.
    pub authenticator: Arc<dyn Authenticator>,
    /// Shared state of the application.
    pub parts: AppState,
    /// How clients reach this server.
    pub address: Arc<Address>,
    /// Resource usage of clients, and its limits.
    pub usage: Arc<Usage>,
    /// The requests that upload something.
    pub uploads: &'static [Upload],
    /// What pages of the public site share.
    pub site: Arc<site::SiteCache>,
    /// Ends the live streams, so that the server can shut down.
    pub stop: CancellationToken,
}
