//! Deliveries.

pub mod deliveries;
pub mod delivery_row;
