//! Kinds of rules.

mod emit;
mod fire;
mod send_signal;

pub use fire::Fire;
pub use send_signal::SendSignal;

/// What the targets are.
const WAIT: &str = "wait";
/// What the targets of [`SendSignal`] are.
const SIGNAL: &str = "signal";
/// Word of [`Fire`].
pub const FIRE: &str = "rule.fire";
