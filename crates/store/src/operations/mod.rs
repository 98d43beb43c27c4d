//! Audit, retention, backups, nodes, failover, identity of the database, and figures for the engine
//! page.

pub mod audit;
pub mod audit_summary;
pub mod backup;
pub(crate) mod backup_check;
pub mod backup_run;
pub mod change_watch;
pub mod db_identity;
pub mod failover;
pub mod node;
pub mod report;
pub mod restore;
mod restore_error;
pub mod retention;
pub mod upgrade_backup;
