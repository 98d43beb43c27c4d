//! Elements that know no feature.

pub mod async_view;
pub mod chart;
pub mod copy_button;
pub mod debounce;
pub mod diff;
pub mod empty;
pub mod form;
pub mod html;
pub mod icon;
pub mod page;
pub mod result;
pub mod shortcut;
pub mod table;
pub mod time;
