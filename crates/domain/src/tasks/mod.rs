//! Tasks, their events, and the activity of the desk.

pub mod activity;
pub mod bulk_change;
pub mod event;
pub mod search_filters;
pub mod task;
pub mod use_cases;
