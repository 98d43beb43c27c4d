//! Imports of whole sites and files: the page, the report, the server functions.

pub mod page;
pub mod report;
pub mod server_fns;
