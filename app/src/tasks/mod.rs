//! Tasks: list, page, rows, actions and states.

pub mod actions;
pub mod activity;
pub mod event_verb;
pub mod list_page;
pub mod move_form;
pub mod page;
pub mod phase;
pub mod result;
mod result_texts;
pub mod row;
pub mod server_fns;
pub mod target;
pub mod texts;
#[cfg(feature = "ssr")]
pub mod zone_move_texts;
