//! The views of the calendar.

mod column;
pub mod day;
mod lanes;
pub mod list;
pub mod month;
mod overflow;
mod rows;
pub mod time_grid;
