//! The connector's resolver: gives only addresses that may be connected to.

use super::Rules;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{fmt, net::SocketAddr};

/// Under these rules, for connections to one port or to any other than those this desk listens at.
#[derive(Debug, Clone)]
pub struct Guarded {
    /// What the operator allows.
    pub rules: Rules,
    /// Whether the connection goes to the port at which this desk listens.
    pub is_own_port: bool,
}

/// A name leads only to addresses that must not be connected to.
#[derive(Debug)]
pub enum Forbidden {
    /// Those of a private network.
    Private,
    /// Where this desk itself listens, at least one of them.
    Own,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Private => "leads into a private network",
            Self::Own => "leads to this desk itself",
        })
    }
}

impl std::error::Error for Forbidden {}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { rules, is_own_port } = self.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let mut allowed: Vec<SocketAddr> = found.filter(|address| rules.allows(address.ip())).collect();
            let why = if allowed.is_empty() { Forbidden::Private } else { Forbidden::Own };
            allowed.retain(|address| !(is_own_port && rules.own.listens_on(address.ip())));
            if allowed.is_empty() {
                return Err(Box::new(why) as Box<dyn std::error::Error + Send + Sync>);
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
