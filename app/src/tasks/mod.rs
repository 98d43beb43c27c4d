//! Tasks: list, page, rows, actions and states.

pub mod actions;
pub mod activity;
pub mod list_page;
pub mod move_form;
pub mod page;
pub mod phase;
pub mod result;
pub mod row;
pub mod server_fns;
pub mod target;
