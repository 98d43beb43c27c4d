//! Headers and characters of requests and responses.

pub mod accept_language;
pub mod characters;
pub mod header_text;
pub mod policy;
pub mod security;
