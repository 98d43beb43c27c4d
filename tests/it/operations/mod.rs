//! The program, its files and its backups.

mod backups;
mod bad_machine;
mod cli;
mod cli_imports;
mod concurrent_start;
mod doctor;
mod documents;
mod file_permissions;
mod https;
mod memory;
mod package;
mod systemd;
mod traces;
mod upgrade;
