//! The revisions of an article, and their differences.

pub mod diff;
pub mod page;
