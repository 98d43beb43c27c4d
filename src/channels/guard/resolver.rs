//! The connector's resolver: gives only addresses that may be connected to.

use super::Rules;
use domain::channel::AddressProblem;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Under these rules, for connections to one port or to any other than those this desk listens at.
#[derive(Debug, Clone)]
pub struct Guarded {
    /// What the operator allows.
    pub rules: Rules,
    /// Whether the connection goes to the port at which this desk listens.
    pub is_own_port: bool,
}

/// A name leads only to addresses that must not be connected to.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Forbidden(AddressProblem);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { rules, is_own_port } = self.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed = rules.sift(found, is_own_port).map_err(Forbidden)?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
