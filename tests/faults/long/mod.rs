//! Scenarios that take minutes and mostly wait.

mod failpoints;
mod overdue_pairs;
mod soak;
