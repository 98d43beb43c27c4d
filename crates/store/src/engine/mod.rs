//! State and queries of the engine: execution, tasks in flight, overdue tasks and limits.

pub mod buckets;
pub mod canary;
pub mod dead_nodes;
pub mod execute;
pub mod feed;
pub mod in_flight;
pub mod kind_limit;
pub mod overdue;
pub mod pause;
pub mod sealed;
pub mod setting_change;
mod task_claim;
