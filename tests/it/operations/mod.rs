//! The program, its files and its backups.

mod backup;
mod bad_machine;
#[cfg(feature = "s3")]
mod bucket_backups;
mod cli;
mod cli_imports;
mod concurrent_start;
mod doctor;
mod file_permissions;
mod https;
mod memory;
mod own_backups;
mod package;
mod systemd;
mod tampered_backups;
mod traces;
mod upgrade;
