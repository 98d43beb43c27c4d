//! Accounts and the settings of the site.

pub mod account;
pub mod first_week;
pub mod group;
pub mod passkey;
pub mod saved_view;
pub mod second_factor;
pub mod settings;
pub mod sign_in;
pub mod site_look;
pub mod use_cases;

/// What another time zone of the desk means for scheduled items.
pub mod zone_effect {
    pub use crate::error::zone_effect::{MAX_NAMED_ITEMS, ZoneEffect, ZoneExample};
}
