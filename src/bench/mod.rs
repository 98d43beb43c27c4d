//! The benchmark driver: the real engine, SQL and queue, with a kind of task whose effect is a line in a file.
//!
//! The kind exists here alone. The product does not know it: a database with such tasks shows none of them, and its engine
//! leaves them to whoever knows what they mean.

mod handler;
mod name;
mod wishes;

pub use handler::Handler;
pub use wishes::{Changes, Many, Wishes};

/// The kind of all tasks of the driver.
pub const KIND: &str = "bench.handle";
