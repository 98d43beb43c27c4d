//! The server: configuration, services, web layer and engine. It depends on all other crates; none
//! depends on it.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]

pub mod accounts;
pub mod app_state;
pub mod articles;
pub mod attention;
pub mod calendar;
pub mod deliveries;
pub mod engine;
pub mod files;
pub mod http;
pub mod imports;
pub mod kinds;
pub mod media;
pub mod meetings;
pub mod messages;
pub mod process;
pub mod releases;
pub mod reminders;
pub mod rules;
pub mod senders;
pub mod series;
pub mod server;
pub mod services;
pub mod tasks;

pub use services::{security, text, zone};
