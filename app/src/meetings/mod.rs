//! Meetings and rooms: lists, pages, forms and settings.

pub mod form_values;
pub mod list_page;
pub mod new_page;
pub mod page;
pub mod result;
pub mod room_fns;
pub mod room_form;
pub mod rooms_page;
pub mod server_fns;
pub mod settings;
pub mod span;
pub mod state;
