//! The views of the calendar.

pub mod day;
mod lanes;
pub mod list;
pub mod month;
pub mod week;
