//! Kinds of rules.

mod fire;

pub use fire::Fire;

/// What the targets are.
const WAIT: &str = "wait";
/// Word of [`Fire`].
pub const FIRE: &str = "rule.fire";
