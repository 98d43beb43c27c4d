//! Deliveries: the channels, the senders of each transport, and the API.

pub mod api;
pub mod channels;
pub mod hold_api;
pub mod mail_server_api;
pub mod senders;
