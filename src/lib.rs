//! The server: wiring and use cases. Knows everyone; nobody knows it.

pub mod bench;
pub mod channels;
pub mod config;
pub mod demo;
pub mod desk;
pub mod doctor;
pub mod house;
pub mod import;
pub mod kinds;
pub mod log;
pub mod memory;
pub mod parts;
pub mod plain;
pub mod presence;
pub mod private;
pub mod secret;
pub mod span;
pub mod text;
pub mod traces;
pub mod trouble;
pub mod vault;
pub mod verbs;
pub mod web;
pub mod wipe;
pub mod worker;
pub mod zone;
