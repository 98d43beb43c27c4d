//! Escapes text for HTML.

pub use app::html::escape;
