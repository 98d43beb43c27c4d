//! Accounts and the settings of the site.

pub mod account;
pub mod settings;
pub mod site_look;
pub mod use_cases;
