//! The session of a page.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use leptos::prelude::*;

/// Whether the session is still valid: [`domain::DomainError::LogIn`] if it is not.
#[server(name = CheckSession, prefix = "/fn", endpoint = "check_session", output = JsonOutput)]
pub async fn check_session() -> Result<(), Refused> {
    ssr::respond(ssr::actor().map(drop))
}
