//! Deliveries and the channels that send them.

pub mod channel_form;
pub mod channels;
#[cfg(feature = "ssr")]
pub mod hold_reason;
#[cfg(feature = "ssr")]
pub mod hold_texts;
pub mod list;
pub mod mail_server;
pub mod mail_server_fns;
pub mod mail_server_texts;
pub mod notified;
pub mod refresh;
pub mod row;
pub mod server_fns;
pub mod table;
pub mod texts;
