//! What stands around the content of a page: its title, and the menu of the settings.

pub mod header;
pub mod settings_menu;
pub mod settings_pages;
