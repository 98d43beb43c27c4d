//! Channels, deliveries and the outbox.

pub mod channel;
pub mod delivery;
pub mod dispatch;
pub mod failing;
pub mod outbox;
