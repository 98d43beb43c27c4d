//! Tasks, their events, and what needs a person.

pub mod activity;
pub mod attention;
pub mod bulk_change;
pub mod event;
pub mod qualifiers;
pub mod task;
pub mod use_cases;
