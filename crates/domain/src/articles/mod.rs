//! Articles.

pub mod article;
