//! Egress rules: messages never go into the server's own network unless the operator allows it.
//!
//! An address is checked twice: as written (a literal IP needs no resolver), and in the connector's
//! resolver, so that the checked address is the one connected to.

mod listen_address;
mod public;
mod resolver;
#[cfg(test)]
mod tests;

pub use crate::process::host_rule::HostRule;
pub use listen_address::ListenAddress;
pub use public::is_public;
pub use resolver::{EgressResolver, ForbiddenAddress};

use domain::channel::AddressError as Wrong;
use public::is_local_name;
use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
};
use url::{Host, Url};

/// What the operator allows, and where this server listens. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Whether private addresses are allowed, including this machine.
    pub allow_private: bool,
    /// Whether URLs without encryption are allowed.
    pub allow_http: bool,
    /// The only allowed hosts; empty: all.
    pub allowed_hosts: Arc<[HostRule]>,
    /// The address this server listens at. Sending there is never allowed.
    pub listen_address: ListenAddress,
}

/// Location of an AMQP broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broker {
    /// Host name or IP address.
    pub host: Host,
    /// Port.
    pub port: u16,
    /// Whether the connection is unencrypted, which is allowed only inside a private network.
    pub is_open: bool,
    /// Virtual host, still percent-encoded; empty: the default one.
    pub vhost: String,
}

/// Why a server has no usable address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolveError {
    /// The name cannot be resolved.
    Unknown,
    /// The rules allow none of its addresses.
    Blocked(Wrong),
}

impl Rules {
    /// Parses a URL and checks all rules that need no name resolution.
    pub fn check(&self, address: &str) -> Result<Url, Wrong> {
        let url = Url::parse(address.trim()).map_err(|_| Wrong::Unreadable)?;
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http => {}
            "http" => return Err(Wrong::NotEncrypted),
            _ => return Err(Wrong::Unreadable),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Wrong::HoldsPassword);
        }
        let port = url.port_or_known_default().ok_or(Wrong::Port)?;
        if !(matches!(port, 443 | 8_443 | 1_024..) || port == 80 && self.allow_http) {
            return Err(Wrong::Port);
        }
        let host = url.host().ok_or(Wrong::Unreadable)?;
        self.check_named(&host)?;
        let is_own = match host {
            Host::Ipv4(ip) => self.listen_address.matches(ip.into(), port),
            Host::Ipv6(ip) => self.listen_address.matches(ip.into(), port),
            Host::Domain(_) => false,
        };
        if is_own { Err(Wrong::OwnAddress) } else { Ok(url) }
    }

    /// Checks the rules for a host that need no name resolution.
    fn check_named(&self, host: &Host<&str>) -> Result<(), Wrong> {
        let is_allowed = match *host {
            Host::Ipv4(ip) => self.allows(ip.into()),
            Host::Ipv6(ip) => self.allows(ip.into()),
            Host::Domain(name) => self.allow_private || !is_local_name(name),
        };
        if !is_allowed {
            return Err(Wrong::Private);
        }
        let is_listed =
            self.allowed_hosts.is_empty() || self.allowed_hosts.iter().any(|listed| listed.matches(host));
        if is_listed { Ok(()) } else { Err(Wrong::NotListed) }
    }

    /// Parses a host name or IP address and checks all rules that need no name resolution.
    pub fn check_host(&self, server: &str) -> Result<Host, Wrong> {
        let server = server.trim().trim_end_matches('.');
        let is_v6 = server.parse::<Ipv6Addr>().is_ok();
        let host = if is_v6 { Host::parse(&format!("[{server}]")) } else { Host::parse(server) };
        let host = host.map_err(|_| Wrong::NotAHostName)?;
        let named = match &host {
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
            Host::Domain(name) => Host::Domain(name.as_str()),
        };
        self.check_named(&named)?;
        Ok(host)
    }

    /// Parses the URL of a broker and checks all rules that need no name resolution.
    pub fn check_broker(&self, address: &str) -> Result<Broker, Wrong> {
        let url = Url::parse(address.trim()).map_err(|_| Wrong::NotABroker)?;
        let is_open = match url.scheme() {
            "amqps" => false,
            "amqp" => true,
            _ => return Err(Wrong::NotABroker),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Wrong::HoldsPassword);
        }
        // Only a virtual host is supported: reject parts of the URL that would be ignored.
        let vhost = url.path().strip_prefix('/').unwrap_or(url.path());
        if vhost.contains('/') || url.query().is_some() || url.fragment().is_some() {
            return Err(Wrong::NotABroker);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Wrong::NotABroker)?;
        let host = self.check_host(host).map_err(|why| match why {
            Wrong::NotAHostName => Wrong::NotABroker,
            why => why,
        })?;
        let port = url.port().unwrap_or(if is_open { 5_672 } else { 5_671 });
        if !matches!(port, 443 | 1_024..) {
            return Err(Wrong::Port);
        }
        if is_open && !self.allow_private {
            return Err(Wrong::Unencrypted);
        }
        Ok(Broker { host, port, is_open, vhost: vhost.to_owned() })
    }

    /// Resolves a server and returns the addresses that may be connected to. `is_open`:
    /// unencrypted, so only private ones.
    pub async fn resolve(
        &self,
        host: &Host,
        port: u16,
        is_open: bool,
    ) -> Result<Vec<SocketAddr>, ResolveError> {
        let found: Vec<SocketAddr> = match host {
            Host::Ipv4(ip) => vec![((*ip), port).into()],
            Host::Ipv6(ip) => vec![((*ip), port).into()],
            Host::Domain(name) => tokio::net::lookup_host((name.as_str(), port))
                .await
                .map_err(|_| ResolveError::Unknown)?
                .collect(),
        };
        let mut allowed =
            self.filter_allowed(found, self.listen_address.is_port(port)).map_err(ResolveError::Blocked)?;
        allowed.retain(|address| !(is_open && is_public(address.ip())));
        if allowed.is_empty() { Err(ResolveError::Blocked(Wrong::Unencrypted)) } else { Ok(allowed) }
    }

    /// Returns the allowed addresses, at least one. `is_own_port`: the port is the one this server
    /// listens at.
    fn filter_allowed(
        &self,
        found: impl IntoIterator<Item = SocketAddr>,
        is_own_port: bool,
    ) -> Result<Vec<SocketAddr>, Wrong> {
        let mut allowed: Vec<_> = found.into_iter().filter(|address| self.allows(address.ip())).collect();
        let why = if allowed.is_empty() { Wrong::Private } else { Wrong::OwnAddress };
        allowed.retain(|address| !(is_own_port && self.listen_address.listens_on(address.ip())));
        if allowed.is_empty() { Err(why) } else { Ok(allowed) }
    }

    /// Whether connections to this address are allowed.
    #[must_use]
    pub fn allows(&self, ip: IpAddr) -> bool {
        self.allow_private || is_public(ip)
    }
}
