//! Accounts and the settings of the site.

pub mod account;
pub mod service;
pub mod settings;
