//! Escapes text for HTML.

pub use app::ui::html::escape;
