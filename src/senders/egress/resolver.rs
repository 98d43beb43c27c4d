//! Resolver for HTTP connections that returns only allowed addresses.

use super::Rules;
use domain::channel::AddressError;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// A resolver that applies the egress rules.
#[derive(Debug, Clone)]
pub struct EgressResolver {
    /// The egress rules.
    pub rules: Rules,
    /// Whether the connection goes to the port this server listens at.
    pub is_own_port: bool,
}

/// Error: the rules allow none of the addresses of a name.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ForbiddenAddress(AddressError);

impl Resolve for EgressResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { rules, is_own_port } = self.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed = rules.filter_allowed(found, is_own_port).map_err(ForbiddenAddress)?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
