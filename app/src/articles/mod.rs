//! Articles: list, editor, schedule panel and revisions.

pub mod edit_page;
pub mod editor;
#[cfg(feature = "ssr")]
pub mod form_paths;
pub mod layout;
pub mod list_page;
pub mod new_page;
pub mod revisions;
pub mod schedule_fns;
pub mod schedule_panel;
pub mod server_fns;
