//! Delayed messages: what programs give Presstime to be sent through a channel at a moment.

pub mod message;
pub mod notice;
pub mod use_cases;
