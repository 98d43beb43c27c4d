//! Tasks: schedule, change, undo, retry.

mod attention;
mod bulk;
mod list;
mod property;
mod repeated_actions;
mod restore_schedule;
mod retry;
mod schedule;
mod task_changes;
mod task_kind;
mod task_page;
mod time_zone_updates;
mod wall_clock;
mod when;
