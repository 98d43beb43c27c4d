//! The loops of the engine, one a file, and what only they use.

pub mod audit;
pub mod consumer;
pub mod dispatcher;
pub mod event_tailer;
pub mod executor;
pub mod feeder;
pub mod heartbeat;
pub mod index_fill;
pub mod maintenance;
pub mod mover;
pub mod push;
pub mod sweeper;
pub mod timer;
pub mod trash;
