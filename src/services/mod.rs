//! Application services: implementations of the service traits of `domain`, one folder per noun.
//! Each change is one transaction, followed by hints.

mod blocking;
pub mod cleanup;
pub mod cursor;
mod errors;
pub mod hex;
pub mod hints;
pub mod idempotency;
mod presenter;
pub mod qr_code;
pub mod rendering;
pub mod security;
pub mod text;
pub mod zone;

pub use blocking::run_blocking;
pub use errors::{internal_error, write_error};
pub use presenter::Presenter;
