//! Backups: by the command, by the server, in a bucket, and those that were tampered with.

mod by_command;
mod by_server;
#[cfg(feature = "s3")]
mod in_bucket;
mod tampered;
