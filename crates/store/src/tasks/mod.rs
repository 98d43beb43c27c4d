//! Tasks, their targets, lists and changes.

pub mod activity;
pub mod attention;
pub mod batch;
pub mod bench;
pub mod bulk;
pub mod dashboard;
pub mod group_commit;
pub mod idempotency;
pub mod target;
pub mod task;
pub mod task_list;
pub mod task_page;
pub mod unapproved;
pub mod zone_move;
