//! Articles.

pub mod article;
pub mod bulk;
pub mod details;
pub mod merge;
pub mod plan;
pub mod use_cases;
