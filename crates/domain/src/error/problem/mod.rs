//! Why features refuse something. Each type is public in its feature, which re-exports it.

pub mod address;
pub mod import;
pub mod mail;
pub mod media;
pub mod release;
pub mod review;
pub mod series;
pub mod sign_in;
pub mod table;
pub mod term;
pub mod when;
