//! Application services: implementations of the service traits of `domain`, one folder per noun.
//! Each change is one transaction, followed by hints.

pub mod accounts;
pub mod articles;
pub mod attention;
mod blocking;
pub mod channels;
pub mod engine;
mod errors;
pub mod hints;
pub mod password_check;
mod presenter;
pub mod rendering;
pub mod tasks;
mod undo_plan;

pub use blocking::run_blocking;
pub use errors::{internal_error, write_error};
pub use presenter::Presenter;
