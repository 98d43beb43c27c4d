//! Accounts and the settings of the site.

pub mod account;
pub mod saved_view;
pub mod settings;
pub mod site_look;
pub mod use_cases;
pub mod zone_effect;
