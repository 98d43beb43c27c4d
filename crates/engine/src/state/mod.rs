//! What the loops know about themselves and their servers, in memory.

pub mod engine_state;
mod health_issues;
pub mod high_watermark;
pub mod hint_counters;
pub mod in_flight;
pub mod incident_log;
pub mod loop_name;
pub mod own_heartbeats;
pub mod redis_data_loss;
pub mod redis_membership;
pub mod server_health;

pub use engine_state::EngineState;
pub use high_watermark::HighWatermark;
pub use in_flight::InFlight;
pub use loop_name::LoopName;
