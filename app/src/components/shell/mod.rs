//! What surrounds every page.

pub mod engine_indicator;
pub mod flash;
pub mod layout;
pub mod nav;
pub mod settings_menu;
