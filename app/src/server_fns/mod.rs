//! Server functions, one file per feature. They check no permissions themselves: they get the
//! caller from `ssr` and call the services.

pub mod codec;
#[cfg(feature = "ssr")]
pub mod header_lines;
pub mod result_url;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod time_of_form;

pub use codec::{JsonOutput, Refused};

#[cfg(feature = "ssr")]
use domain::DomainError;
use leptos::prelude::*;

/// Sets the page's status to 404.
#[server(name = NotFound, prefix = "/fn", endpoint = "not_found", output = JsonOutput)]
pub async fn not_found() -> Result<(), Refused> {
    ssr::respond(Err(DomainError::no_such("page")))
}

/// Sets the page's status to 401 or 403.
#[server(name = NotAllowed, prefix = "/fn", endpoint = "not_allowed", output = JsonOutput)]
pub async fn not_allowed() -> Result<(), Refused> {
    ssr::respond(ssr::actor().and(Err(DomainError::NotAllowed)))
}
