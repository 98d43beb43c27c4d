//! The commands that run a node until it is stopped, and the one that stops it.

mod certificate;
pub mod drain;
pub mod serve;
pub mod threads;
pub mod until_stopped;
mod watchdog;
pub mod work;
