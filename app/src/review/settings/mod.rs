//! The settings of the review.

pub mod fns;
pub mod page;
pub mod waiting;
