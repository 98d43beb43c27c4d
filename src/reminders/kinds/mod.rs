//! Kinds of reminders.

mod next;
mod send;
mod words;

pub use send::{IN_BELL, SENDING, Send};

/// What the targets are.
const REMINDER: &str = "reminder";
/// Word of [`SENDING`].
pub const SEND: &str = "reminder.send";
/// Word of [`IN_BELL`].
const SEND_IN_BELL: &str = "reminder.bell";
