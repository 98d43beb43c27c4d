//! API of the engine: events, nodes and statistics.

pub mod activity;
pub mod events;
pub mod nodes;
pub mod stats;
