//! The commands that change the schema of the database, say what that would do, or go back.

pub mod check;
pub mod migrate;
mod rehearse;
pub mod rollback;
