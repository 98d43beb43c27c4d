//! An entry of the operator's list of allowed hosts.

use std::{net::Ipv6Addr, str::FromStr};
use url::Host;

/// One allowed host (`--egress-hosts`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostRule {
    /// Exactly this name or IP address.
    Exact(Host),
    /// All subdomains of this name: `*.example.org`.
    Subdomains(String),
}

impl HostRule {
    /// Whether the rule matches this host.
    #[must_use]
    pub fn matches(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::Exact(Host::Domain(listed)), Host::Domain(name)) => listed == plain(name),
            (Self::Exact(Host::Ipv4(listed)), Host::Ipv4(ip)) => listed == ip,
            (Self::Exact(Host::Ipv6(listed)), Host::Ipv6(ip)) => listed == ip,
            (Self::Subdomains(top), Host::Domain(name)) => plain(name)
                .strip_suffix(top.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            _ => false,
        }
    }
}

fn plain(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

impl FromStr for HostRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a host; write it like hooks.example.org or *.example.org");
        let text = plain(text.trim());
        if let Some(top) = text.strip_prefix("*.") {
            return match Host::parse(top) {
                Ok(Host::Domain(top)) if !top.contains('*') => Ok(Self::Subdomains(top)),
                _ => Err(wrong()),
            };
        }
        let is_v6 = text.parse::<Ipv6Addr>().is_ok();
        let host = if is_v6 { Host::parse(&format!("[{text}]")) } else { Host::parse(text) };
        match host {
            Ok(Host::Domain(name)) if name.contains('*') => Err(wrong()),
            Ok(host) => Ok(Self::Exact(host)),
            Err(_) => Err(wrong()),
        }
    }
}
