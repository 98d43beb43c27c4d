//! The commands that run a node until it is stopped, the one that stops it, and the list of the services.

mod certificate;
pub mod drain;
pub mod instances;
pub mod serve;
pub mod threads;
pub mod until_stopped;
mod watchdog;
pub mod work;
