//! Elements that know no feature.

pub mod action_result;
pub mod async_view;
pub mod chart;
pub mod copy_button;
pub mod debounce;
pub mod empty;
pub mod form;
pub mod html;
pub mod icon;
pub mod page_header;
pub mod shortcut;
#[cfg(all(feature = "ssr", debug_assertions))]
pub mod styleguide;
pub mod table;
pub mod time;
