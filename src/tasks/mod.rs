//! Tasks: scheduled actions. Every user can read all tasks; owners and admins can change them.

pub mod api;
pub(crate) mod bulk;
pub(crate) mod change;
pub(crate) mod decide;
pub(crate) mod group_commit;
pub(crate) mod publish_now;
pub mod query;
pub(crate) mod schedule;
pub mod slots;
mod undo;
pub mod unit_of_work;
pub(crate) mod words;
pub mod zone_moves;
