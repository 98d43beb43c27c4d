//! Articles.

pub mod article;
pub mod merge;
pub mod use_cases;
