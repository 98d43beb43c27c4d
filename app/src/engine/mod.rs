//! The engine page.

mod audit;
mod delivery_hold;
mod dependencies;
mod figures;
pub mod guarantee_texts;
pub mod health_texts;
#[cfg(feature = "ssr")]
pub mod issue_messages;
mod kinds;
mod lateness;
mod nodes;
pub mod page;
pub mod server_fns;
pub mod texts;
mod throughput;
