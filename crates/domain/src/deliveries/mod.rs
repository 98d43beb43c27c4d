//! Channels and deliveries.

pub mod channel;
pub mod delivery;
#[cfg(feature = "email")]
pub mod email;
pub mod mail_limits;
pub mod post;
pub mod push;
pub mod use_cases;
