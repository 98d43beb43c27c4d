//! The editor of an article and what stands beside it.

pub mod article_layout;
pub mod diff;
pub mod editor;
pub mod keys;
pub mod schedule_panel;
pub mod toolbar;
