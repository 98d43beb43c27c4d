//! Reminders and notifications.

pub mod announcement;
pub mod due_reminder;
pub mod notification;
pub mod owned_change;
pub mod reminder;
pub mod reminder_list;
pub mod subject;
