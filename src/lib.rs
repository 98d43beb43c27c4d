//! The server: configuration, services, web layer and engine. It depends on all other crates; none
//! depends on it.

pub mod app_state;
pub mod channels;
#[cfg(test)]
mod engine_tests;
pub mod kinds;
pub mod process;
pub mod security;
pub mod server;
pub mod services;
pub mod text;
pub mod web;
pub mod zone;

pub use process::{
    cli_error, client, config, host_rule, human_duration, logging, private, redacted, sanitize, telemetry,
    tls_roots,
};
pub use security::{password_hash, secret_box, tokens};
pub use server::{bench, cli, demo, doctor, import};
