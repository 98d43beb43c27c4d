//! Why something is refused, in words.

pub mod address;
pub mod article;
pub mod field;
pub mod import;
pub mod media;
pub mod meeting;
pub mod release;
pub mod review;
pub mod series;
pub mod table;
pub mod task;
pub mod term;
pub mod when;
pub mod zone;
