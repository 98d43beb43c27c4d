//! Elements that know no feature.

pub mod action_result;
pub mod async_view;
pub mod chart;
pub mod copy_button;
pub mod debounce;
pub mod diff;
pub mod empty;
pub mod flash;
pub mod form;
pub mod html;
pub mod icon;
pub mod page_header;
pub mod result_view;
pub mod settings_menu;
pub mod shortcut;
pub mod table;
pub mod time;
