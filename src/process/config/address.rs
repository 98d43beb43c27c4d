//! The address of the server: validation of the listening address and the public base URL, and flags
//! for commands that print or write links.

use super::{CertificateFlags, Serving, Working};
use clap::Args;

/// Flags of commands that print or write links to the server without running it.
#[derive(Debug, Clone, Default, Args)]
pub struct LinkFlags {
    /// Public base URL of the server, for links [default: http://LISTEN]
    #[arg(long, env = "PRESSTIME_PUBLIC_URL", value_name = "URL", value_parser = public_address)]
    public_url: Option<String>,
    /// Address and port on which the server listens, for links if there is no public base URL
    /// [default: 127.0.0.1:3000]
    #[arg(long, env = "PRESSTIME_LISTEN", value_name = "ADDR", value_parser = listen_address)]
    listen: Option<String>,
    /// Whether these links begin with https.
    #[command(flatten)]
    certificate: CertificateFlags,
}

impl From<LinkFlags> for Serving {
    fn from(links: LinkFlags) -> Self {
        let working = Working { public_url: links.public_url, ..Working::default() };
        Self { listen: links.listen, https: links.certificate.into(), working, ..Self::default() }
    }
}

/// Flag of commands that connect to a running server on this machine.
#[derive(Debug, Clone, Default, Args)]
pub struct ListenFlag {
    /// Address and port on which the server listens [default: 127.0.0.1:3000]
    #[arg(long, env = "PRESSTIME_LISTEN", value_name = "ADDR", value_parser = listen_address)]
    listen: Option<String>,
    /// Whether it speaks HTTPS.
    #[command(flatten)]
    certificate: CertificateFlags,
}

impl From<ListenFlag> for Serving {
    fn from(flag: ListenFlag) -> Self {
        Self { listen: flag.listen, https: flag.certificate.into(), ..Self::default() }
    }
}

/// Flag of commands that address a running node of the database.
#[derive(Debug, Clone, Default, Args)]
pub struct NodeFlag {
    /// Name of the node [default: the host name]
    #[arg(long, env = "PRESSTIME_NODE", value_name = "NAME")]
    node: Option<String>,
}

impl From<NodeFlag> for Serving {
    fn from(flag: NodeFlag) -> Self {
        let working = Working { node: flag.node, ..Working::default() };
        Self { working, ..Self::default() }
    }
}

/// Validates `host:port`.
pub(super) fn listen_address(text: &str) -> Result<String, String> {
    let port =
        text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err(format!("{text:?} is not an address and a port; write it like 127.0.0.1:3000")),
    }
}

/// Validates a base URL without a path, and removes a trailing slash.
pub(super) fn public_address(text: &str) -> Result<String, String> {
    let wrong = || format!("{text:?} is not a base URL; write it like https://desk.example.org");
    let address: http::Uri = text.parse().map_err(|_| wrong())?;
    let is_web = matches!(address.scheme_str(), Some("http" | "https"));
    let is_bare = matches!(address.path(), "" | "/") && address.query().is_none();
    if !is_web || address.host().is_none() {
        return Err(wrong());
    }
    if !is_bare {
        return Err(format!("{text:?} has a path; the server must be at the root of its address"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// Begins of the URLs of Redis.
pub(super) const REDIS_SCHEMES: [&str; 6] =
    ["redis://", "rediss://", "redis+unix://", "unix://", "redis+sentinel://", "rediss+sentinel://"];

/// Returns the host name of this machine; `node`: it is not known.
pub(super) fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .ok()
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "node".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::process::config::address::*;

    #[test]
    fn the_public_address_is_a_bare_web_address() {
        assert_eq!(public_address("https://desk.example/"), Ok("https://desk.example".to_owned()));
        for wrong in ["desk.example", "ftp://desk.example", "https://desk.example/path", "https://"] {
            assert!(public_address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_address_to_listen_on_has_a_port() {
        assert!(listen_address("127.0.0.1:0").is_ok() && listen_address("[::1]:3000").is_ok());
        assert!(listen_address("3000").is_err() && listen_address("host:port").is_err());
    }
}
