//! Releases of articles.

pub mod release;
pub mod release_item;
