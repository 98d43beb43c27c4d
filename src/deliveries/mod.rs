//! Deliveries: the channels, browsers that get push messages, and the API.

pub mod api;
pub mod channels;
pub mod hold_api;
pub mod mail_server_api;
pub mod outside;
pub mod posts_api;
pub mod push;
