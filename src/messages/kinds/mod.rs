//! Kinds of delayed messages.

mod send;

pub use send::Send;

/// What the targets are.
const MESSAGE: &str = "message";
/// Word of [`Send`].
pub const SEND: &str = "message.send";
