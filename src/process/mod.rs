//! What every command needs: settings, errors, log, traces, permissions of files, complete files, systemd, the
//! backup before a migration.

pub mod cli_error;
pub mod client;
pub mod commit;
pub mod config;
pub mod disk;
pub mod host_rule;
pub mod human_duration;
pub mod logging;
pub mod private;
pub mod redacted;
pub mod sanitize;
pub mod systemd;
pub mod telemetry;
pub mod tls_roots;
pub mod upgrade_backup;
