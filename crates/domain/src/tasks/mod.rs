//! Tasks, their events, and the activity of the desk.

pub mod activity;
pub mod bulk_change;
pub mod event;
pub mod qualifiers;
pub mod task;
pub mod use_cases;
