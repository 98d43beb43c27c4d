//! Content review.

pub mod word_list;
