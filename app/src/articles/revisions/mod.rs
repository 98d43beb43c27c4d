//! The revisions of an article, and their differences.

pub mod page;
