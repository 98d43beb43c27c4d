//! The engine and its health.

mod audit;
mod buckets;
mod canary;
pub(crate) mod engine_page;
mod faults;
mod health_issues;
mod kind_limits;
pub(crate) mod nodes;
mod order;
mod pause;
mod redis_alternatives;
mod redis_mismatch;
mod server_timeouts;
mod threads;
