//! A host that the operator lets messages go to.

use serde::Deserialize;
use std::{net::Ipv6Addr, str::FromStr};
use url::Host;

/// One entry of the list of hosts (`--egress-hosts`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Listed {
    /// This name or literal address.
    This(Host),
    /// All names below this one: `*.example.org`.
    Below(String),
}

impl Listed {
    /// Whether this host is meant.
    #[must_use]
    pub fn means(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::This(Host::Domain(listed)), Host::Domain(name)) => listed == plain(name),
            (Self::This(Host::Ipv4(listed)), Host::Ipv4(ip)) => listed == ip,
            (Self::This(Host::Ipv6(listed)), Host::Ipv6(ip)) => listed == ip,
            (Self::Below(top), Host::Domain(name)) => plain(name)
                .strip_suffix(top.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            _ => false,
        }
    }
}

fn plain(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

impl FromStr for Listed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a host; write it like hooks.example.org or *.example.org");
        let text = plain(text.trim());
        if let Some(top) = text.strip_prefix("*.") {
            return match Host::parse(top) {
                Ok(Host::Domain(top)) if !top.contains('*') => Ok(Self::Below(top)),
                _ => Err(wrong()),
            };
        }
        let is_v6 = text.parse::<Ipv6Addr>().is_ok();
        let host = if is_v6 { Host::parse(&format!("[{text}]")) } else { Host::parse(text) };
        match host {
            Ok(Host::Domain(name)) if name.contains('*') => Err(wrong()),
            Ok(host) => Ok(Self::This(host)),
            Err(_) => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Listed {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
