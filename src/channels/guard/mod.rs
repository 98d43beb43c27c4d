//! Where messages may go: never into the network the server itself stands in, unless the operator says so.
//!
//! An address is looked at twice: as it is written (a literal IP asks no resolver), and in the connector's own resolver, so
//! that what is looked at is what is connected to.

mod listed;
mod own;
mod public;
mod resolver;
#[cfg(test)]
mod tests;

pub use listed::Listed;
pub use own::Own;
pub use public::is_public;
pub use resolver::{Forbidden, Guarded};

use domain::channel::AddressProblem as Wrong;
use public::is_local_name;
use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
};
use url::{Host, Url};

/// What the operator allows, and where this desk itself is. Copies are cheap.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Private addresses, this machine included.
    pub allow_private: bool,
    /// Addresses without encryption.
    pub allow_http: bool,
    /// The only hosts that messages may go to; empty: any.
    pub only: Arc<[Listed]>,
    /// Where this desk listens: not even an operator sends messages there.
    pub own: Own,
}

/// Where an AMQP broker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broker {
    /// Its name or literal address.
    pub host: Host,
    /// Its port.
    pub port: u16,
    /// Whether the connection is not encrypted: only inside a private network.
    pub is_open: bool,
    /// Its virtual host, still percent-encoded; empty: the default one.
    pub vhost: String,
}

/// Why no address of a server is connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreached {
    /// Its name is not known.
    Unknown,
    /// None of them may be.
    Blocked(Wrong),
}

impl Rules {
    /// The address, if messages may go there as far as can be seen without asking a resolver.
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
            Host::Ipv4(ip) => self.own.is(ip.into(), port),
            Host::Ipv6(ip) => self.own.is(ip.into(), port),
            Host::Domain(_) => false,
        };
        if is_own { Err(Wrong::Own) } else { Ok(url) }
    }

    /// Whether messages may go to this host, as far as can be seen without asking a resolver.
    fn check_named(&self, host: &Host<&str>) -> Result<(), Wrong> {
        let is_allowed = match *host {
            Host::Ipv4(ip) => self.allows(ip.into()),
            Host::Ipv6(ip) => self.allows(ip.into()),
            Host::Domain(name) => self.allow_private || !is_local_name(name),
        };
        if !is_allowed {
            return Err(Wrong::Private);
        }
        let is_listed = self.only.is_empty() || self.only.iter().any(|listed| listed.means(host));
        if is_listed { Ok(()) } else { Err(Wrong::NotListed) }
    }

    /// The name or literal address of a server, if messages may go there as far as can be seen without asking a resolver.
    pub fn check_host(&self, server: &str) -> Result<Host, Wrong> {
        let server = server.trim().trim_end_matches('.');
        let is_v6 = server.parse::<Ipv6Addr>().is_ok();
        let host = if is_v6 { Host::parse(&format!("[{server}]")) } else { Host::parse(server) };
        let host = host.map_err(|_| Wrong::NotAServer)?;
        let named = match &host {
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
            Host::Domain(name) => Host::Domain(name.as_str()),
        };
        self.check_named(&named)?;
        Ok(host)
    }

    /// The broker an address leads to, if messages may go there as far as can be seen without asking a resolver.
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
        // One virtual host and nothing behind it: what is not read must not look as if it were.
        let vhost = url.path().strip_prefix('/').unwrap_or(url.path());
        if vhost.contains('/') || url.query().is_some() || url.fragment().is_some() {
            return Err(Wrong::NotABroker);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Wrong::NotABroker)?;
        let host = self.check_host(host).map_err(|why| match why {
            Wrong::NotAServer => Wrong::NotABroker,
            why => why,
        })?;
        let port = url.port().unwrap_or(if is_open { 5_672 } else { 5_671 });
        if !matches!(port, 443 | 1_024..) {
            return Err(Wrong::Port);
        }
        if is_open && !self.allow_private {
            return Err(Wrong::Open);
        }
        Ok(Broker { host, port, is_open, vhost: vhost.to_owned() })
    }

    /// The addresses of a server that may be connected to: what was looked at is what is connected to. `is_open`: only inside
    /// a private network.
    pub async fn reach(&self, host: &Host, port: u16, is_open: bool) -> Result<Vec<SocketAddr>, Unreached> {
        let found: Vec<SocketAddr> = match host {
            Host::Ipv4(ip) => vec![((*ip), port).into()],
            Host::Ipv6(ip) => vec![((*ip), port).into()],
            Host::Domain(name) => tokio::net::lookup_host((name.as_str(), port))
                .await
                .map_err(|_| Unreached::Unknown)?
                .collect(),
        };
        let mut allowed = self.sift(found, self.own.is_port(port)).map_err(Unreached::Blocked)?;
        allowed.retain(|address| !(is_open && is_public(address.ip())));
        if allowed.is_empty() { Err(Unreached::Blocked(Wrong::Open)) } else { Ok(allowed) }
    }

    /// Those of the addresses that may be connected to, at a port at which this desk listens or at another one; at least one.
    fn sift(
        &self,
        found: impl IntoIterator<Item = SocketAddr>,
        is_own_port: bool,
    ) -> Result<Vec<SocketAddr>, Wrong> {
        let mut allowed: Vec<_> = found.into_iter().filter(|address| self.allows(address.ip())).collect();
        let why = if allowed.is_empty() { Wrong::Private } else { Wrong::Own };
        allowed.retain(|address| !(is_own_port && self.own.listens_on(address.ip())));
        if allowed.is_empty() { Err(why) } else { Ok(allowed) }
    }

    /// Whether this address may be connected to.
    #[must_use]
    pub fn allows(&self, ip: IpAddr) -> bool {
        self.allow_private || is_public(ip)
    }
}
