//! Texts of the settings.

pub mod feeds;
pub mod import;
pub mod outside_mail;
pub mod site;
pub mod tags;
