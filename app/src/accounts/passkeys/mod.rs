//! Passkeys: the log-in with one, and the panel of the profile.

pub mod confirmation;
pub mod fns;
mod log_in;
mod panel;

pub use log_in::PasskeyLogIn;
pub use panel::PasskeyPanel;

/// The script of these, and of the confirmation. It runs on every page, and binds their elements when there are some.
pub const SCRIPT: &str = include_str!("passkeys.js");
