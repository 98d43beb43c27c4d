//! What every command needs: settings, errors, log, traces, permissions of files, complete files, systemd, the
//! backup before a migration.

pub mod cli_error;
pub mod client;
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

/// The commit from which this binary was built.
pub mod commit {
    use std::sync::OnceLock;

    static COMMIT: OnceLock<&'static str> = OnceLock::new();

    /// Sets the commit, once, when the process starts.
    pub fn set(commit: &'static str) {
        let _ = COMMIT.set(commit);
    }

    /// Returns the commit; `None`: it is not known.
    #[must_use]
    pub fn get() -> Option<&'static str> {
        COMMIT.get().copied()
    }
}
