//! Instants: shown, and chosen.

pub mod date_time;
pub mod picker;
pub mod texts;
pub mod zone_options;
