//! The server: configuration, services, web layer and engine. It depends on all other crates; none
//! depends on it.

pub mod app_state;
pub mod bench;
pub mod channels;
pub mod cli;
pub mod cli_error;
pub mod client;
pub mod config;
pub mod demo;
pub mod doctor;
#[cfg(test)]
mod engine_tests;
pub mod human_duration;
pub mod import;
pub mod kinds;
pub mod logging;
pub mod password_hash;
pub mod private;
pub mod sanitize;
pub mod secret_box;
pub mod server;
pub mod services;
pub mod telemetry;
pub mod text;
pub mod tokens;
pub mod web;
pub mod zone;
