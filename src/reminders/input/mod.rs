//! Validates what users give, and resolves its times.

pub mod check;
pub mod time;
pub mod words;
