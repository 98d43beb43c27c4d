//! Kinds of reminders.

mod next;
mod send;
mod words;

pub use send::Send;

/// What the targets are.
const REMINDER: &str = "reminder";
/// Word of [`Send`].
pub const SEND: &str = "reminder.send";
