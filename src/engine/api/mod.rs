//! API of the engine: events, nodes, statistics, backups and versions.

pub mod activity;
pub mod backups;
pub mod events;
pub mod nodes;
pub mod stats;
pub mod system;
