//! Passkeys: the log-in with one, the panel of the profile, and the accounts that have one.

pub mod confirmation;
pub mod fns;
mod log_in;
mod panel;
mod people;

pub use log_in::PasskeyLogIn;
pub use panel::PasskeyPanel;
pub use people::PasskeyAccounts;

/// The script of these, and of the confirmation. It runs on every page, and binds their elements when there are some.
pub const SCRIPT: &str = include_str!("passkeys.js");
