//! Audit, retention, backups, nodes, settings, the event log and figures for the engine page.

pub mod audit;
pub mod audit_summary;
pub mod backup;
pub(crate) mod backup_check;
pub mod change_watch;
pub mod event;
pub mod node;
pub mod report;
pub mod restore;
pub mod retention;
pub mod setting;
