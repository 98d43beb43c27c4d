//! The engine page.

mod delivery_hold;
mod details;
pub mod guarantee_texts;
pub mod health_texts;
#[cfg(feature = "ssr")]
pub mod issue_messages;
pub mod page;
mod pause;
pub mod pause_result;
pub mod server_fns;
pub mod texts;
mod verdict;
pub mod verdict_texts;
