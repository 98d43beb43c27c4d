//! The commands that run a node until it is stopped.

mod certificate;
pub mod serve;
pub mod until_stopped;
mod watchdog;
pub mod work;
