//! Channels, deliveries and the outbox.

pub mod channel;
pub mod delivery;
pub mod delivery_group;
pub mod delivery_hold;
pub mod dismissal;
pub mod dispatch;
pub mod failing;
pub mod mail;
pub mod meeting_outbox;
pub mod notified;
pub mod outbox;
pub mod push_message;
pub mod push_subscription;
pub mod report_outbox;
