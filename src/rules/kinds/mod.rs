//! Kinds of rules.

pub mod cancel_waits;
mod fire;
pub mod refuse;
mod send_from_task;
mod send_signal;
pub mod update_waits;

pub use fire::Fire;
pub use refuse::Refuse;
pub use send_signal::SendSignal;
pub use update_waits::UpdateWaits;

/// What the targets are.
const WAIT: &str = "wait";
/// What the targets of [`SendSignal`] and [`Refuse`] are.
const SIGNAL: &str = "signal";
/// What the targets of [`UpdateWaits`] are.
const RULE: &str = "rule";
/// Word of [`Fire`].
pub const FIRE: &str = "rule.fire";
/// Word of [`UpdateWaits`].
pub const UPDATE_WAITS: &str = "rule.update_waits";
