//! The server: wiring and use cases. Knows everyone; nobody knows it.

pub mod desk;
pub mod kinds;
pub mod parts;
pub mod text;
pub mod web;
pub mod worker;
