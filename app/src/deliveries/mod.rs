//! Deliveries and the channels that send them.

pub mod channel_form;
pub mod channels;
pub mod held_mails;
pub mod held_result;
pub mod list;
pub mod mail_fields;
pub mod mail_server;
pub mod mail_server_fns;
pub mod notified;
pub mod refresh;
pub mod row;
pub mod server_fns;
pub mod table;
pub mod test_outcome;
