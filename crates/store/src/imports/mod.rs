//! Imports of uploaded exports.

pub mod import_job;
