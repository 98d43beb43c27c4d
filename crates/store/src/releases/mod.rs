//! Releases of articles.

pub mod held_release;
pub mod release;
pub mod release_item;
