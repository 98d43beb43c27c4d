//! Instants: shown, and chosen.

pub mod date_time;
pub mod picker;
pub mod time_fns;
pub mod zone_options;
