//! Articles.

pub mod article;
pub mod details;
pub mod merge;
pub mod use_cases;
