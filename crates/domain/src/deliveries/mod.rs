//! Channels and deliveries.

pub mod channel;
pub mod delivery;
pub mod push;
pub mod retry_schedule;
pub mod use_cases;
