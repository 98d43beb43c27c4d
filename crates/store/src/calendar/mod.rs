//! The calendar.

pub mod calendar_days;
pub mod calendar_feed;
pub mod slot_plan;
