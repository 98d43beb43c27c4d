//! Delayed messages.

pub mod message;
pub mod message_list;
