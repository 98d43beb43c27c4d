//! The benchmark driver: the real engine, SQL and queue, with a task kind that writes a line to a
//! file.
//!
//! The kind exists only here. The product ignores it: pages do not show such tasks, and other nodes
//! leave them to the driver.

mod handler;
mod name;
mod workload;

pub use handler::Handler;
pub use workload::{Batch, Changes, Workload};

/// Kind of all tasks of the driver.
pub const KIND: &str = "bench.handle";
