//! The calendar.

pub mod calendar_days;
pub mod slot_plan;
