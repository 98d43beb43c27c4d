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

use domain::KindClass;

/// Kinds of the tasks of the driver, one of each class.
pub const KINDS: [&str; 3] = ["bench.handle", "bench.people", "bench.machines"];

/// Makes the kind of this class known, and returns it.
#[must_use]
pub fn kind_of(class: KindClass) -> &'static str {
    let word = KINDS[class as usize];
    KindClass::register(word, class);
    word
}
