//! Releases: articles that become public together. List, one release, and its forms.

mod choices;
pub mod list_page;
pub mod new_page;
pub mod page;
mod schedule;
pub mod server_fns;
