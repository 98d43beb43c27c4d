//! The engine page.

pub mod backup_result;
mod delivery_hold;
mod details;
pub mod page;
mod pause;
pub mod pause_result;
pub mod queue;
pub mod server_fns;
mod verdict;
