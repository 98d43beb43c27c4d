//! The commands that run a node until it is stopped.

pub mod serve;
pub mod until_stopped;
mod watchdog;
pub mod work;
