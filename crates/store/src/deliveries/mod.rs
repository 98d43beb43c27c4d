//! Channels, deliveries and the outbox.

pub mod channel;
pub mod delivery;
pub mod delivery_hold;
pub mod dispatch;
pub mod failing;
pub mod outbox;
