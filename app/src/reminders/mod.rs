//! Reminders and notifications.

pub mod about;
pub mod bell;
pub mod choices;
pub mod form;
pub mod form_values;
pub mod line;
pub mod meeting;
pub mod notification_fns;
pub mod notifications_page;
pub mod page;
pub mod push;
pub mod result;
mod row;
pub mod server_fns;
