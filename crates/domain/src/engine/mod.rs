//! Status and health of the engine, its hints, its service, and how late tasks were.

pub mod backups;
pub mod hint;
pub mod late_cause;
pub mod lateness;
pub mod node;
pub mod queue;
pub mod stage;
pub mod status;
pub mod use_cases;

pub use status::*;
