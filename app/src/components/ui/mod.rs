//! Elements that know no feature.

pub mod async_view;
pub mod chart;
pub mod copy_button;
pub mod debounce;
pub mod empty;
pub mod field;
pub mod icon;
pub mod page_header;
pub mod password_confirmation;
pub mod result;
pub mod select;
pub mod textarea;
pub mod time_zone_options;
pub mod toast;
