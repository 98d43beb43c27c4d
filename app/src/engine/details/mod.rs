//! The folded details of the engine page, one section a file.

pub mod audit;
pub mod backups;
pub mod dependencies;
pub mod figures;
pub mod kinds;
pub mod lateness;
pub mod nodes;
pub mod section;
pub mod throughput;
