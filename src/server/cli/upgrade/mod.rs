//! The commands that change the schema of the database, or say what that would do.

pub mod check;
pub mod migrate;
