//! Articles: list, editor, schedule panel and revisions.

pub mod edit_page;
pub mod editor;
#[cfg(feature = "ssr")]
pub mod form_paths;
pub mod layout;
pub mod list_page;
pub mod media;
pub mod new_page;
pub mod releases;
pub mod revisions;
pub mod schedule_fns;
pub mod schedule_panel;
pub mod schedule_texts;
pub mod server_fns;
pub mod texts;
