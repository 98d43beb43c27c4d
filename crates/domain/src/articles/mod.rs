//! Articles.

pub mod article;
pub mod merge;
