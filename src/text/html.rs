//! Text that stands in HTML.

pub use app::html::escape;
