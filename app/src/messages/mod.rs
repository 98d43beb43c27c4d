//! Delayed messages: list, page and form. Admins only.

mod change_channel;
pub mod list_page;
pub mod new_page;
pub mod page;
pub mod result;
pub mod server_fns;
