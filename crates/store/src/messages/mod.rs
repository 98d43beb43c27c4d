//! Delayed messages and notices.

pub mod message;
pub mod message_list;
pub mod notice;
