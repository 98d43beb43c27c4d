//! Instants: shown, and chosen.

pub mod date_time;
pub mod time_picker;
